// Bitonic sort of key/value pairs; one kernel launch for each compare-exchange pass.
//
// usage: bitonic_sort [log2 of the number of pairs]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

struct Pair {
  uint32_t key;
  uint32_t value;
};

#define TRY(call)                                                                              \
  if (cudaError_t error = (call)) {                                                            \
    fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                             \
    return 2;                                                                                  \
  }

template <typename T>
__device__ void exchange(T &a, T &b)
{
  T keep = a;
  a = b;
  b = keep;
}

// Ties are broken by the value, so that the sorted order is unique.
__host__ __device__ inline bool less(const Pair &a, const Pair &b)
{
  return a.key != b.key ? a.key < b.key : a.value < b.value;
}

__global__ void compare_exchange(Pair *pairs, unsigned distance, unsigned length)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned partner = i ^ distance;

  // The lower one of the two does the work for both.
  if (partner > i) {
    const bool ascending = (i & length) == 0;
    if (less(pairs[partner], pairs[i]) == ascending)
      exchange(pairs[i], pairs[partner]);
  }
}

int main(int argc, char **argv)
{
  const int log_n = argc > 1 ? atoi(argv[1]) : 10;
  if (log_n < 1 || log_n > 28) {
    fprintf(stderr, "the logarithm must be between 1 and 28\n");
    return 2;
  }
  const unsigned n = 1u << log_n;
  const unsigned threads = std::min(n, 128u);
  const size_t bytes = n * sizeof(Pair);

  std::vector<Pair> pairs(n);
  uint32_t state = 2718281u;
  for (unsigned i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    pairs[i] = {state >> 14, i};  // 18 bits: some keys occur more than once
  }

  Pair *d_pairs = nullptr;
  TRY(cudaMalloc(&d_pairs, bytes));
  TRY(cudaMemcpy(d_pairs, pairs.data(), bytes, cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  TRY(cudaEventCreate(&start));
  TRY(cudaEventCreate(&stop));
  TRY(cudaEventRecord(start));
  for (unsigned length = 2; length <= n; length *= 2)
    for (unsigned distance = length / 2; distance > 0; distance /= 2)
      compare_exchange<<<n / threads, threads>>>(d_pairs, distance, length);
  TRY(cudaGetLastError());
  TRY(cudaEventRecord(stop));
  TRY(cudaEventSynchronize(stop));
  float ms = 0.0f;
  TRY(cudaEventElapsedTime(&ms, start, stop));

  std::vector<Pair> sorted(n);
  TRY(cudaMemcpy(sorted.data(), d_pairs, bytes, cudaMemcpyDeviceToHost));

  std::sort(pairs.begin(), pairs.end(), less);
  unsigned wrong = 0;
  uint32_t hash = 0;
  for (unsigned i = 0; i < n; ++i) {
    wrong += sorted[i].key != pairs[i].key || sorted[i].value != pairs[i].value;
    hash = hash * 16777619u ^ sorted[i].value;
  }

  printf("time_ms %.3f\n", ms);
  printf("smallest %u, median %u, largest %u\n", sorted[0].key, sorted[n / 2].key,
         sorted[n - 1].key);
  printf("hash %08x\n", hash);
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");

  TRY(cudaEventDestroy(start));
  TRY(cudaEventDestroy(stop));
  TRY(cudaFree(d_pairs));
  return wrong == 0 ? 0 : 1;
}
