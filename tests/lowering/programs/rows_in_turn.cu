// Rows of one warp that meet where it alone comes to, found from the size of the grid
#include <cstdio>
#include <cuda_runtime.h>
// each warp's own slot, found from the row and the size of the grid: never a race
__global__ void slots(int rows, const int *v, int *acc) {
  int lane = threadIdx.x & 31;
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    int s = __shfl_xor_sync(0xffffffff, v[row * 32 + lane], 1);
    acc[(row % (gridDim.x * 2)) * 32 + lane] = acc[(row % (gridDim.x * 2)) * 32 + lane] * 3 + s;
  }
}
__global__ void ahead(int rows, int *y) { // reads what the same warp writes later
  int lane = threadIdx.x & 31;
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    int next = row + gridDim.x * 2 < rows ? y[(row + gridDim.x * 2) * 32 + lane] : 1;
    next += __shfl_xor_sync(0xffffffff, next, 2);
    y[row * 32 + lane] = next;
  }
}
__global__ void wide(size_t stride, const int *v, long long *y, int rows) {
  size_t id = blockIdx.x * (size_t)256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  int s = v[id % 64];
  for (int k = 16; k; k >>= 1)
    s += __shfl_xor_sync(~0u, s, k);
  if (lane == 0)
    y[id / 32] = (long long)((id / 32) * stride) + s - (long long)((id / 32 - 1000) >> 40);
}
__global__ void unsigned_rows(const int *v, long long *y, int n) {
  unsigned id = blockIdx.x * 256u + threadIdx.x;
  unsigned w = id / 32;
  int s = v[id % 64] + __shfl_xor_sync(~0u, v[(id + 1) % 64], 1);
  if (w - 5u < 3u)
    y[id] = s;
  else
    y[id] = (long long)(w - 9u) + s;
}
__global__ void said(int rows, const int *v) {
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    int any = __any_sync(~0u, v[row * 32 + threadIdx.x % 32] == 7);
    if (threadIdx.x % 32 == 0 && any && rows < 0)
      printf("row %d\n", row);
  }
}
int main() {
  int *v, *a;
  long long *y;
  cudaMallocManaged(&v, 4 * 40000);
  cudaMallocManaged(&a, 4 * 40000);
  cudaMallocManaged(&y, 8 * 4096);
  for (int i = 0; i < 40000; ++i)
    v[i] = i * 7 % 13, a[i] = i % 5;
  for (int i = 0; i < 4096; ++i)
    y[i] = 0;
  slots<<<3, 64>>>(37, v, a);
  cudaDeviceSynchronize();
  long h = 0;
  for (int i = 0; i < 2000; ++i)
    h = (h * 31 + a[i]) % 1000003;
  printf("%ld\n", h);
  ahead<<<3, 64>>>(37, a);
  cudaDeviceSynchronize();
  h = 0;
  for (int i = 0; i < 2000; ++i)
    h = (h * 31 + a[i]) % 1000003;
  printf("%ld\n", h);
  wide<<<16, 256>>>(1ull << 33, v, y, 9);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; i += 9)
    printf("%lld ", y[i]);
  printf("\n");
  unsigned_rows<<<4, 256>>>(v, y, 9);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1024; i += 50)
    printf("%lld ", y[i]);
  printf("\n");
  said<<<3, 64>>>(37, v);
  cudaDeviceSynchronize();
}
