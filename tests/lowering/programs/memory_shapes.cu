// Unions, bit-fields, 64-bit keys, registers and tiles: what memory holds.
#include <cstdio>
#include <cuda_runtime.h>
#define FULL 0xffffffffu
// scan with a double buffer in shared memory and syncwarp, result used with a shuffle
template <int W> __global__ void scan(const int *x, int *y) {
  __shared__ int s[2][W];
  int t = threadIdx.x, in = 0;
  s[0][t] = x[t];
  __syncthreads();
#pragma unroll
  for (int d = 1; d < W; d *= 2) {
    s[1 - in][t] = s[in][t] + (t >= d ? s[in][t - d] : 0);
    in = 1 - in;
    __syncthreads();
  }
  y[t] = s[in][t] + __shfl_sync(FULL, t ? s[in][t - 1] : 0, 7);
}
union Bits {
  float f;
  unsigned u;
  unsigned char b[4];
};
struct Field {
  unsigned a : 5, b : 11;
  int c : 16;
};
__global__ void packed(const float *x, unsigned *y) {
  __shared__ Field f[32];
  __shared__ Bits u[32];
  int t = threadIdx.x;
  u[t].f = x[t] * 1.25f;
  f[t].a = t;
  f[t].b = t * 77;
  f[t].c = -t * 99;
  __syncthreads();
  Bits o = u[(t + 9) % 32];
  Field g = f[31 - t];
  o.b[0] ^= u[t].b[3];
  y[t] = o.u + g.a * 3 + g.b + (unsigned)g.c;
}
__device__ unsigned long long best = 0xffffffffffffffffull;
__device__ double sum;
__device__ float lowest = 1e9f;
__device__ float atomic_min_float(float *p, float v) {
  int *i = (int *)p, old = *i, seen;
  do {
    seen = old;
    if (__int_as_float(seen) <= v)
      break;
    old = atomicCAS(i, seen, __float_as_int(v));
  } while (old != seen);
  return __int_as_float(old);
}
__global__ void globals(const float *x, int n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned long long key = ((unsigned long long)__float_as_uint(x[i] + 1) << 32) | i;
    atomicMin(&best, key);
    atomicAdd(&sum, (double)x[i]);
    atomic_min_float(&lowest, x[i] - 3);
  }
}
__global__ void report(double *out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    out[0] = (double)(best & 0xffffffff);
    out[1] = sum;
    out[2] = lowest;
  }
}
// a matrix in registers, unrolled, kept across barriers
__global__ void tile_sum(const float *a, const float *b, float *c, int n) {
  __shared__ float sa[8][9], sb[8][9];
  float acc[2][2] = {};
  float keep[3] = {1, 2};
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int k0 = 0; k0 < n; k0 += 8) {
    for (int r = ty; r < 8; r += 4)
      for (int q = tx; q < 8; q += 4) {
        sa[r][q] = a[r * n + k0 + q];
        sb[r][q] = b[(k0 + r) * 8 + q];
      }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          acc[i][j] += sa[ty * 2 + i][k] * sb[k][tx * 2 + j];
    keep[2] += keep[0];
    keep[0] += keep[1] * tx;
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      c[(ty * 2 + i) * 8 + tx * 2 + j] = acc[i][j] + keep[2];
}
// early continue, nested breaks and a flag shared by all
__global__ void relax(int *d, const int *w, int n, int *rounds) {
  __shared__ int changed;
  int t = threadIdx.x, r = 0;
  do {
    __syncthreads();
    if (t == 0)
      changed = 0;
    __syncthreads();
    for (int v = t; v < n; v += blockDim.x) {
      int now = d[v];
      for (int e = 0; e < 3; ++e) {
        int from = (v * 7 + e * 5 + 1) % n;
        if (from == v)
          continue;
        int via = d[from];
        if (via > 1000)
          continue;
        if (via + w[v] < now) {
          now = via + w[v];
          changed = 1;
          if (now == 0)
            break;
        }
      }
      atomicMin(&d[v], now);
    }
    __syncthreads();
    ++r;
  } while (changed && r < 50);
}
// coarse thread ids: 3-D grid, 2-D block, everything by reference
__device__ void where(int &i, int &j, int &k) {
  i = blockIdx.x * blockDim.x + threadIdx.x;
  j = blockIdx.y * blockDim.y + threadIdx.y;
  k = blockIdx.z;
}
__global__ void volume(int *y, int nx, int ny, int nz) {
  int i, j, k;
  where(i, j, k);
  if (i >= nx || j >= ny || k >= nz)
    return;
  int s = 0;
  for (int dz = -1; dz <= 1; ++dz) {
    if (k + dz < 0 || k + dz >= nz)
      continue;
    s += (i * 3 + j * 5 + (k + dz) * 7) % 11;
  }
  y[(k * ny + j) * nx + i] = s;
}
static void show(const char *n, const void *d, int c) {
  static int h[1024];
  cudaMemcpy(h, d, c * 4, cudaMemcpyDeviceToHost);
  printf("%s", n);
  for (int i = 0; i < c; i++)
    printf(" %d", h[i]);
  printf("\n");
}
static void showf(const char *n, const float *d, int c) {
  static float h[1024];
  cudaMemcpy(h, d, c * 4, cudaMemcpyDeviceToHost);
  printf("%s", n);
  for (int i = 0; i < c; i++)
    printf(" %g", h[i]);
  printf("\n");
}
int main() {
  int h[256], dist[64], *x, *y, *z;
  float f[256], *fx, *fy;
  double *out, o[3];
  for (int i = 0; i < 256; i++) {
    h[i] = i * 5 % 11;
    f[i] = i * 37 % 101 * 0.5f;
  }
  for (int i = 0; i < 64; i++)
    dist[i] = i == 9 ? 0 : 5000;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 4096);
  cudaMemset(y, 0, 4096);
  cudaMalloc(&z, 4096);
  cudaMemset(z, 0, 4096);
  cudaMalloc(&fx, sizeof f);
  cudaMalloc(&fy, sizeof f);
  cudaMalloc(&out, sizeof o);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(fx, f, sizeof f, cudaMemcpyHostToDevice);
  scan<64><<<1, 64>>>(x, y);
  show("scan", y, 64);
  packed<<<1, 32>>>(fx, (unsigned *)y);
  show("packed", y, 32);
  globals<<<2, 48>>>(fx, 250);
  report<<<1, 32>>>(out);
  cudaMemcpy(o, out, sizeof o, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", o[0], o[1], o[2]);
  tile_sum<<<1, dim3(4, 4)>>>(fx, fx, fy, 24);
  showf("tile_sum", fy, 64);
  cudaMemcpy(y, dist, sizeof dist, cudaMemcpyHostToDevice);
  relax<<<1, 24>>>(y, x, 64, z);
  show("relax", y, 64);
  volume<<<dim3(2, 3, 4), dim3(5, 3)>>>(y, 9, 7, 3);
  show("volume", y, 189);
  float low;
  cudaMemcpyFromSymbol(&low, lowest, sizeof low);
  printf("%g\n", low);
}
