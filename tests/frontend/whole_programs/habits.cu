// out: 1055
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

// Macros of the kernel's own, one of which names another.
__global__ void ends(int *x) {
#define RADIUS 3
#define WIDTH (2 * RADIUS + 1)
  __shared__ int s[WIDTH];
  for (int i = threadIdx.x; i < WIDTH; i += blockDim.x)
    s[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < WIDTH; i += blockDim.x)
    x[i] = s[WIDTH - 1 - i];
}

// Members with names like those of CUDA's functions.
struct Held {
  int *cudaDeviceData;
  void allocate() { cudaMalloc(&cudaDeviceData, 8 * sizeof(int)); }
  void release();
};
void Held::release() {
  cudaFree(cudaDeviceData);
  cudaDeviceData = nullptr;
}

int main() {
  Held held;
  held.allocate();
  held.release();
  int *x, sum = 0;
  cudaMallocManaged(&x, 8 * sizeof(int));
  for (int i = 0; i < 8; ++i)
    x[i] = i;
  twice<<<1, 8>>>(x);
  ends<<<1, 4>>>(x);
  cudaDeviceSynchronize();
  sum += 100 * x[0];
  for (int i = 0; i < 8; ++i)
    sum += x[i];
  printf("%d\n", sum);
  cudaFree(x);
  return 0;
}
