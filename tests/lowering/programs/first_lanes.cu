// What the first lane of a warp does with numbers that all lanes share, beside what all of them do
#include <cstdio>
#include <cuda_runtime.h>

#define K 40

__global__ void update(int rows, const int *first, const float *rating, float *user, float *errors) {
  const int lane = threadIdx.x & 31;
  for (int row = (64 * blockIdx.x + threadIdx.x) / 32; row < rows; row += 2 * gridDim.x) {
    const int begin = first[row], end = first[row + 1];
    for (int offset = begin; offset < end; offset++) {
      float p[K / 32 + 1];
      float estimate = 0;
      for (int i = 0; i < K; i += 32) {
        int j = i / 32;
        p[j] = user[row * 64 + lane + i];
        estimate += p[j];
      }
      estimate += __shfl_down_sync(0xffffffff, estimate, 16);
      estimate += __shfl_down_sync(0xffffffff, estimate, 8);
      estimate = __shfl_sync(0xffffffff, estimate, 0);
      float delta = rating[offset] - estimate;
      if (lane == 0)
        errors[row] += delta * delta;
      for (int i = 0; i < K; i += 32) {
        int j = i / 32;
        user[row * 64 + lane + i] = p[j] + 0.01f * delta;
      }
    }
  }
}

int main() {
  const int rows = 7;
  int *first;
  float *rating, *user, *errors;
  cudaMallocManaged(&first, (rows + 1) * sizeof(int));
  cudaMallocManaged(&rating, 3 * rows * sizeof(float));
  cudaMallocManaged(&user, 64 * rows * sizeof(float));
  cudaMallocManaged(&errors, rows * sizeof(float));
  for (int i = 0; i <= rows; ++i)
    first[i] = i * 3 - (i % 3 == 1);
  for (int i = 0; i < 3 * rows; ++i)
    rating[i] = i % 5;
  for (int i = 0; i < 64 * rows; ++i)
    user[i] = 0.01f * (i % 9);
  for (int i = 0; i < rows; ++i)
    errors[i] = 0;
  update<<<2, 64>>>(rows, first, rating, user, errors);
  cudaDeviceSynchronize();
  for (int i = 0; i < rows; ++i)
    std::printf("%.4f %.4f %.4f\n", errors[i], user[64 * i + 3], user[64 * i + 35]);
}
