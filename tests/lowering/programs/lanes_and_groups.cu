// Lanes that take no part keep their values; tiles, grids, pointers that swap.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu
// result of an operation used by lanes that did not take part
__global__ void keep(const int *x, int *y) {
  int t = threadIdx.x, lane = t & 31, v = x[t], w = -1, b = 7;
  if (lane >= 4 && lane < 20) {
    w = __shfl_sync(0xffff0u, v, 4 + (lane - 4) / 2);
    if (lane < 10) {
      b = __any_sync(0x3f0u, v > 8);
      v = __shfl_xor_sync(0x3f0u, v, 1);
    } else
      v += __popc(__ballot_sync(0xffc00u, v & 1));
  }
  y[t] = v + 100 * w + 10000 * b;
}
// early return before shuffles with the rest of the warp going on
__global__ void leave(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = x[i];
  unsigned m = __activemask();
  for (int d = 1; d < 4; d *= 2) {
    int o = __shfl_up_sync(m, v, d);
    if ((int)(threadIdx.x & 31) >= d)
      v += o;
  }
  y[i] = v;
  if (v % 2)
    return;
  y[i] += __popc(__activemask()) * 1000;
}
// loop over work with a vote as end, and continue
__global__ void drain(const int *x, int *y) {
  int t = threadIdx.x, left = x[t] % 7, sum = 0;
  bool done = false;
  while (true) {
    if (left == 0)
      done = true;
    if (__all_sync(FULL, done))
      break;
    if (done)
      continue;
    sum += left--;
  }
  y[t] = sum;
  for (int k = 0; k < 5; ++k) {
    unsigned who = __ballot_sync(FULL, (x[t] + k) % 4 == 0);
    if (!who)
      continue;
    int leader = __ffs(who) - 1;
    int v = __shfl_sync(FULL, t * 10 + k, leader);
    if ((who >> (t & 31)) & 1)
      y[t] += v;
    if (k == 3 && __popc(who) > 40)
      break;
  }
}
__global__ void tiles(const int *x, int *y) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int v = x[block.thread_rank()];
  for (int o = tile.size() / 2; o > 0; o /= 2)
    v += tile.shfl_down(v, o);
  int r = tile.shfl(v, 0);
  unsigned b = tile.ballot(x[block.thread_rank()] > 5);
  if (tile.any(r > 40))
    r += 1000;
  if (tile.all(r > 10))
    r += 2000;
  y[block.thread_rank()] = r + 10000 * b + tile.meta_group_rank();
}
// shared memory through pointers that swap, in 2-D
__global__ void pingpong(const float *x, float *y, int steps) {
  __shared__ float a[8][8], b[8][8];
  float (*in)[8] = a, (*out)[8] = b;
  int i = threadIdx.x, j = threadIdx.y;
  in[j][i] = x[j * 8 + i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    float left = i > 0 ? in[j][i - 1] : 0, up = j > 0 ? in[j - 1][i] : 0;
    out[j][i] = 0.5f * in[j][i] + 0.25f * (left + up);
    __syncthreads();
    auto swap = in;
    in = out;
    out = swap;
  }
  y[j * 8 + i] = in[j][i];
}
struct Node {
  int key;
  int next;
};
__device__ Node nodes[64];
__device__ int head = -1;
__global__ void push(const int *x) {
  int t = threadIdx.x;
  nodes[t].key = x[t];
  int old = atomicExch(&head, t);
  nodes[t].next = old;
}
__global__ void walk(int *y) {
  int sum = 0, len = 0;
  for (int n = head; n >= 0; n = nodes[n].next) {
    sum += nodes[n].key;
    ++len;
  }
  if (threadIdx.x == 0) {
    y[0] = sum;
    y[1] = len;
  }
}
__global__ void grid(int *y, int n) {
  cg::grid_group g = cg::this_grid();
  int i = g.thread_rank();
  int mine = i * 3 % 7;
  for (int k = 0; k < 3; ++k) {
    if (i < n)
      y[n + i] = mine;
    g.sync();
    mine += i < n ? y[n + (i + 17) % n] : 0;
    g.sync();
  }
  if (i < n)
    y[i] = mine;
}
__device__ int clampi(int v, int lo, int &changed) {
  if (v < lo) {
    ++changed;
    return lo;
  }
  return v;
}
__global__ void misc(const int *x, int *y, unsigned n) {
  static __shared__ unsigned tmp[3];
  unsigned t = threadIdx.x;
  int changed = 0;
  if (t < 3)
    tmp[t] = t * 5;
  __syncthreads();
  int v = clampi(x[t], 4, changed) + clampi(x[t] - 3, 0, changed);
  if (t - 1 < n && t + 0xfffffff0u > 5)
    v += 1000;
  long long big = (long long)v << 33;
  unsigned lo = (unsigned)(big >> 31);
  signed char sc = (signed char)(v * 37);
  short sh = (short)(v * 12345);
  y[t] = v * 10 + changed + (lo & 255) + sc + (sh >> 3) + __mul24(v, -3) +
         __umulhi(0x80000000u, t) + (int)tmp[t % 3];
  y[t] += __brev(t) % 97 + __clz(t) + __ffs(t) * 2 + __byte_perm(t, 0x04030201, 0x5410) % 31 +
          __funnelshift_l(t, 7u, 3);
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
  float f[64], *fx, *fy;
  for (int i = 0; i < 256; i++)
    h[i] = i * 5 % 11;
  for (int i = 0; i < 64; i++)
    f[i] = i * 5 % 11;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 4096);
  cudaMemset(y, 0, 4096);
  cudaMalloc(&fx, sizeof f);
  cudaMalloc(&fy, sizeof f);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(fx, f, sizeof f, cudaMemcpyHostToDevice);
  keep<<<1, 64>>>(x, y);
  show("keep", y, 64);
  leave<<<2, 48>>>(x, y, 83);
  show("leave", y, 83);
  drain<<<1, 64>>>(x, y);
  show("drain", y, 64);
  tiles<<<1, 40>>>(x, y);
  show("tiles", y, 40);
  pingpong<<<1, dim3(8, 8)>>>(fx, fy, 5);
  cudaMemcpy(f, fy, sizeof f, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i += 5)
    printf("%g ", f[i]);
  printf("\n");
  push<<<1, 64>>>(x);
  walk<<<1, 32>>>(y);
  show("list", y, 2);
  int n = 100;
  void *args[] = {&y, &n};
  cudaLaunchCooperativeKernel((void *)grid, dim3(4), dim3(32), args, 0, 0);
  show("grid", y, 100);
  misc<<<1, 64>>>(x, y, 20);
  show("misc", y, 64);
}
