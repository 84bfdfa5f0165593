// What barriers order, and what stores may not be dropped.
#include <cstdio>
#include <cuda_runtime.h>

// In place, in global memory.
__global__ void shift(int *x, int n) {
  int t = threadIdx.x;
  for (int k = 0; k < 3; ++k) {
    int v = x[(t + 1) % n];
    __syncthreads();
    x[t] = v + k;
    __syncthreads();
  }
}

// Two pointers to the same memory.
__global__ void aliased(int *a, int *b, int n) {
  int t = threadIdx.x;
  a[t] = t * 3;
  __syncthreads();
  int v = b[n - 1 - t];
  __syncthreads();
  b[t] = v + 1;
  __syncthreads();
  a[t] += b[(t + 2) % n];
}

struct Cell {
  int a, b;
  float c[2];
};

__device__ int peek(const Cell *cells, int i) { return cells[i].a + cells[i].b; }
__device__ void poke(int *p, int v) { *p = v; }

__global__ void cells(const int *x, int *y) {
  __shared__ Cell s[32];
  int t = threadIdx.x;
  s[t].a = x[t];
  s[t].b = 2 * x[t];
  s[t].c[0] = t;
  s[t].c[1] = 1;
  __syncthreads();
  int before = peek(s, (t + 1) % 32);
  __syncthreads();
  Cell whole = s[31 - t];
  __syncthreads();
  s[t] = whole;
  s[t].a = 7;
  __syncthreads();
  poke(&s[(t + 3) % 32].b, t);
  __syncthreads();
  y[t] = before * 1000 + s[t].a * 100 + s[t].b + (int)(s[t].c[0] + s[t].c[1]);
}

// A store that only some threads make again; one that a data-dependent index may see.
__global__ void maybe(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 1;
  if (x[t] > 4)
    s[t] = x[t];
  __syncthreads();
  int v = s[x[t] * 5];
  __syncthreads();
  s[t] = v;
  int seen = s[t] + 1;
  s[t] = seen;
  __syncthreads();
  s[t] = s[t] * 2;
  __syncthreads();
  y[t] = s[63 - t];
}

// Barriers at the ends of loops, read and written across the back edge.
__global__ void back_edge(const int *x, int *y, int n) {
  __shared__ int s[64];
  __shared__ int carry;
  int t = threadIdx.x;
  if (t == 0)
    carry = 0;
  for (int base = 0; base < n; base += 64) {
    __syncthreads();
    s[t] = x[base + t];
    __syncthreads();
    for (int d = 1; d < 64; d <<= 1) {
      int add = t >= d ? s[t - d] : 0;
      __syncthreads();
      s[t] += add;
      __syncthreads();
    }
    y[base + t] = s[t] + carry;
    __syncthreads();
    if (t == 63)
      carry += s[63];
  }
}

// A pointer that walks, and a view of other width.
__global__ void views(const int *x, int *y) {
  __shared__ __align__(8) unsigned char raw[256];
  int t = threadIdx.x;
  int *words = (int *)raw;
  short *halves = (short *)raw;
  words[t] = x[t] * 70000;
  __syncthreads();
  int v = halves[2 * ((t + 1) % 64)] + halves[2 * ((t + 9) % 64) + 1];
  __syncthreads();
  int *walk = words + t;
  *walk++ = v;
  __syncthreads();
  if (t < 63)
    v += *walk;
  y[t] = v + raw[255 - t];
}

// One thread prepares, all use; again in the next round.
__global__ void prepare(const int *x, int *y, int rounds) {
  __shared__ int plan[4], count;
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (t == 0) {
      count = 0;
      for (int k = 0; k < 4; ++k)
        if (x[r * 4 + k] % 2)
          plan[count++] = x[r * 4 + k];
    }
    __syncthreads();
    for (int k = 0; k < count; ++k)
      sum += plan[k] * (t + 1);
    __syncthreads();
  }
  y[t] = sum;
}

// Grows by what neighbours have: rows read, columns written.
__global__ void rows_columns(float *m, int n) {
  __shared__ float pivot[16];
  int i = threadIdx.x, j = threadIdx.y;
  for (int k = 0; k < n; ++k) {
    if (j == 0)
      pivot[i] = m[k * n + i];
    __syncthreads();
    float f = m[j * n + k] * 0.125f;
    __syncthreads();
    if (j != k)
      m[j * n + i] -= f * pivot[i];
    __syncthreads();
  }
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
  float f[256], *m;
  for (int i = 0; i < 256; ++i) {
    h[i] = i * 5 % 11;
    f[i] = i * 37 % 101 * 0.5f;
  }
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&m, sizeof f);
  cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(m, f, sizeof f, cudaMemcpyHostToDevice);
  shift<<<1, 48>>>(y, 48);
  show("shift", y, 48);
  aliased<<<1, 48>>>(y, y, 48);
  show("aliased", y, 48);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cells<<<1, 32>>>(x, y);
  show("cells", y, 32);
  maybe<<<1, 64>>>(x, y);
  show("maybe", y, 64);
  back_edge<<<1, 64>>>(x, y, 256);
  show("back_edge", y, 256);
  views<<<1, 64>>>(x, y);
  show("views", y, 64);
  prepare<<<1, 40>>>(x, y, 20);
  show("prepare", y, 40);
  rows_columns<<<1, dim3(16, 16)>>>(m, 16);
  cudaMemcpy(f, m, sizeof f, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i += 17)
    printf("%g ", f[i]);
  printf("\n");
}
