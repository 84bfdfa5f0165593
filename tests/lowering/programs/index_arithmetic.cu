// Index arithmetic of kernels without barriers: signs, widths, guards and strides.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void backwards(const int *x, int *y, int n) {
  for (int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x)
    y[n - 1 - i] = x[i] + i;
}

__global__ void wide(const int *x, int *y, size_t n, long long shift) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long j = (long long)i - shift;
  if (j < 0)
    j += n;
  y[i] = x[j] * 2;
}

__global__ void unsigned_guard(const int *x, int *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i - 1 < n - 2)
    y[i] = x[i - 1] + x[i + 1];
  else if (i < n)
    y[i] = -1;
}

__global__ void frame(const int *x, int *y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h)
    return;
  if (i == 0 || j == 0 || i == w - 1 || j == h - 1) {
    y[j * w + i] = 0;
    return;
  }
  int s = 0;
  for (int dj = -1; dj <= 1; ++dj)
    for (int di = -1; di <= 1; ++di) {
      if (!di && !dj)
        continue;
      s += x[(j + dj) * w + i + di];
    }
  y[j * w + i] = s - 8 * x[j * w + i];
}

__global__ void steps(int *y, int n, int first, int step) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first + id * step; i < n; i += step * (int)(gridDim.x * blockDim.x)) {
    if (i % 3 == 1)
      continue;
    y[i] = i * id + 1;
  }
  for (unsigned k = id; k < 5u; k += 64)
    y[n + k] = k;
}

// Order of writes to the same place by one thread; a value that outlives its loop.
__global__ void last_one(const int *x, int *y, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x, last = -1, count = 0;
  for (int k = i; k < n; k += 7) {
    if (x[k] > 8)
      break;
    last = k;
    count += x[k] & 1 ? 2 : 1;
  }
  y[2 * i] = last;
  y[2 * i + 1] = count;
  while (count-- > 0 && last > 3)
    last -= 3;
  y[2 * i] += last * 100;
}

__global__ void shifts(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned u = x[i] * 0x9e3779b9u;
  int s = (int)u >> 7;
  u ^= u >> 15, u *= 0x85ebca6bu, u ^= u << 13;
  unsigned char c = u;
  c += 200;
  short h = (short)(s * 3);
  y[i] = (int)(u % 1000) + c + h + (-x[i]) % 4 + (s < 0 ? -s / 3 : s % 7) + (u > 0x80000000) +
         (int)(threadIdx.x - blockDim.x) / 2 + (int)((threadIdx.x - blockDim.x) / 2 & 15);
}

// Pairs of threads that touch the same element, with atomics that give values back.
__global__ void claims(const int *x, int *owner, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int won = atomicCAS(&owner[x[i]], -1, 1) == -1;
    atomicAdd(&y[0], won);
    if (won)
      atomicMax(&y[1], x[i]);
    atomicXor((unsigned *)&y[2], 1u << x[i]);
    y[3] = n;
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
  int h[256], *x, *y, *z;
  for (int i = 0; i < 256; ++i)
    h[i] = i * 5 % 11;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&z, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof h);
  cudaMemset(z, 255, sizeof h);
  backwards<<<2, 32>>>(x, y, 150);
  show("backwards", y, 150);
  wide<<<3, 48>>>(x, y, 130, 17);
  show("wide", y, 130);
  unsigned_guard<<<3, 48>>>(x, y, 140);
  show("unsigned_guard", y, 140);
  frame<<<dim3(2, 3), dim3(8, 6)>>>(x, y, 15, 16);
  show("frame", y, 240);
  cudaMemset(y, 0, sizeof h);
  steps<<<2, 5>>>(y, 120, 3, 2);
  show("steps", y, 125);
  last_one<<<2, 20>>>(x, y, 200);
  show("last_one", y, 80);
  shifts<<<3, 40>>>(x, y);
  show("shifts", y, 120);
  cudaMemset(y, 0, sizeof h);
  claims<<<2, 64>>>(x, z, y, 100);
  show("claims", y, 4);
}
