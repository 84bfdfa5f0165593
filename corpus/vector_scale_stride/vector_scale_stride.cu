// out <- alpha * x + beta * y with grid-stride loops: element by element, and four at a time.
//
// usage: vector_scale_stride [elements [repetitions]]
#include "float4_math.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t status, const char *what)
{
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
  }
}

constexpr unsigned kThreads = 128;
constexpr unsigned kMaxBlocks = 64;

unsigned blocks_for(size_t work)
{
  size_t blocks = (work + kThreads - 1) / kThreads;
  return static_cast<unsigned>(std::clamp<size_t>(blocks, 1, kMaxBlocks));
}

}  // namespace

__global__ void scale_add(float *__restrict__ out, const float *__restrict__ x,
                          const float *__restrict__ y, float alpha, float beta, size_t n)
{
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = alpha * x[i] + beta * y[i];
}

// The same on aligned groups of four; also leaves the squared length of each group behind.
__global__ void scale_add4(float4 *__restrict__ out, float *__restrict__ squares,
                           const float4 *__restrict__ x, const float4 *__restrict__ y,
                           float alpha, float beta, size_t groups)
{
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t g = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; g < groups;
       g += stride) {
    float4 v = alpha * x[g];
    v += beta * y[g];  // one 16-byte load each
    out[g] = v;
    squares[g] = dot(v, v);
  }
}

int main(int argc, char **argv)
{
  const size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 30003;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 1;
  const size_t groups = n / 4;
  const size_t tail = n - 4 * groups;
  const float alpha = 1.5f, beta = -0.25f;

  // Eighths in [-16, 16): all arithmetic below is exact.
  std::vector<float> x(n), y(n);
  uint32_t state = 2024;
  for (size_t i = 0; i < n; ++i) {
    state = state * 1103515245u + 12345u;
    x[i] = static_cast<float>((state >> 16) & 255u) / 8.0f - 16.0f;
    y[i] = static_cast<float>((state >> 24) & 255u) / 8.0f - 16.0f;
  }

  float *dx, *dy, *dout, *dout4, *dsquares;
  check(cudaMalloc((void **)&dx, n * sizeof(float)), "cudaMalloc");
  check(cudaMalloc((void **)&dy, n * sizeof(float)), "cudaMalloc");
  check(cudaMalloc((void **)&dout, n * sizeof(float)), "cudaMalloc");
  check(cudaMalloc((void **)&dout4, n * sizeof(float)), "cudaMalloc");
  check(cudaMalloc((void **)&dsquares, (groups + 1) * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy of x");
  check(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy of y");
  check(cudaMemset(dout, 0, n * sizeof(float)), "cudaMemset");
  check(cudaMemset(dout4, 0, n * sizeof(float)), "cudaMemset");

  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  check(cudaEventRecord(begin, 0), "cudaEventRecord");
  for (int r = 0; r < repetitions; ++r) {
    scale_add<<<blocks_for(n), kThreads>>>(dout, dx, dy, alpha, beta, n);
    scale_add4<<<blocks_for(groups), kThreads>>>(reinterpret_cast<float4 *>(dout4), dsquares,
                                                 reinterpret_cast<const float4 *>(dx),
                                                 reinterpret_cast<const float4 *>(dy),
                                                 alpha, beta, groups);
    // What does not fill a group is left to the scalar kernel.
    if (tail > 0)
      scale_add<<<1, kThreads>>>(dout4 + 4 * groups, dx + 4 * groups, dy + 4 * groups,
                                 alpha, beta, tail);
  }
  check(cudaEventRecord(end, 0), "cudaEventRecord");
  check(cudaEventSynchronize(end), "kernels");
  float elapsed = 0.f;
  check(cudaEventElapsedTime(&elapsed, begin, end), "cudaEventElapsedTime");

  std::vector<float> out(n), out4(n), squares(groups);
  check(cudaMemcpy(out.data(), dout, n * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
  check(cudaMemcpy(out4.data(), dout4, n * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
  check(cudaMemcpy(squares.data(), dsquares, groups * sizeof(float), cudaMemcpyDeviceToHost),
        "copy back");

  bool ok = true;
  double sum = 0.0, square_sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const float expected = alpha * x[i] + beta * y[i];
    ok = ok && out[i] == expected && out4[i] == expected;
    sum += out4[i];
  }
  for (size_t g = 0; g < groups; ++g) {
    float expected = 0.f;
    for (size_t c = 4 * g; c < 4 * g + 4; ++c)
      expected += out[c] * out[c];
    ok = ok && std::fabs(squares[g] - expected) <= 1e-5f * expected;
    square_sum += squares[g];
  }
  std::printf("time_ms %.3f\n", elapsed);
  std::printf("sum %.6e\nsum of squares %.6e\n", sum, square_sum);
  std::puts(ok ? "PASS" : "FAIL");

  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dout);
  cudaFree(dout4);
  cudaFree(dsquares);
  return ok ? 0 : 1;
}
