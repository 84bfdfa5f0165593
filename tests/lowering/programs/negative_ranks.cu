// Quotients of what may be negative are rounded towards zero, and are no warp's number
#include <cstdio>
#include <cuda_runtime.h>
__global__ void signedid(int n, const int *v, int *y) {
  int id = n * 256 + threadIdx.x;
  int w = id / 32;
  int s = v[threadIdx.x % 64] + __shfl_xor_sync(~0u, v[(threadIdx.x + 1) % 64], 1);
  y[threadIdx.x] = w * 1000 + s;
}
__global__ void inlined(int n, const int *v, int *y) {
  int s = v[threadIdx.x % 64] + __shfl_xor_sync(~0u, v[(threadIdx.x + 1) % 64], 1);
  y[threadIdx.x] = (int)((n * 256 + threadIdx.x) / 32) % 1000 + s;
}
__global__ void summed(int n, const int *v, int *y) {
  int w = (int)(n * 256 + threadIdx.x) / 32;
  int s = v[threadIdx.x % 64];
  if (w < 100) {
    for (int k = 16; k; k >>= 1)
      s += __shfl_xor_sync(~0u, s, k);
    y[threadIdx.x] = s + w;
  }
}
int main() {
  int *v, *y;
  cudaMallocManaged(&v, 4 * 400);
  cudaMallocManaged(&y, 4 * 4096);
  for (int i = 0; i < 400; ++i)
    v[i] = i * 7 % 13;
  for (int n = -2; n < 3; n += 2) {
    signedid<<<1, 256>>>(n, v, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i += 9)
      printf("%d ", y[i]);
    printf("\n");
    inlined<<<1, 256>>>(n, v, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i += 9)
      printf("%d ", y[i]);
    printf("\n");
    summed<<<1, 256>>>(n, v, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i += 9)
      printf("%d ", y[i]);
    printf("\n");
  }
}
