// Barriers behind early exits, in functions and in loops.
#include <cstdio>
#include <cuda_runtime.h>
#define FULL 0xffffffffu
#define CHECKED(call)                                                                              \
  do {                                                                                             \
    cudaError_t e_ = (call);                                                                       \
    if (e_ != cudaSuccess)                                                                         \
      printf("error %s\n", cudaGetErrorString(e_));                                                \
  } while (0)
// threads that have returned, then barriers for the rest
__global__ void exit_then_wait(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  if (t >= 48)
    return;
  __syncthreads();
  int v = s[(t + 20) % 64];
  for (int k = 0; k < 3; ++k) {
    __syncthreads();
    s[t] = v + k;
    __syncthreads();
    v += s[47 - t];
  }
  y[t] = v;
}
// the same function with shared memory of its own called twice, and by two kernels
template <int S> __device__ int rotate(int v) {
  __shared__ int box[64];
  box[threadIdx.x] = v;
  __syncthreads();
  int r = box[(threadIdx.x + S) % 64];
  __syncthreads();
  return r;
}
__global__ void twice(const int *x, int *y) {
  y[threadIdx.x] = rotate<3>(rotate<5>(x[threadIdx.x]) + 1) - rotate<3>(x[threadIdx.x]);
}
__global__ void once(const int *x, int *y) {
  int i = threadIdx.x;
  y[i] = rotate<1>(x[i]);
}
// trip count from shared memory, inner loop per thread, barrier in the outer one
__global__ void uneven(const int *x, int *y) {
  __shared__ int rounds, s[40];
  if (threadIdx.x == 0)
    rounds = x[5] % 4 + 2;
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    int a = 0;
    for (int k = threadIdx.x; k < x[threadIdx.x] * 3 + r; k += 4) {
      if (k % 5 == 4)
        continue;
      a += k;
      if (a > 60)
        break;
    }
    int old = s[(threadIdx.x + r) % 40];
    __syncthreads();
    s[threadIdx.x] = old + a;
    __syncthreads();
    if (s[0] > 1000)
      break;
  }
  y[threadIdx.x] = s[threadIdx.x];
}
// a warp that loops while others wait at the barrier; different paths by warp
__global__ void by_warp(const int *x, int *y) {
  __shared__ int s[3][32];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  int v = x[threadIdx.x];
  if (w == 0) {
    for (int d = 1; d < 32; d *= 2) {
      int o = __shfl_up_sync(FULL, v, d);
      if (l >= d)
        v += o;
    }
  } else if (w == 1) {
    for (int d = 16; d; d /= 2)
      v = max(v, __shfl_xor_sync(FULL, v, d));
  } else
    v = __popc(__ballot_sync(FULL, v > 4)) + l;
  s[w][l] = v;
  __syncthreads();
  y[threadIdx.x] = s[(w + 1) % 3][31 - l] + (__any_sync(FULL, v == 9) ? 100 : 0);
}
// operations in arguments and conditions
__device__ int mix(int a, int b) {
  return a * 3 - b;
}
__global__ void nested(const int *x, int *y) {
  int t = threadIdx.x, v = x[t];
  int r = mix(__shfl_xor_sync(FULL, v, 1), __shfl_xor_sync(FULL, mix(v, 2), 2));
  if (__shfl_sync(FULL, v, 3) > 2 && t > 4)
    r += 50;
  for (int k = 0; __any_sync(FULL, k < v / 2); ++k)
    r += k < v / 2 ? 1 : 0;
  r += (t & 1) ? v : -v;
  y[t] = r + (__ballot_sync(FULL, t % 5 == 0) >> 25);
}
// grid-stride with a tile in shared memory and a tail
__global__ void tail(const int *x, int *y, int n) {
  __shared__ int s[32];
  for (int base = blockIdx.x * 32; base < n; base += gridDim.x * 32) {
    int i = base + threadIdx.x;
    if (i < n)
      s[threadIdx.x] = x[i % 256] + i;
    __syncthreads();
    int left = threadIdx.x ? s[threadIdx.x - 1] : 0;
    if (i < n)
      y[i] = s[threadIdx.x] - left;
    __syncthreads();
  }
}
// pointers to pointers, 2-D pitch, int overflow in index arithmetic
__global__ void pitched(char *p, size_t pitch, int w, int h) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)(w * h);
       i += blockDim.x * gridDim.x) {
    int *row = (int *)(p + (i / w) * pitch);
    row[i % w] = (int)(i * 2654435761u) >> 20;
  }
}
// uniform branch around barriers with data-dependent, uniform condition from memory
__global__ void steps(const int *x, int *y, int n) {
  extern __shared__ int dyn[];
  int t = threadIdx.x;
  dyn[t] = x[t];
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (x[k] & 1) {
      int v = dyn[(t + 1) % blockDim.x];
      __syncthreads();
      dyn[t] = v + 1;
    } else if (x[k] > 5) {
      int v = dyn[blockDim.x - 1 - t];
      __syncthreads();
      dyn[t] = v - 1;
      __syncthreads();
      if (dyn[0] > 8)
        return;
    } else
      dyn[t] *= 2;
  }
  __syncthreads();
  y[t] = dyn[t];
}
static void show(const char *n, int *d, int c) {
  static int h[1024];
  CHECKED(cudaMemcpy(h, d, c * 4, cudaMemcpyDeviceToHost));
  printf("%s", n);
  for (int i = 0; i < c; i++)
    printf(" %d", h[i]);
  printf("\n");
}
int main() {
  int h[256], *x, *y;
  for (int i = 0; i < 256; i++)
    h[i] = i * 5 % 11;
  CHECKED(cudaMalloc(&x, sizeof h));
  cudaMalloc(&y, 4096);
  cudaMemset(y, 0, 4096);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  exit_then_wait<<<1, 64>>>(x, y);
  show("exit", y, 64);
  twice<<<1, 64>>>(x, y);
  show("twice", y, 64);
  once<<<1, 64>>>(x, y);
  show("once", y, 64);
  uneven<<<1, 40>>>(x, y);
  show("uneven", y, 40);
  by_warp<<<1, 96>>>(x, y);
  show("by_warp", y, 96);
  nested<<<1, 64>>>(x, y);
  show("nested", y, 64);
  tail<<<3, 32>>>(x, y, 500);
  show("tail", y, 500);
  char *p;
  size_t pitch;
  CHECKED(cudaMallocPitch(&p, &pitch, 13 * 4, 9));
  pitched<<<2, 16>>>(p, pitch, 13, 9);
  int m[9][13];
  cudaMemcpy2D(m, 52, p, pitch, 52, 9, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 117; i += 7)
    printf("%d ", m[i / 13][i % 13]);
  printf("\n");
  cudaMemset(y, 0, 4096);
  steps<<<1, 24, 96>>>(x, y, 6);
  show("steps", y, 24);
  steps<<<1, 24, 96>>>(x + 3, y, 9);
  show("steps", y, 24);
}
