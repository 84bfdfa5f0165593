// Numbers of warps in products of 64 bits and without a sign, and what a warp stores in turn
#include <cstdio>
#include <cuda_runtime.h>
__global__ void wide(int stride, const int *v, long long *y) {
  size_t id = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  int s = v[id % 64];
  for (int k = 16; k; k >>= 1)
    s += __shfl_xor_sync(~0u, s, k);
  if (lane == 0)
    y[id / 32] = (long long)((id / 32) * stride) + s;
}
__global__ void wide2(int stride, const int *v, long long *y) {
  unsigned id = blockIdx.x * 256 + threadIdx.x;
  int s = v[id % 64] + __shfl_xor_sync(~0u, v[(id + 1) % 64], 1);
  y[id] = (long long)((id / 32) * stride) + s;
}
__global__ void wide3(int stride, const int *v, long long *y) {
  int s = v[threadIdx.x % 64] + __shfl_xor_sync(~0u, v[(threadIdx.x + 1) % 64], 1);
  y[blockIdx.x * 256 + threadIdx.x] = (long long)((threadIdx.x / 32 + 20) * stride) + s;
}
__global__ void order(int *y, int n) {
  __shared__ int a, b, c[32];
  int t = threadIdx.x;
  c[t] = t;
  a = n;
  __syncwarp();
  b = a;
  a = 3;
  __syncwarp();
  y[t] = b * 100 + a + c[31 - t];
}
int main() {
  int *v;
  long long *y;
  cudaMallocManaged(&v, 4 * 400);
  cudaMallocManaged(&y, 8 * 4096);
  for (int i = 0; i < 400; ++i)
    v[i] = i * 7 % 13;
  for (int i = 0; i < 4096; ++i)
    y[i] = 0;
  wide<<<16, 256>>>(100000000, v, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; i += 9)
    printf("%lld ", y[i]);
  printf("\n");
  wide2<<<16, 256>>>(100000000, v, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4096; i += 99)
    printf("%lld ", y[i]);
  printf("\n");
  wide3<<<16, 256>>>(100000000, v, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4096; i += 99)
    printf("%lld ", y[i]);
  printf("\n");
  order<<<1, 32>>>((int *)y, 7);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("%d ", ((int *)y)[i]);
  printf("\n");
}
