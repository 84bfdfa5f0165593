// Warp operations where lanes disagree; memory that blocks share.
#include <cstdio>
#include <cuda_runtime.h>
#define FULL 0xffffffffu
// legacy votes and shuffles without masks under divergence are refused by new compilers; use
// activemask
__global__ void divergent_loop(const int *x, int *y) {
  int t = threadIdx.x, n = x[t] % 6, s = 0;
  for (int k = 0; k < n; ++k) {
    unsigned m = __activemask();
    int lead = __ffs(m) - 1;
    int first = __shfl_sync(m, x[t] + k, lead);
    s += first * (k + 1) + __popc(m);
    if (__all_sync(m, k > 2))
      s += 1000;
  }
  y[t] = s;
}
// return inside a loop with warp operations
__global__ void search(const int *x, int *y, int key) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  for (int base = w * 64; base < w * 64 + 64; base += 32) {
    unsigned m = __ballot_sync(FULL, x[base + lane] == key);
    if (m) {
      if (lane == 0)
        y[w] = base + __ffs(m) - 1;
      return;
    }
  }
  if (lane == 0)
    y[w] = -1;
}
// 2-D block with rows of 16: warps span two rows
__global__ void rows16(const int *x, int *y) {
  int i = threadIdx.y * blockDim.x + threadIdx.x;
  int v = x[i];
  for (int o = 8; o > 0; o >>= 1)
    v += __shfl_down_sync(FULL, v, o, 16);
  __shared__ int row[8];
  if (threadIdx.x == 0)
    row[threadIdx.y] = v;
  __syncthreads();
  if (threadIdx.y == 0 && threadIdx.x < 8) {
    int r = row[threadIdx.x];
    y[threadIdx.x] = r;
  }
  v = __shfl_sync(FULL, v, 0, 16);
  y[8 + i] = v - x[i];
}
// shared scalar decided by one thread, used in a while with barriers
__global__ void work_queue(const int *x, int *y, int n, int *next) {
  __shared__ int at;
  while (true) {
    if (threadIdx.x == 0)
      at = atomicAdd(next, (int)blockDim.x);
    __syncthreads();
    int i = at + threadIdx.x;
    bool last = at >= n;
    __syncthreads();
    if (last)
      break;
    if (i < n)
      y[i] = x[i % 256] * 2 + 1;
  }
}
// struct with methods and operators in shared memory, volatile flag in global memory
struct Acc {
  float s;
  int n;
  __device__ void add(float v) {
    s += v;
    ++n;
  }
  __device__ Acc operator+(const Acc &o) const {
    return Acc{s + o.s, n + o.n};
  }
};
__global__ void accumulate(const float *x, float *y, int n) {
  __shared__ Acc a[96];
  Acc mine{0, 0};
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    mine.add(x[i]);
  a[threadIdx.x] = mine;
  __syncthreads();
  unsigned m = blockDim.x;
  while (m > 1) {
    unsigned half = (m + 1) / 2;
    if (threadIdx.x < half && threadIdx.x + half < m)
      a[threadIdx.x] = a[threadIdx.x] + a[threadIdx.x + half];
    __syncthreads();
    m = half;
  }
  if (threadIdx.x == 0) {
    y[0] = a[0].s;
    y[1] = a[0].n;
  }
}
// in-place bitonic with direction, shared dynamic in halves via pointer difference
__global__ void sort2(int *v, int n) {
  extern __shared__ int s[];
  int *lo = s, *hi = s + n / 2, t = threadIdx.x;
  lo[t] = v[t];
  hi[t] = v[t + n / 2];
  __syncthreads();
  for (unsigned k = 2; k <= n; k <<= 1)
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      unsigned i = 2 * t - (t & (j - 1));
      bool up = (i & k) == 0;
      int a = s[i], b = s[i + j];
      if ((a > b) == up) {
        s[i] = b;
        s[i + j] = a;
      }
      __syncthreads();
    }
  v[t] = lo[t];
  v[t + n / 2] = hi[t];
  if (&hi[t] - &lo[t] != n / 2)
    v[t] = -99;
}
// last block does the rest
__device__ unsigned arrived;
__global__ void last_block(const int *x, int *part, int *y, int n) {
  __shared__ bool last;
  __shared__ int s[32];
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    v += x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    int r = 0;
    for (int k = 0; k < 32; ++k)
      r += s[k];
    part[blockIdx.x] = r;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int r = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      r += ((volatile int *)part)[b];
    *y = r;
    arrived = 0;
  }
}
// short circuits with side effects, comma, nested ternaries, shifts by 32
__global__ void effects(const int *x, int *y) {
  int t = threadIdx.x, n = 0, v = x[t];
  int arr[4] = {v, v + 1}, *p = arr;
  if (v > 5 && n++ == 0 || v < 2 && ++n)
    *p++ = n;
  int w = (n++, v > 3 ? v > 6 ? 1 : 2 : *p++);
  for (int i = 0, j = 3; i < j; ++i, --j)
    arr[i] ^= arr[j] + (p - arr);
  unsigned long long u = 1ull << (t & 63);
  int s = -v >> 1;
  unsigned q = (unsigned)-v / 3u;
  y[t] = n * 1000 + w * 100 + arr[0] + arr[1] + arr[2] + (int)(u >> 40) + s + (int)(q >> 4) + (v - 7) % 3 +
         !!v + ~v;
  y[t] += (short)(v << 13) + (signed char)(v * 31) + (v - 3 < 2u) + (int)(char)(200 + t) + '\x7f';
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
  int h[256], *x, *y, *z;
  float f[256], *fx, *fy;
  for (int i = 0; i < 256; i++) {
    h[i] = i * 5 % 11;
    f[i] = i * 37 % 101 * 0.5f;
  }
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 4096);
  cudaMemset(y, 0, 4096);
  cudaMalloc(&z, 4096);
  cudaMemset(z, 0, 4096);
  cudaMalloc(&fx, sizeof f);
  cudaMalloc(&fy, sizeof f);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(fx, f, sizeof f, cudaMemcpyHostToDevice);
  divergent_loop<<<1, 64>>>(x, y);
  show("divergent_loop", y, 64);
  search<<<2, 64>>>(x, y, 10);
  show("search", y, 4);
  rows16<<<1, dim3(16, 8)>>>(x, y);
  show("rows16", y, 136);
  work_queue<<<3, 40>>>(x, y, 300, z);
  show("work_queue", y, 300);
  accumulate<<<1, 96>>>(fx, fy, 250);
  cudaMemcpy(f, fy, 8, cudaMemcpyDeviceToHost);
  printf("%g %g\n", f[0], f[1]);
  sort2<<<1, 64, 128 * 4>>>(x, 128);
  show("sort2", x, 128);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  last_block<<<5, 32>>>(x, z, y, 256);
  show("last_block", y, 1);
  effects<<<1, 70>>>(x, y);
  show("effects", y, 70);
}
