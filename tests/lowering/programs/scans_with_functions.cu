// Scans by any function of two values, of tiles and of lanes that come together.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct Most { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };
__global__ void k(const int *a, int *o) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto small = cg::tiled_partition<8>(tile);
  int v = a[threadIdx.x];
  int r = cg::inclusive_scan(tile, v, [](int x, int y) { return x > y ? x : y; });
  r = r * 3 + cg::exclusive_scan(tile, v, [](int x, int y) { return x < y ? x : y; });
  r = r * 3 + cg::inclusive_scan(small, v, Most());
  r = r * 3 + cg::inclusive_scan(small, v) + cg::exclusive_scan(small, v, cg::greater<int>());
  o[threadIdx.x] = r;
}
__global__ void some(const int *a, int *o) {
  int v = a[threadIdx.x], r = 1;
  if (v % 3) {
    auto g = cg::coalesced_threads();
    r = cg::inclusive_scan(g, v, [](int x, int y) { return x > y ? x : y; }) * 3 + cg::exclusive_scan(g, v, [](int x, int y) { return x ^ y; });
  }
  o[threadIdx.x] += r;
}
int main() { int *a; cudaMallocManaged(&a, 512); for (int i = 0; i < 64; i++) a[i] = i * 37 % 64; k<<<1, 64>>>(a, a + 64); cudaDeviceSynchronize(); some<<<1, 64>>>(a, a + 64); cudaDeviceSynchronize(); for (int i = 0; i < 64; i++) printf("%d\n", a[64 + i]); }
