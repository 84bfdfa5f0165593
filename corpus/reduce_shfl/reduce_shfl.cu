// Sums by warp shuffles: lanes first, then the warps of a block, then the blocks of the grid.
//
// usage: reduce_shfl [elements [repetitions]]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kWarpSize = 32;
constexpr int kThreads = 256;
constexpr int kBlocks = 24;

void check(cudaError_t status)
{
  if (status != cudaSuccess) {
    std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
  }
}

// Lane 0 ends up with the sum over its warp.
template <typename T>
__device__ T warp_sum(T value)
{
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(kFullMask, value, offset);
  return value;
}

}  // namespace

template <typename T>
__global__ void sum(const T *in, T *out, int n)
{
  __shared__ T warp_totals[kWarpSize];
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;

  // Each thread first adds up its share of the input.
  T value = T(0);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    value += in[i];

  value = warp_sum(value);
  if (lane == 0)
    warp_totals[warp] = value;
  __syncthreads();

  // The first warp reduces the totals of all the warps.
  if (warp == 0) {
    const int warps = (blockDim.x + kWarpSize - 1) / kWarpSize;
    value = lane < warps ? warp_totals[lane] : T(0);
    value = warp_sum(value);
    if (lane == 0)
      out[blockIdx.x] = value;
  }
}

// Returns the sum; adds the time of all launches to *milliseconds.
template <typename T>
T device_sum(const std::vector<T> &values, int repetitions, float *milliseconds)
{
  const int n = static_cast<int>(values.size());
  T *in, *partial, *total;
  check(cudaMalloc(&in, n * sizeof(T)));
  check(cudaMalloc(&partial, kBlocks * sizeof(T)));
  check(cudaMalloc(&total, sizeof(T)));
  check(cudaMemcpy(in, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  check(cudaEventRecord(start));
  for (int r = 0; r < repetitions; ++r) {
    sum<T><<<kBlocks, kThreads>>>(in, partial, n);
    sum<T><<<1, kThreads>>>(partial, total, kBlocks);
  }
  check(cudaEventRecord(stop));
  check(cudaEventSynchronize(stop));
  float elapsed = 0.0f;
  check(cudaEventElapsedTime(&elapsed, start, stop));
  *milliseconds += elapsed;

  T result;
  check(cudaMemcpy(&result, total, sizeof(T), cudaMemcpyDeviceToHost));
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  check(cudaFree(in));
  check(cudaFree(partial));
  check(cudaFree(total));
  return result;
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? std::atoi(argv[1]) : 50000;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 1;

  std::vector<int> integers(n);
  std::vector<double> reals(n);
  uint32_t state = 161803u;
  long long integer_sum = 0;
  double real_sum = 0.0;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    integers[i] = static_cast<int>(state >> 27) - 16;
    reals[i] = (state >> 8) / 16777216.0;
    integer_sum += integers[i];
    real_sum += reals[i];
  }

  float milliseconds = 0.0f;
  const int integer_result = device_sum(integers, repetitions, &milliseconds);
  const double real_result = device_sum(reals, repetitions, &milliseconds);

  const bool pass =
      integer_result == integer_sum && std::fabs(real_result - real_sum) < 1e-9 * real_sum;
  std::printf("time_ms %.3f\n", milliseconds);
  std::printf("integers %d\n", integer_result);
  std::printf("reals %.6e\n", real_result);
  std::printf("%s\n", pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
