#include <cstdio>
#define N 16
__global__ void twice(float *x, int n) {
  int i, last;
  __shared__ float s[N];
  int off = n;
  for (i = 0; i < 2; i++) { s[threadIdx.x] = x[off + threadIdx.x]; off += 0; }
  __syncthreads();
  for (i = 0; i < n; i++) {
    float v = s[(threadIdx.x + i) % N];
    __syncthreads();
    s[threadIdx.x] += v;
    if (i == 5) { __syncthreads(); continue; }
    __syncthreads();
  }
  last = i;
  __syncthreads();
  i = threadIdx.x;
  x[i] = s[i] + last;
  while (i-- > 0) x[threadIdx.x] += 1;
}
__global__ void head(int *out, int n) {
  int i = 0, k = 0;
  __shared__ int s[N];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 0;
  do { s[threadIdx.x] += i; __syncthreads(); out[threadIdx.x] += s[(threadIdx.x + 1) % N]; i++; out[threadIdx.x + N] = i; __syncthreads(); } while (++k < n);
  for (i = 0; i < n; i += 2) {
    out[threadIdx.x] += s[N - 1 - threadIdx.x]; out[N + threadIdx.x] += i++;
    if (i > 100) continue;
    __syncthreads();
    s[threadIdx.x] += i;
    __syncthreads();
  }
  out[threadIdx.x] += i;
}
int main() {
  float *x; int *y; float h[64]; int g[64];
  cudaMalloc(&x, 256); cudaMalloc(&y, 256);
  for (int i = 0; i < 64; ++i) h[i] = i, g[i] = 0;
  cudaMemcpy(x, h, 256, cudaMemcpyHostToDevice); cudaMemcpy(y, g, 256, cudaMemcpyHostToDevice);
  twice<<<1, N>>>(x, 7);
  head<<<1, N>>>(y, 9);
  cudaMemcpy(h, x, 256, cudaMemcpyDeviceToHost); cudaMemcpy(g, y, 256, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) printf("%g %d\n", h[i], g[i]);
}
