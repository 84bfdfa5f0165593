// Patterns of real kernels: arg max, compaction, sums, bins, stencils.
#include <cstdio>
#include <cuda_runtime.h>
#define FULL 0xffffffffu
// shuffle result into a member and an array element, in a divergent loop
struct Best {
  float v;
  int i;
};
__device__ Best better(Best a, Best b) {
  return a.v > b.v || (a.v == b.v && a.i < b.i) ? a : b;
}
__global__ void argmax(const float *x, Best *out, int n) {
  Best b{-1e30f, -1};
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    b = better(b, Best{x[i], i});
  for (int d = 16; d; d >>= 1) {
    Best o;
    o.v = __shfl_xor_sync(FULL, b.v, d);
    o.i = __shfl_xor_sync(FULL, b.i, d);
    b = better(b, o);
  }
  __shared__ Best part[4];
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = b;
  __syncthreads();
  if (threadIdx.x < 4) {
    b = part[threadIdx.x];
    for (int d = 2; d; d >>= 1) {
      b = better(b, Best{__shfl_down_sync(0xfu, b.v, d, 4), __shfl_down_sync(0xfu, b.i, d, 4)});
    }
    if (threadIdx.x == 0)
      *out = b;
  }
}
// arrays of registers exchanged
__global__ void transpose4(const int *x, int *y) {
  int t = threadIdx.x, r[4];
  for (int k = 0; k < 4; ++k)
    r[k] = x[k * 32 + t];
  for (int k = 0; k < 4; ++k) {
    int v = __shfl_sync(FULL, r[k], (t + k) & 31);
    r[3 - k] += v;
  }
  for (int k = 0; k < 4; ++k)
    y[k * 32 + t] = r[k];
}
// warp aggregated increment
__device__ int total;
__global__ void compact(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    bool keep = x[i % 256] > 6;
    unsigned m = __ballot_sync(__activemask(), keep);
    if (keep) {
      int leader = __ffs(m) - 1, base = 0, lane = threadIdx.x & 31;
      if (lane == leader)
        base = atomicAdd(&total, __popc(m));
      base = __shfl_sync(m, base, leader);
      y[base + __popc(m & ((1u << lane) - 1))] = 1;
    }
  }
}
// per-warp shared slices with syncwarp, odd number of warps, last one partial
__global__ void slices(const int *x, int *y) {
  __shared__ int s[3][33];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  s[w][l] = x[threadIdx.x];
  if (l == 0)
    s[w][32] = w;
  __syncwarp();
  int v = s[w][(l + 1) % 16] + s[w][32];
  __syncwarp();
  s[w][l] = v;
  __syncwarp();
  if (l < 8) {
    v += s[w][l + 8];
    __syncwarp(0xff);
    s[w][l] = v;
    __syncwarp(0xff);
    v += s[w][7 - l];
  }
  y[threadIdx.x] = v;
}
// barrier in a loop with conditional continue that all take, nested functions with barriers
__device__ int block_sum(int v, int *buf) {
  int t = threadIdx.x;
  __syncthreads();
  buf[t] = v;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s)
      buf[t] += buf[t + s];
    __syncthreads();
  }
  return buf[0];
}
__global__ void sums(const int *x, int *y, int rounds) {
  __shared__ int buf[64];
  int acc = 0;
  for (int r = 0; r < rounds; ++r) {
    if (r % 3 == 1)
      continue;
    int s = block_sum(x[(threadIdx.x + r) % 256], buf);
    if (s % 2 && r > 4) {
      acc += 1000;
      break;
    }
    acc += threadIdx.x < 10 ? s : 0;
    acc += max(block_sum(acc & 7, buf), 3);
  }
  y[threadIdx.x] = acc;
}
// atomics in shared memory with results, CAS loops
__global__ void bins(const int *x, int *y, int n) {
  __shared__ unsigned count[11];
  __shared__ float fsum;
  __shared__ int first;
  if (threadIdx.x < 11)
    count[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    fsum = 0;
    first = 1 << 30;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    unsigned old = atomicInc(&count[x[i]], 5);
    if (old == 5)
      atomicMin(&first, i);
    int *p = (int *)&fsum, seen = *p, was;
    do {
      was = seen;
      seen = atomicCAS(p, was, __float_as_int(__int_as_float(was) + 0.25f));
    } while (was != seen);
  }
  __syncthreads();
  if (threadIdx.x < 11)
    y[threadIdx.x] = count[threadIdx.x];
  if (threadIdx.x == 11)
    y[11] = (int)(fsum * 4);
}
// constant memory, default arguments, templates with a type and size, lambda
__constant__ float taps[5];
template <typename T, int R> __global__ void blur(const T *x, T *y, int n, T scale = T(1)) {
  extern __shared__ unsigned char mem[];
  T *s = reinterpret_cast<T *>(mem);
  int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + R;
  s[l] = g < n ? x[g] : T(0);
  if (threadIdx.x < R) {
    s[l - R] = g >= R ? x[g - R] : T(0);
    s[l + blockDim.x] = g + blockDim.x < n ? x[g + blockDim.x] : T(0);
  }
  __syncthreads();
  if (g >= n)
    return;
  auto at = [&](int d) { return s[l + d]; };
  T v = 0;
#pragma unroll
  for (int d = -R; d <= R; ++d)
    v += taps[d + R] * at(d);
  y[g] = v * scale;
}
static void show(const char *n, int *d, int c) {
  static int h[1024];
  cudaMemcpy(h, d, c * 4, cudaMemcpyDeviceToHost);
  printf("%s", n);
  for (int i = 0; i < c; i++)
    printf(" %d", h[i]);
  printf("\n");
}
int main() {
  int h[256], *x, *y;
  float f[256], *fx, *fy, tp[5] = {1, 2, 4, 2, 1};
  Best b, *db;
  for (int i = 0; i < 256; i++) {
    h[i] = i * 5 % 11;
    f[i] = i * 37 % 101 * 0.5f;
  }
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 4096);
  cudaMemset(y, 0, 4096);
  cudaMalloc(&fx, sizeof f);
  cudaMalloc(&fy, sizeof f);
  cudaMalloc(&db, sizeof b);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(fx, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(taps, tp, sizeof tp);
  argmax<<<1, 128>>>(fx, db, 250);
  cudaMemcpy(&b, db, sizeof b, cudaMemcpyDeviceToHost);
  printf("argmax %g %d\n", b.v, b.i);
  transpose4<<<1, 32>>>(x, y);
  show("transpose4", y, 128);
  cudaMemset(y, 0, 4096);
  compact<<<2, 96>>>(x, y, 600);
  show("compact", y, 400);
  slices<<<1, 80>>>(x, y);
  show("slices", y, 80);
  sums<<<1, 64>>>(x, y, 8);
  show("sums", y, 64);
  bins<<<1, 48>>>(x, y, 256);
  show("bins", y, 12);
  blur<float, 2><<<7, 37, 41 * sizeof(float)>>>(fx, fy, 250, 0.5f);
  cudaMemcpy(f, fy, sizeof f, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 250; i += 7)
    printf("%g ", f[i]);
  printf("\n");
}
