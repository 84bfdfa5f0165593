// out: 1846
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

// Names of CUDA in an inlined function in front of macros that end.
__device__ int neighbour(int x) {
  __shared__ int s[32];
  s[threadIdx.x] = min(x, 100);
  __syncthreads();
  return __popc(s[threadIdx.x ^ 1]);
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
#undef WIDTH
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

// A class template that calls itself until a specialisation ends it.
template <class T, unsigned GROUP, unsigned STEP> struct Lowest {
  static __device__ T of(T x, unsigned mask) {
    x = min(x, __shfl_xor_sync(mask, x, STEP / 2, GROUP));
    return Lowest<T, GROUP, STEP / 2>::of(x, mask);
  }
};
template <class T, unsigned GROUP> struct Lowest<T, GROUP, 1u> {
  static __device__ T of(T x, unsigned) { return x; }
};
template <unsigned GROUP, typename T> __device__ T lowest(T x) {
  return Lowest<T, GROUP, GROUP>::of(x, 0xffffffffu);
}
template <int N> __global__ void lows(int *x) { x[threadIdx.x] += 10 * lowest<N>(x[threadIdx.x]); }
__global__ void pairs(int *x) { x[threadIdx.x] += lowest<2>(x[threadIdx.x]); }
__global__ void counts(int *x) { x[threadIdx.x] += neighbour(x[threadIdx.x]); }

int main() {
  Held held;
  held.allocate();
  held.release();
  int *x, sum = 0;
  cudaMallocManaged(&x, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    x[i] = i;
  twice<<<1, 8>>>(x);
  ends<<<1, 4>>>(x);
  cudaDeviceSynchronize();
  sum += 100 * x[0];
  lows<4><<<1, 32>>>(x);
  pairs<<<1, 32>>>(x);
  counts<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    sum += x[i];
  printf("%d\n", sum);
  cudaFree(x);
  return 0;
}
