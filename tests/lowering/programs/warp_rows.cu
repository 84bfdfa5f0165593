// A warp for every row: rows as they come, in strides, with sums in the first lane or in all lanes,
// and rows of one warp that depend on each other
#include <cstdio>
#include <cuda_runtime.h>

__global__ void one_each(int rows, const int *first, const int *value, int *y) {
  const int lane = threadIdx.x & 31;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; // of the whole grid
  if (row < rows) {
    int sum = 0;
    for (int i = first[row] + lane; i < first[row + 1]; i += 32)
      sum += value[i];
    for (int k = 16; k > 0; k /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, k);
    if (lane == 0)
      y[row] = sum;
  }
}

__global__ void in_strides(int rows, const int *first, const int *value, const int *x, int *y) {
  int lane = threadIdx.x % 32;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int warps = gridDim.x * blockDim.x / 32;
  // every row once
  for (int row = warp; row < rows; row += warps) {
    const int begin = first[row], end = first[row + 1];
    int sum = 0;
    for (int i = begin + lane; i < end; i += 32)
      sum += value[i] * x[i % rows];
    for (int k = 16; k > 0; k /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, k);
    for (int i = begin + lane; i < end; i += 32)
      y[i] = value[i] + sum;
  }
}

__global__ void one_behind_the_other(int rows, int *y) {
  int lane = threadIdx.x & 31;
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    int before = row >= gridDim.x * 2 ? y[(row - gridDim.x * 2) * 32 + lane] : 0;
    int sum = before + lane;
    sum += __shfl_xor_sync(0xffffffff, sum, 4);
    y[row * 32 + lane] += sum;
  }
}

__global__ void carried(int rows, const int *value, int *y) {
  int lane = threadIdx.x & 31;
  int sum = 0;
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    sum += value[row * 7 + lane % 7];
    sum += __shfl_xor_sync(0xffffffff, sum, 1);
    y[row * 32 + lane] = sum % 1009;
  }
}

__global__ void stored_by_groups(int rows, const int *value, int *last) {
  __shared__ int latest[2];
  int lane = threadIdx.x & 31, here = threadIdx.x / 32;
  if (lane == 0)
    latest[here] = -1;
  __syncwarp();
  for (int row = blockIdx.x * 2 + here; row < rows; row += gridDim.x * 2) {
    int found = __any_sync(0xffffffff, value[row * 7 + lane % 7] == 3);
    if (lane == 0 && found)
      latest[here] = row;
    __syncwarp();
  }
  if (lane == 0)
    last[blockIdx.x * 2 + here] = latest[here];
}

int main() {
  const int rows = 37, n = rows * 45;
  int *first, *value, *x, *y;
  cudaMallocManaged(&first, (rows + 1) * sizeof(int));
  cudaMallocManaged(&value, n * sizeof(int));
  cudaMallocManaged(&x, rows * sizeof(int));
  cudaMallocManaged(&y, n * sizeof(int));
  for (int i = 0; i <= rows; ++i)
    first[i] = i * 44 - i % 4;
  for (int i = 0; i < n; ++i)
    value[i] = i * 7 % 23 - 5;
  for (int i = 0; i < rows; ++i)
    x[i] = i % 5;
  const auto show = [&](const char *name) {
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < n; ++i)
      sum += long(y[i]) * (i % 13 + 1), y[i] = i % 3;
    std::printf("%s %ld\n", name, sum);
  };
  for (int i = 0; i < n; ++i)
    y[i] = i % 3;
  one_each<<<6, 256>>>(rows, first, value, y);
  show("one_each");
  one_each<<<2, 256>>>(rows, first, value, y);
  show("some");
  in_strides<<<3, 128>>>(rows, first, value, x, y);
  show("in_strides");
  one_behind_the_other<<<3, 64>>>(rows, y);
  show("one_behind_the_other");
  carried<<<4, 64>>>(rows, value, y);
  show("carried");
  stored_by_groups<<<5, 64>>>(rows, value, y);
  show("stored_by_groups");
}
