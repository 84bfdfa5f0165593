// out: 55
#include <cstdio>

// What public programs write that nobody would think of.

// A value that assigns to what it initialises.
__global__ void twice(int *x) {
  __shared__ int s[8];
  int a = a = x[threadIdx.x] > 2 ? 3 : 4;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = a + s[threadIdx.x ^ 1];
}

int main() {
  int *x, sum = 0;
  cudaMallocManaged(&x, 8 * sizeof(int));
  for (int i = 0; i < 8; ++i)
    x[i] = i;
  twice<<<1, 8>>>(x);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    sum += x[i];
  printf("%d\n", sum);
  cudaFree(x);
  return 0;
}
