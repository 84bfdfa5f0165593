// Warps that wait for each other at different barriers: the first of each meet, the second, ...
#include <cstdio>

__global__ void both(float *y, const float *x) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 32) {
    float v = x[t];
    const int other = t + 32;
    s[t] = v;
    __syncthreads();
    y[t] = s[other] + v;
  } else {
    float v = x[t] * 2;
    s[t] = v;
    __syncthreads();
    y[t] = s[t - 32] * v;
  }
}

__device__ void fill_or_add(float *y, const float *x, float *s, int n) {
  if (threadIdx.x < 32) {
    for (int i = threadIdx.x; i < n; i += 32)
      s[i] = x[i];
    __syncthreads();
    return;
  }
  const int lane = threadIdx.x - 32;
  float *own = y + lane;
  *own = 1;
  __syncthreads();
  float sum = s[lane] + s[lane + 32];
  s[lane + 32] = sum;
  __syncthreads();
  *own += s[63 - lane] * 3;
}

__global__ void fewer(float *y, const float *x, int n) {
  __shared__ float s[64];
  fill_or_add(y, x, s, n);
}

__global__ void in_a_loop(float *y, const float *x) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (t >= 32) {
      s[t] = x[t] + k;
      __syncthreads();
      sum += s[t - 32];
      __syncthreads();
    } else {
      s[t] = x[t] - k;
      __syncthreads();
      sum -= s[t + 32];
      __syncthreads();
    }
  }
  y[t] += sum;
}

// Threads behind the end wait nowhere, and do what follows all the same.
__global__ void mirrored(float *y, const float *x, int n) {
  __shared__ float s[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 7;
  if (i < n) {
    const int last = min(n - int(blockIdx.x * blockDim.x), 32) - 1;
    s[threadIdx.x] = x[i];
    __syncthreads();
    v = s[last - threadIdx.x];
  }
  y[i] = v;
}

int main() {
  float *x, *y;
  cudaMallocManaged(&x, 64 * sizeof(float));
  cudaMallocManaged(&y, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i) {
    x[i] = (i * 7) % 13;
    y[i] = i;
  }
  for (int kernel = 0; kernel < 4; ++kernel) {
    if (kernel == 0)
      both<<<1, 64>>>(y, x);
    else if (kernel == 1)
      fewer<<<1, 64>>>(y, x, 64);
    else if (kernel == 2)
      in_a_loop<<<1, 64>>>(y, x);
    else
      mirrored<<<2, 32>>>(y, x, 50);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
      printf("%g%c", y[i], i == 63 ? '\n' : ' ');
  }
}
