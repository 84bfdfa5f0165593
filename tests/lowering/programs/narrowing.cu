// Braces that narrow: nvcc warns of them in device code, C++ has casts.
#include <cstdio>

struct Pair {
  int a;
  float b;
};

__device__ int fixed(int i, double x) {
  int y[] = {0.0, 1.5f, 3};
  const unsigned char low[2] = {300, -1};
  Pair p = {x, 2 * x};
  return y[i] + low[i % 2] + p.a + int(p.b);
}

__global__ void k(int *x, const float *v, double scale) {
  int y[3] = {0.5, 1.5f, 3};
  unsigned z[2] = {-1, x[0]};
  int w[] = {v[0], v[1] * scale}, m[2][2] = {{1.0, 2}, {3, 4.0f}};
  float f[2] = {0.1, scale * 3};
  short s{70000};
  const Pair p = {2.5, scale};
  int half = x[1] / 2;
  const Pair whole = {half, half * 2};
  const uint2 sizes = {half * 2, half};
  __shared__ int t[4];
  t[threadIdx.x] = y[threadIdx.x] + fixed(threadIdx.x, scale);
  __syncthreads();
  x[threadIdx.x] = t[2 - threadIdx.x] + (z[0] == 0xffffffffu) + z[1] + w[1] + m[1][1] + f[1] + s +
                   p.a + int(p.b) + whole.a + int(whole.b) + sizes.x + sizes.y;
}

__global__ void positions(unsigned *x) {
  int t = threadIdx.x;
  uint2 p = {blockIdx.x * 16, blockIdx.x + threadIdx.x};
  const uint3 q{threadIdx.x, p.y, 4};
  unsigned both[2] = {threadIdx.x + 1, blockDim.x};
  atomicAdd(&x[t], p.x + p.y + q.x * q.y * q.z + both[blockIdx.x % 2]);
}

int main() {
  int *x;
  float *v;
  cudaMallocManaged(&x, 3 * sizeof(int));
  cudaMallocManaged(&v, 2 * sizeof(float));
  x[0] = x[1] = x[2] = v[0] = v[1] = 7;
  k<<<1, 3>>>(x, v, 2.25);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i)
    printf("%d\n", x[i]);
  unsigned *u;
  cudaMallocManaged(&u, 3 * sizeof(unsigned));
  u[0] = u[1] = u[2] = 1;
  positions<<<5, 3>>>(u);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i)
    printf("%u\n", u[i]);
}
