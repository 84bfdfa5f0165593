// Votes and shuffles among some lanes of a warp.
#include <cstdio>
#include <cuda_runtime.h>
#define FULL 0xffffffffu
__global__ void k(const int *x, unsigned *y) {
  int t = threadIdx.x, lane = t % 32;
  bool p = x[t] > 3;
  unsigned r = 0;
  if (lane < 16)
    r = __ballot_sync(0xffffu, p);
  y[t] = r;
  unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
  y[64 + t] = __ballot_sync(half, x[t] > 4);
  y[128 + t] = __any_sync(half, x[t] == 6);
  y[192 + t] = __all_sync(half, x[t] >= 0 && t != 20);
  unsigned m = __ballot_sync(FULL, t % 3 == 0);
  if (t % 3 == 0) {
    y[256 + t] = __all_sync(m, p || true);
    y[320 + t] = __any_sync(m, p);
    y[384 + t] = __popc(__ballot_sync(m, x[t] & 1));
    int v = __shfl_sync(m, x[t], __ffs(m) - 1);
    y[448 + t] = v;
  } else {
    y[256 + t] = y[320 + t] = y[384 + t] = y[448 + t] = 9;
  }
  if (lane >= 8) {
    unsigned a = __activemask();
    y[512 + t] = a;
    if (p)
      y[512 + t] += __popc(__activemask());
  } else
    y[512 + t] = 0;
  y[576 + t] = __match_any_sync(FULL, x[t] % 4);
  y[640 + t] = __shfl_down_sync(FULL, x[t], 3, 8) * 100 + __shfl_up_sync(FULL, x[t], 2, 16);
  y[704 + t] = __shfl_xor_sync(FULL, x[t], 5, 8) * 100 + __shfl_sync(FULL, x[t], 35);
  unsigned long long big = ((unsigned long long)x[t] << 40) + t;
  y[768 + t] = (unsigned)(__shfl_xor_sync(FULL, big, 1) >> 38);
  // vote in loop with divergent trip counts
  int n = x[t] % 5, c = 0;
  while (__any_sync(FULL, n > 0)) {
    if (n > 0)
      c += n;
    n--;
  }
  y[832 + t] = c;
}
// A mask that votes have made, and one that differs between lanes.
__global__ void masks(const int *x, unsigned *y) {
  int t = threadIdx.x;
  unsigned m = __ballot_sync(FULL, x[t] > 3);
  unsigned r = 0;
  if (x[t] > 3) {
    r = __any_sync(m, t == 9) * 1000 + __all_sync(m, t >= 0) * 10000;
    r += (__ballot_sync(m, t & 1) & 7) * 100000;
  }
  y[t] = r;
  unsigned same = __match_any_sync(FULL, x[t] % 3);
  y[64 + t] = __popc(__ballot_sync(same, x[t] & 1)) + 100 * __any_sync(same, t == 7);
}
// In blocks of one warp its votes decide about barriers of the block.
__global__ void one_warp(const int *x, unsigned *y) {
  __shared__ int s[32];
  int t = threadIdx.x, v = x[32 * blockIdx.x + t];
  while (__any_sync(FULL, v > 3)) {
    s[t] = v;
    __syncthreads();
    v = s[31 - t] - 1;
    __syncthreads();
  }
  if (__ballot_sync(FULL, v == 2) & 0xff) {
    s[t] = v;
    __syncthreads();
    v += s[(t + 1) % 32];
  }
  y[32 * blockIdx.x + t] = v;
}
// What votes are given is an int: a quarter is nought.
__global__ void given_other_types(const int *x, unsigned *y) {
  int t = threadIdx.x;
  float part = x[t] * 0.25f;
  long long large = (long long)x[t] << 32;
  int a = __syncthreads_or(0.25f), b = __syncthreads_count(part);
  int c = __syncthreads_count(large), d = __syncthreads_and(part + 1);
  y[t] = __ballot_sync(FULL, part) + a + 10 * b + 100 * c + 1000 * d;
}
int main() {
  int h[64], *x;
  unsigned r[896], *y;
  for (int i = 0; i < 64; i++)
    h[i] = i * 5 % 11;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof r);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(x, y);
  cudaMemcpy(r, y, sizeof r, cudaMemcpyDeviceToHost);
  masks<<<1, 64>>>(x, y);
  unsigned own[128];
  cudaMemcpy(own, y, sizeof own, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; i++)
    printf("%u%c", own[i], i % 64 == 63 ? '\n' : ' ');
  one_warp<<<2, 32>>>(x, y);
  cudaMemcpy(own, y, sizeof own, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    printf("%d%c", (int)own[i], i % 64 == 63 ? '\n' : ' ');
  given_other_types<<<1, 64>>>(x, y);
  cudaMemcpy(own, y, sizeof own, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    printf("%u%c", own[i], i % 64 == 63 ? '\n' : ' ');
  for (int i = 0; i < 896; i++)
    printf("%x%c", r[i], i % 64 == 63 ? '\n' : ' ');
}
