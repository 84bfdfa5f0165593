// Lanes that are not active load nothing, and large private arrays are not on the stack.
#include <cstdio>
#include <cuda_runtime.h>

struct Pair {
  int a, b;
};

template <class T>
__global__ void rows(const T *x, const Pair *pairs, const int *start, T *y, int count) {
  __shared__ T s[64];
  int lane = threadIdx.x;
  s[lane] = 0;
  if (lane < count) {
    int begin = start[lane];
    T own = x[begin];
    Pair pair = pairs[begin];
    Pair copy(pairs[begin + 1]);
    Pair both = {pair.a, copy.b};
    s[lane] = own;
    __syncwarp();
    T next = x[begin + 1] + s[(lane + 1) % count];
    y[lane] = next + both.a * both.b;
  }
}

// 256 threads with 4 KiB each.
__global__ void __launch_bounds__(256) steps(const int *x, int *y) {
  int path[1024];
  __shared__ int s[16][16];
  int t = threadIdx.y * 16 + threadIdx.x;
  for (int k = 0; k < 1024; ++k)
    path[k] = x[(t + k) % 256];
  s[threadIdx.y][threadIdx.x] = path[t];
  __syncthreads();
  y[t] = s[threadIdx.x][threadIdx.y] + path[s[threadIdx.x][threadIdx.y] % 1024];
}

int main() {
  const int n = 256;
  int h[n], first[32], out[n], *x, *y, *start;
  Pair p[n], *pairs;
  for (int i = 0; i < n; ++i) {
    h[i] = i * 7 % 31;
    p[i] = {i, 2 * i};
  }
  for (int i = 0; i < 32; ++i)
    first[i] = i < 11 ? 3 * i : 1 << 29;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&start, sizeof first);
  cudaMalloc(&pairs, sizeof p);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(pairs, p, sizeof p, cudaMemcpyHostToDevice);
  cudaMemcpy(start, first, sizeof first, cudaMemcpyHostToDevice);
  rows<<<1, 32>>>(x, pairs, start, y, 11);
  cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 12; ++i)
    printf("%d ", out[i]);
  printf("\n");
  steps<<<1, dim3(16, 16)>>>(x, y);
  cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 9)
    printf("%d ", out[i]);
  printf("\n");
}
