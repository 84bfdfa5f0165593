// Inclusive prefix sums with warp shuffles (Hillis and Steele inside a warp): the lanes of a warp,
// the warps of a block, the blocks of the grid.
//
// usage: scan_warp [elements]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define WARP 32
#define WARPS_PER_BLOCK 8
#define BLOCK (WARP * WARPS_PER_BLOCK)
#define ALL_LANES 0xffffffff

#define CK(call) do { \
  cudaError_t ck_ = (call); \
  if (ck_ != cudaSuccess) { \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(ck_)); \
    std::exit(1); \
  } } while (0)

using Value = long long;

__device__ inline Value scan_warp(Value value, int lane)
{
  for (int distance = 1; distance < WARP; distance *= 2) {
    // All lanes take part in the exchange, the lowest ones ignore what they get.
    const Value below = __shfl_up_sync(ALL_LANES, value, distance);
    if (lane >= distance)
      value += below;
  }
  return value;
}

__global__ void scan_blocks(const Value *in, Value *out, Value *block_totals, uint32_t n)
{
  __shared__ Value warp_totals[WARPS_PER_BLOCK];
  const int lane = threadIdx.x & (WARP - 1);
  const int warp = threadIdx.x / WARP;
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;

  Value value = scan_warp(i < n ? in[i] : 0, lane);
  if (lane == WARP - 1)
    warp_totals[warp] = value;
  __syncthreads();

  // The first warp scans the totals; its upper lanes have none.
  if (warp == 0) {
    Value total = lane < WARPS_PER_BLOCK ? warp_totals[lane] : 0;
    total = scan_warp(total, lane);
    if (lane < WARPS_PER_BLOCK)
      warp_totals[lane] = total;
  }
  __syncthreads();

  if (warp > 0)
    value += warp_totals[warp - 1];
  if (i < n)
    out[i] = value;
  if (threadIdx.x == BLOCK - 1)
    block_totals[blockIdx.x] = value;
}

// Adds to each block what all the blocks before it sum up to.
__global__ void add_offsets(Value *out, const Value *scanned_totals, uint32_t n)
{
  const uint32_t i = (blockIdx.x + 1) * BLOCK + threadIdx.x;
  if (i < n)
    out[i] += scanned_totals[blockIdx.x];
}

static void inclusive_scan(const Value *in, Value *out, uint32_t n)
{
  const uint32_t blocks = (n + BLOCK - 1) / BLOCK;
  Value *totals;
  CK(cudaMalloc(&totals, blocks * sizeof(Value)));
  scan_blocks<<<blocks, BLOCK>>>(in, out, totals, n);
  if (blocks > 1) {
    inclusive_scan(totals, totals, blocks);  // in place: a thread reads only what it writes
    add_offsets<<<blocks - 1, BLOCK>>>(out, totals, n);
  }
  CK(cudaGetLastError());
  CK(cudaFree(totals));
}

int main(int argc, char **argv)
{
  const uint32_t n = argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 20011;

  std::vector<Value> in(n), out(n);
  uint64_t state = 88172645463325252ull;
  for (Value &value : in) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    value = static_cast<Value>(state >> 40);
  }

  Value *d_in, *d_out;
  CK(cudaMalloc(&d_in, n * sizeof(Value)));
  CK(cudaMalloc(&d_out, n * sizeof(Value)));
  CK(cudaMemcpy(d_in, in.data(), n * sizeof(Value), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  CK(cudaEventCreate(&start));
  CK(cudaEventCreate(&stop));
  CK(cudaEventRecord(start));
  inclusive_scan(d_in, d_out, n);
  CK(cudaEventRecord(stop));
  CK(cudaEventSynchronize(stop));
  float ms = 0;
  CK(cudaEventElapsedTime(&ms, start, stop));
  CK(cudaMemcpy(out.data(), d_out, n * sizeof(Value), cudaMemcpyDeviceToHost));

  bool ok = true;
  Value running = 0;
  uint64_t hash = 0;
  for (uint32_t i = 0; i < n; ++i) {
    running += in[i];
    ok = ok && out[i] == running;
    hash = hash * 1099511628211ull ^ static_cast<uint64_t>(out[i]);
  }

  std::printf("time_ms %.3f\n", ms);
  std::printf("total %lld\n", out[n - 1]);
  std::printf("hash %016llx\n", static_cast<unsigned long long>(hash));
  std::puts(ok ? "PASS" : "FAIL");

  CK(cudaEventDestroy(start));
  CK(cudaEventDestroy(stop));
  CK(cudaFree(d_in));
  CK(cudaFree(d_out));
  return ok ? 0 : 1;
}
