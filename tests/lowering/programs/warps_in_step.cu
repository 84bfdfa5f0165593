// Warps in step: loops, guards, blocks of several sizes, functions, volatile beside plain memory.
#include <cstdio>
#include <cuda_runtime.h>

// Launched with several sizes.
__global__ void halves(const int *x, int *y) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= 32; half >>= 1) {
    if (t < half)
      s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) {
    for (int d = 16; d > 0; d >>= 1) {
      int v = s[t] + s[(t + d) % 32];
      __threadfence_block();
      s[t] = v;
      __threadfence_block();
    }
    if (t == 0)
      y[blockIdx.x] = s[0];
  }
}

// Warps of their own, odd number of threads, exits before.
__global__ void scan_warps(const int *x, int *y, int n) {
  __shared__ int s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, lane = t & 31;
  if (i >= n)
    return;
  s[t] = x[i];
  __threadfence_block();
  if (lane >= 1)
    s[t] += s[t - 1];
  __threadfence_block();
  if (lane >= 2)
    s[t] += s[t - 2];
  __threadfence_block();
  if (lane >= 4)
    s[t] += s[t - 4];
  __threadfence_block();
  y[i] = s[t];
}

template <typename T> __device__ T pairs(T *s, int lane, T v) {
  s[lane] = v;
  __threadfence_block();
  T other = s[lane ^ 1];
  __threadfence_block();
  s[lane] = other * 3 - v;
  __threadfence_block();
  return s[31 - lane];
}

__global__ void in_loop(const int *x, float *y, int rounds) {
  __shared__ float mine[4][32];
  float *own = mine[threadIdx.y];
  float v = x[threadIdx.y * 32 + threadIdx.x];
  for (int r = 0; r < rounds; ++r) {
    v = pairs(own, threadIdx.x, v) * 0.25f;
    if (r == 3)
      v += 1;
  }
  y[threadIdx.y * 32 + threadIdx.x] = v;
}

// Volatile and plain memory in one warp.
__global__ void both(const int *x, int *y) {
  __shared__ volatile int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = x[t];
  b[t] = 3 * x[t];
  __syncthreads();
  if (t < 32) {
    a[t] += a[t + 32];
    a[t] += a[(t + 5) % 32];
    b[t] = a[31 - t];
    b[t] += b[(t + 1) % 32];
  }
  __syncthreads();
  y[t] = a[t] * 1000 + b[t];
}

static void show(const char *name, const int *d, int n) {
  static int h[256];
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (int i = 0; i < n; ++i)
    printf(" %d", h[i]);
  printf("\n");
}

int main() {
  int h[256], *x, *y;
  float f[128], *m;
  for (int i = 0; i < 256; ++i)
    h[i] = i * 5 % 11;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&m, sizeof f);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  for (int size = 64; size <= 256; size *= 2) {
    halves<<<256 / size, size, size * sizeof(int)>>>(x, y);
    show("halves", y, 256 / size);
  }
  scan_warps<<<2, 104>>>(x, y, 190);
  show("scan_warps", y, 190);
  in_loop<<<1, dim3(32, 4)>>>(x, m, 6);
  cudaMemcpy(f, m, sizeof f, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; i += 3)
    printf("%g ", f[i]);
  printf("\n");
  both<<<1, 64>>>(x, y);
  show("both", y, 64);
}
