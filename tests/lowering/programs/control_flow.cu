// Control flow around barriers, in blocks of odd sizes.
#include <cstdio>
#include <cuda_runtime.h>
#define FULL 0xffffffffu
__device__ int counter;
__device__ unsigned hits[8];
struct P {
  int a;
  float b;
  char c[3];
};
__global__ void early(const int *x, int *y, int n) { // block of 40: not a multiple of 32
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int s[40];
  s[threadIdx.x] = i < n ? x[i] : -1;
  __syncthreads();
  if (i >= n)
    return;
  int v = s[blockDim.x - 1 - threadIdx.x];
  int k = 0;
  do {
    v += s[(threadIdx.x + k) % blockDim.x];
    __syncthreads();
    if (k == 2)
      break;
    s[threadIdx.x] = v;
    __syncthreads();
  } while (++k < 4);
  y[i] = v;
}
__global__ void sw(const int *x, int *y, int mode) {
  __shared__ P s[32];
  int t = threadIdx.x;
  P p;
  p.a = x[t];
  p.b = t * 0.5f;
  p.c[0] = t;
  p.c[1] = 1;
  p.c[2] = mode;
  s[t] = p;
  switch (mode) {
  case 0:
    __syncthreads();
    p = s[31 - t];
    break;
  case 1:
    s[t].a += 1;
    __syncthreads();
    p = s[(t + 1) % 32];
    break;
  case 2:
    __syncthreads();
    p = s[(t + 1) % 32];
    break;
  default:
    p.a = -1;
  }
  y[t] = p.a * 100 + (int)p.b + p.c[0] + p.c[2];
}
__global__ void counts(const int *x, int *y) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  int a = __syncthreads_count(x[t] > 4);
  int b = __syncthreads_and(x[t] >= 0);
  int c = __syncthreads_or(x[t] == 7);
  y[t] = a * 100 + (b != 0) * 10 + (c != 0);
  unsigned before = threadIdx.x - 1;
  if (before < 5)
    y[t] += 100000;
  if (threadIdx.x - 2 < blockDim.x)
    y[t] += 1000000;
  int neg = (int)threadIdx.x - 3;
  y[t] += neg / 2 + (neg >> 1) + neg % 2;
  unsigned sh = 1u << (threadIdx.x & 31);
  y[t] += (sh >> 1) + (int)(0xffffffffu * (threadIdx.x + 1u));
}
__global__ void tickets(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = i; k < n; k += gridDim.x * blockDim.x) {
    int old = atomicAdd(&counter, 1);
    y[old] = 1;
    atomicOr(&hits[k % 8], 1u << (k % 31));
    if (old >= 0 && atomicMax(&hits[7], 3u) > 1000u)
      y[0] = 77;
  }
}
__global__ void after(int *y) {
  y[threadIdx.x] = hits[threadIdx.x] + counter;
}
__global__ void loops(const int *x, int *y, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int b = 0; b < n; b += 64) {
    if (b == 128)
      continue;
    s[t] = x[(b + t) % 64];
    __syncthreads();
    for (int j = 0; j < 64; j++) {
      if (j == t)
        continue;
      if (s[j] > 9)
        break;
      sum += s[j];
    }
    __syncthreads();
    if (b > 256)
      break;
  }
  y[t] = sum;
}
__global__ void refs(const int *x, int *y) {
  extern __shared__ char raw[];
  int *a = (int *)raw;
  float *b = (float *)(a + blockDim.x);
  short *c = (short *)&b[blockDim.x];
  int t = threadIdx.x;
  a[t] = x[t];
  b[t] = x[t] * 0.25f;
  c[t] = (short)(x[t] * 3000);
  __syncthreads();
  int &r = a[(t + 5) % blockDim.x];
  float f = b[(t + 7) % blockDim.x];
  short h = c[blockDim.x - 1 - t];
  __syncthreads();
  r *= 2;
  __syncthreads();
  y[t] = a[t] + (int)(f * 4) + h;
}
__global__ void jump(const int *x, int *y) {
  int t = threadIdx.x, i = 0, v = x[t];
again:
  v = v * 3 % 17;
  if (++i < t % 5)
    goto again;
  bool ok = (v > 3) && (++i > 2) || (v -= 5) < 0;
  y[t] = v * 100 + i * 10 + ok;
}
__global__ void three(int *y) {
  __shared__ int s[2][3][4];
  int x = threadIdx.x, yy = threadIdx.y, z = threadIdx.z;
  s[z][yy][x] = (z * 3 + yy) * 4 + x;
  __syncthreads();
  int lane = (z * 3 + yy) * 4 + x;
  int v = s[1 - z][2 - yy][3 - x];
  int w = __shfl_down_sync(0xffffffu, v, 5);
  y[lane] = lane + 5 < 24 ? w * 10 + v : v;
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
  for (int i = 0; i < 256; i++)
    h[i] = i * 5 % 11;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 4096);
  cudaMemset(y, 0, 4096);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  early<<<2, 40>>>(x, y, 80);
  show("early", y, 80);
  for (int m = 0; m < 4; m++) {
    sw<<<1, 32>>>(x, y, m);
    show("switch", y, 32);
  }
  counts<<<1, dim3(12, 3)>>>(x, y);
  show("counts", y, 36);
  cudaMemset(y, 0, 4096);
  tickets<<<3, 24>>>(y, 200);
  show("tickets", y, 210);
  after<<<1, 8>>>(y);
  show("after", y, 8);
  loops<<<1, 64>>>(x, y, 500);
  show("loops", y, 64);
  refs<<<1, 48, 48 * 10>>>(x, y);
  show("refs", y, 48);
  jump<<<1, 40>>>(x, y);
  show("jump", y, 40);
  three<<<1, dim3(4, 3, 2)>>>(y);
  show("three", y, 24);
}
