// C (m x n) = alpha * A (m x k) * B (k x n) + beta * C, row-major, in double precision. The block
// shape and the depth of a panel are run-time values, so both panels live in one piece of dynamic
// shared memory.
//
// usage: matmul_rect_dynamic [m n k [depth]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_OK(x) check_cuda((x), #x, __LINE__)

static void check_cuda(cudaError_t status, const char *expression, int line)
{
  if (status == cudaSuccess)
    return;
  fprintf(stderr, "line %d: %s: %s\n", line, expression, cudaGetErrorString(status));
  exit(EXIT_FAILURE);
}

struct Problem {
  int m, n, k;
  double alpha, beta;
};

__global__ void gemm(Problem p, const double *a, const double *b, double *c, int depth)
{
  // Layout: blockDim.y x depth elements of A, then depth x blockDim.x elements of B.
  extern __shared__ double panels[];
  double *a_panel = panels;
  double *b_panel = panels + blockDim.y * depth;

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int width = blockDim.x, height = blockDim.y;
  const int col = blockIdx.x * width + tx;
  const int row = blockIdx.y * height + ty;

  double acc = 0.0;
  for (int k0 = 0; k0 < p.k; k0 += depth) {
    // The panels are filled cooperatively: a row of threads walks along a row of A ...
    for (int kk = tx; kk < depth; kk += width) {
      bool inside = row < p.m && k0 + kk < p.k;
      a_panel[ty * depth + kk] = inside ? a[row * p.k + k0 + kk] : 0.0;
    }
    // ... and a column of threads down a column of B.
    for (int kk = ty; kk < depth; kk += height) {
      bool inside = k0 + kk < p.k && col < p.n;
      b_panel[kk * width + tx] = inside ? b[(k0 + kk) * p.n + col] : 0.0;
    }
    __syncthreads();

    for (int kk = 0; kk < depth; ++kk)
      acc += a_panel[ty * depth + kk] * b_panel[kk * width + tx];
    __syncthreads();
  }

  if (row < p.m && col < p.n) {
    double *target = &c[row * p.n + col];
    *target = p.alpha * acc + p.beta * *target;
  }
}

class Lcg {
public:
  explicit Lcg(unsigned seed) : state(seed) {}

  // Uniform in [-1, 1).
  double next()
  {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 8388608.0 - 1.0;
  }

private:
  unsigned state;
};

int main(int argc, char **argv)
{
  Problem p{45, 70, 33, 1.25, -0.5};
  int depth = 12;
  if (argc > 3) {
    p.m = atoi(argv[1]);
    p.n = atoi(argv[2]);
    p.k = atoi(argv[3]);
  }
  if (argc > 4)
    depth = atoi(argv[4]);

  std::vector<double> a((size_t)p.m * p.k), b((size_t)p.k * p.n), c((size_t)p.m * p.n);
  Lcg random(17u);
  for (double &v : a)
    v = random.next();
  for (double &v : b)
    v = random.next();
  for (double &v : c)
    v = random.next();

  double *d_a, *d_b, *d_c;
  CUDA_OK(cudaMalloc(&d_a, a.size() * sizeof(double)));
  CUDA_OK(cudaMalloc(&d_b, b.size() * sizeof(double)));
  CUDA_OK(cudaMalloc(&d_c, c.size() * sizeof(double)));
  CUDA_OK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(double), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(double), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(d_c, c.data(), c.size() * sizeof(double), cudaMemcpyHostToDevice));

  dim3 block(32, 4);
  dim3 grid;
  grid.x = (p.n + block.x - 1) / block.x;
  grid.y = (p.m + block.y - 1) / block.y;
  const size_t shared_bytes = (block.x + block.y) * depth * sizeof(double);

  cudaEvent_t before, after;
  CUDA_OK(cudaEventCreate(&before));
  CUDA_OK(cudaEventCreate(&after));
  CUDA_OK(cudaEventRecord(before));
  gemm<<<grid, block, shared_bytes>>>(p, d_a, d_b, d_c, depth);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaEventRecord(after));
  CUDA_OK(cudaEventSynchronize(after));
  float ms = 0.f;
  CUDA_OK(cudaEventElapsedTime(&ms, before, after));

  std::vector<double> result(c.size());
  CUDA_OK(cudaMemcpy(result.data(), d_c, c.size() * sizeof(double), cudaMemcpyDeviceToHost));

  std::vector<double> product(c.size(), 0.0);
  for (int i = 0; i < p.m; ++i)
    for (int kk = 0; kk < p.k; ++kk)
      for (int j = 0; j < p.n; ++j)
        product[(size_t)i * p.n + j] += a[(size_t)i * p.k + kk] * b[(size_t)kk * p.n + j];

  double worst = 0.0, norm = 0.0;
  for (size_t e = 0; e < c.size(); ++e) {
    const double expected = p.alpha * product[e] + p.beta * c[e];
    worst = fmax(worst, fabs(result[e] - expected));
    norm += result[e] * result[e];
  }
  const bool pass = worst < 1e-12 * p.k;

  printf("time_ms %.3f\n", ms);
  printf("frobenius norm %.6e\n", sqrt(norm));
  printf("corner %.6e\n", result.back());
  puts(pass ? "PASS" : "FAIL");

  CUDA_OK(cudaEventDestroy(before));
  CUDA_OK(cudaEventDestroy(after));
  CUDA_OK(cudaFree(d_a));
  CUDA_OK(cudaFree(d_b));
  CUDA_OK(cudaFree(d_c));
  return pass ? 0 : 1;
}
