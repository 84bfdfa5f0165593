// Lanes that meet in plain shared memory without a barrier. The fences at the ends make the
// emulation step.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reversed(const int *x, int *y) {
  __shared__ int s[32];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[31 - threadIdx.x];
  __threadfence_block();
}

// The last warp of a reduction, without volatile.
__global__ void last_warp(const int *x, int *y) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 32; half >>= 1) {
    if (t < half)
      s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0)
    y[0] = s[0];
  __threadfence_block();
}

// All lanes exchange with all, in dynamic memory that is cut into pieces.
__global__ void butterfly(const int *x, int *y) {
  extern __shared__ int all[];
  int *mine = all + threadIdx.x / 32 * 32;
  int lane = threadIdx.x % 32;
  mine[lane] = x[threadIdx.x];
  for (int bit = 16; bit > 0; bit /= 2) {
    int other = mine[lane ^ bit];
    mine[lane] = lane & bit ? 2 * mine[lane] + other : mine[lane] - other;
  }
  y[threadIdx.x] = mine[lane];
  __threadfence_block();
}

// Rows of eight; each writes behind its own zeros.
__global__ void rows(const int *x, int *y, int n) {
  __shared__ int s[4][16];
  int at = threadIdx.x, row = threadIdx.y;
  s[row][at] = 0;
  at += 8;
  for (int i = threadIdx.x; i < n; i += 8) {
    s[row][at] = x[row * n + i];
    s[row][at] += s[row][at - 1];
    s[row][at] += s[row][at - 2];
    s[row][at] += s[row][at - 4];
    y[row * n + i] = s[row][at];
  }
  __threadfence_block();
}

// Where data says where: the fence says that lanes meet.
__global__ void scattered(const int *x, const int *to, int *y) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = -1;
  __threadfence_block();
  s[to[t]] = x[t];
  __threadfence_block();
  y[t] = s[t];
}

// A neighbour decides; only some lanes write.
__global__ void neighbours(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  s[t + 32] = 0;
  if (t % 2 == 0) {
    int above = s[t + 1];
    s[t + 32] = above + s[(t + 31) % 32];
  }
  y[t] = s[t + 32];
  __threadfence_block();
}

template <int N> __device__ void sum_up(int *s, int t) {
  s[t] += s[t + 16];
  __threadfence_block();
  s[t] += s[t + 8];
  __threadfence_block();
  s[t] += s[t + 4];
  __threadfence_block();
  s[t] += s[t + N];
  __threadfence_block();
  s[t] += s[t + 1];
}

__device__ void last_steps(int *s, int t) {
  volatile int steps = 5; // has the emulation step
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] = min(s[t], steps * s[t + 1]);
}

__global__ void in_function(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  s[t + 32] = 1;
  sum_up<2>(s, t);
  y[t] = s[t];
  last_steps(s, t);
  y[t + 32] = s[t];
  __threadfence_block();
}

static void show(const char *name, const int *y, int n) {
  int h[128];
  cudaMemcpy(h, y, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (int i = 0; i < n; ++i)
    printf(" %d", h[i]);
  printf("\n");
}

int main() {
  int h[128], p[32], *x, *y, *to;
  for (int i = 0; i < 128; ++i)
    h[i] = i * 7 % 13 - 3;
  for (int i = 0; i < 32; ++i)
    p[i] = i * 5 % 32;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&to, sizeof p);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(to, p, sizeof p, cudaMemcpyHostToDevice);
  reversed<<<1, 32>>>(x, y);
  show("reversed", y, 32);
  last_warp<<<1, 128>>>(x, y);
  show("last_warp", y, 1);
  butterfly<<<1, 64, 64 * sizeof(int)>>>(x, y);
  show("butterfly", y, 64);
  rows<<<1, dim3(8, 4)>>>(x, y, 32);
  show("rows", y, 128);
  scattered<<<1, 32>>>(x, to, y);
  show("scattered", y, 32);
  neighbours<<<1, 32>>>(x, y);
  show("neighbours", y, 32);
  in_function<<<1, 32>>>(x, y);
  show("in_function", y, 64);
  return 0;
}
