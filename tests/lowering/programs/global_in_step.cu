// Lanes of one warp that exchange through global memory without a barrier: they are kept in step.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int exchanged[64];
__device__ int last;

// All write, then each reads what all have written.
__global__ void row_sums(const int *x, int *row, int *y, int n) {
  int j = threadIdx.x;
  row[blockIdx.x * n + j] = 2 * x[blockIdx.x * n + j];
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += row[blockIdx.x * n + k] * (k + 1);
  y[blockIdx.x * n + j] = sum - j;
}

// Through a pointer into a row; forwards and backwards in one loop.
__global__ void sweeps(int *data, int n, int rounds) {
  int *row = data + blockIdx.x * n;
  int t = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    int left = row[(t + 31) % 32];
    row[t] = 3 * left - row[t];
    if (t > 0)
      row[t] += row[t - 1];
  }
}

// In one statement; and from the highest lane to the lowest.
__global__ void shifted(int *data) {
  int t = threadIdx.x;
  data[t + 1] = data[t] + 1;
  data[31 - t] = 2 * data[t];
}

// Arrays and numbers of the device, by name and through a function.
__device__ int neighbour(const int *from, int t) { return from[(t + 1) % 32]; }

__global__ void by_name(const int *x, int *y) {
  int t = threadIdx.x;
  exchanged[t] = x[t];
  if (t == 5)
    last = exchanged[7];
  y[t] = neighbour(exchanged, t) + last;
}

// Rows of warps in a block of several: nobody looks at the rows of others.
__global__ void rows_of_warps(const int *x, int *work, int *y) {
  int lane = threadIdx.x, at = 32 * (blockIdx.x * blockDim.y + threadIdx.y);
  work[at + lane] = x[at + lane];
  for (int d = 16; d > 0; d /= 2) {
    int other = work[at + (lane ^ d)];
    work[at + lane] += (lane & d) ? -other : 2 * other;
  }
  y[at + lane] = work[at + 31 - lane];
}

// Some lanes only, after others have left; a template.
template <typename T> __global__ void some(T *data, T *y, int n) {
  int t = threadIdx.x;
  if (t >= n)
    return;
  data[t] = data[t] * 5 + t;
  if (t % 2 == 0)
    data[t + 32] = data[t + 1] + data[(t + 2) % n];
  y[t] = t % 2 == 0 ? data[t + 32] : data[t - 1];
}

// A block of less than a warp, whose barrier orders the rest.
__global__ void with_barrier(int *data, int *y) {
  __shared__ int s[16];
  int t = threadIdx.x;
  data[t] += 7;
  s[t] = data[15 - t];
  __syncthreads();
  data[t] = s[(t + 3) % 16];
  y[t] = data[(t + 8) % 16] + s[t];
}

// Both branches store to one place: that is one store, behind what either reads.
__global__ void moved(int *data) {
  int t = threadIdx.x;
  if (t == 0)
    data[t] = 9;
  else
    data[t] = data[t - 1];
  if (t < 31) {
    data[t] = data[t + 1] - data[t];
  } else {
    data[t] = -data[0];
  }
}

static void show(const char *name, const int *y, int n) {
  int h[128];
  cudaMemcpy(h, y, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (int i = 0; i < n; ++i)
    printf(" %d", h[i]);
  printf("\n");
}

int main() {
  int h[128], *x, *work, *y;
  for (int i = 0; i < 128; ++i)
    h[i] = i * 7 % 13 - 3;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&work, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(work, h, sizeof h, cudaMemcpyHostToDevice);
  row_sums<<<2, 32>>>(x, work, y, 32);
  show("row_sums", y, 64);
  cudaMemcpy(work, h, sizeof h, cudaMemcpyHostToDevice);
  sweeps<<<3, 32>>>(work, 32, 5);
  show("sweeps", work, 96);
  cudaMemcpy(work, h, sizeof h, cudaMemcpyHostToDevice);
  shifted<<<1, 32>>>(work);
  show("shifted", work, 33);
  by_name<<<1, 32>>>(x, y);
  show("by_name", y, 32);
  rows_of_warps<<<2, dim3(32, 2)>>>(x, work, y);
  show("rows_of_warps", y, 128);
  cudaMemcpy(work, h, sizeof h, cudaMemcpyHostToDevice);
  some<<<1, 32>>>(work, y, 20);
  show("some", y, 20);
  cudaMemcpy(work, h, sizeof h, cudaMemcpyHostToDevice);
  with_barrier<<<1, 16>>>(work, y);
  show("with_barrier", y, 16);
  cudaMemcpy(work, h, sizeof h, cudaMemcpyHostToDevice);
  moved<<<1, 32>>>(work);
  show("moved", work, 32);
  return 0;
}
