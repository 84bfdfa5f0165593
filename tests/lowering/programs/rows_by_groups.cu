// Two lanes fetch the ends of a row for the group of lanes that works on it, in step: groups whose
// width is an argument of the template, and rows that are marked by all lanes of their warp
#include <cstdio>
#include <cuda_runtime.h>

template <int GROUPS, int WIDTH>
__global__ void by_groups(int rows, const int *first, const float *x, float *y) {
  __shared__ int ends[GROUPS][2];
  const int lane = threadIdx.x & (WIDTH - 1);
  const int group = threadIdx.x / WIDTH;
  for (int row = blockIdx.x * GROUPS + group; row < rows; row += gridDim.x * GROUPS) {
    if (lane < 2)
      ends[group][lane] = first[row + lane];
    const int begin = ends[group][0], end = ends[group][1];
    for (int i = begin + lane; i < end; i += WIDTH)
      y[i] = x[i] * (row + 1);
  }
}

__global__ void marked(int rows, const int *first, const bool *wanted, bool *done, int *hits) {
  __shared__ int ends[8][2];
  const int thread = blockDim.x * blockIdx.x + threadIdx.x;
  const int lane = threadIdx.x & 31, here = threadIdx.x / 32;
  for (int row = thread / 32; row < rows; row += gridDim.x * blockDim.x / 32) {
    if (wanted[row] && !done[row]) {
      done[row] = true;
      if (lane < 2)
        ends[here][lane] = first[row + lane];
      const int begin = ends[here][0], end = ends[here][1];
      for (int i = begin + lane; i < end; i += 32)
        hits[i] += row + 1;
    }
  }
}

int main(int argc, char **) {
  const int rows = 13, n = 13 * 21;
  int *first, *hits;
  float *x, *y;
  bool *wanted, *done;
  cudaMallocManaged(&first, (rows + 1) * sizeof(int));
  cudaMallocManaged(&hits, n * sizeof(int));
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&wanted, rows);
  cudaMallocManaged(&done, rows);
  for (int i = 0; i <= rows; ++i)
    first[i] = i * 21;
  for (int i = 0; i < n; ++i)
    x[i] = i % 17, hits[i] = 0;
  for (int i = 0; i < rows; ++i)
    wanted[i] = i % 3 != 1, done[i] = i % 5 == 4;
  for (int width = 4; width <= 16; width *= 2) {
    for (int i = 0; i < n; ++i)
      y[i] = 0;
    if (width == 4)
      by_groups<16, 4><<<1, 64>>>(rows, first, x, y);
    else if (width == 8)
      by_groups<8, 8><<<2, 64>>>(rows, first, x, y);
    else
      by_groups<4, 16><<<1, 64>>>(rows, first, x, y);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += y[i] * (i % 7 + 1);
    std::printf("%d: %g\n", width, sum);
  }
  marked<<<argc, 127 + argc>>>(rows, first, wanted, done, hits);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 10)
    std::printf("%d ", hits[i]);
  std::printf("\n");
}
