// Scales a vector to unit length.
//
// Every thread asks for the norm of the whole vector, which is simple to read and
// wasteful to run: the norm is the same for all of them.
//
// usage: normalize [n] [repeat]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(expr)                                                              \
  {                                                                                   \
    cudaError_t err = (expr);                                                         \
    if (err != cudaSuccess) {                                                         \
      std::fprintf(stderr, "%s failed: %s\n", #expr, cudaGetErrorString(err));        \
      std::exit(1);                                                                   \
    }                                                                                 \
  }

constexpr int kBlockSize = 128;

// Euclidean norm of x[0..n).
__device__ double magnitude(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sqrt(sum);
}

// out = in / |in|
__global__ void normalize(double *__restrict__ out, const double *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] / magnitude(in, n);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int repeat = argc > 2 ? std::atoi(argv[2]) : 1;
  if (n < 1 || repeat < 1) {
    std::fprintf(stderr, "usage: %s [n] [repeat]\n", argv[0]);
    return 2;
  }

  // Input from a linear congruential generator, uniform in [-1, 1).
  std::vector<double> in(n), out(n);
  unsigned long long seed = 42;
  for (double &x : in) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    x = static_cast<double>(seed >> 11) / 4503599627370496.0 - 1.0;
  }

  const size_t bytes = sizeof(double) * n;
  double *d_in = nullptr;
  double *d_out = nullptr;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));

  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));

  const int blocks = (n + kBlockSize - 1) / kBlockSize;
  CUDA_CHECK(cudaEventRecord(begin));
  for (int r = 0; r < repeat; ++r)
    normalize<<<blocks, kBlockSize>>>(d_out, d_in, n);
  CUDA_CHECK(cudaPeekAtLastError());
  CUDA_CHECK(cudaEventRecord(end));
  CUDA_CHECK(cudaEventSynchronize(end));
  float ms = 0.0f;
  CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));

  CUDA_CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));

  // The reference adds in long double, so its own rounding does not count.
  long double sum = 0.0L;
  for (double x : in)
    sum += static_cast<long double>(x) * x;
  const double norm = static_cast<double>(std::sqrt(sum));
  double worst = 0.0, checksum = 0.0, length = 0.0;
  for (int i = 0; i < n; ++i) {
    const double expected = in[i] / norm;
    worst = std::fmax(worst, std::fabs(out[i] - expected) * norm);
    checksum += std::fabs(out[i]);
    length += out[i] * out[i];
  }

  const bool pass = worst < 1e-9 && std::fabs(length - 1.0) < 1e-9;
  std::printf("n %d\n", n);
  std::printf("length %.6e\n", std::sqrt(length));
  std::printf("checksum %.6e\n", checksum);
  std::printf("%s\n", pass ? "PASS" : "FAIL");
  std::printf("time_ms %.3f\n", ms);

  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return pass ? 0 : 1;
}
