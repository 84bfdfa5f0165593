// Places in arrays of rows that are as long as they want to be: strips of rows, the last of which ends
// anywhere.
#include <cstdio>
#include <vector>
__global__ void by_channel(float *y, const float *x, const float *scale, const float *bias, size_t n,
                           size_t channels, size_t plane) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  size_t channel = i / plane % channels;
  float value = x[i] * scale[channel] + bias[channel];
  y[i] = value > 0.0f ? value : 0.0f;
}
__global__ void by_plane(float *y, const float *x, const float *sums, int n, int height, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / sums[i / (height * width)];
}
int main() {
  int sizes[][3] = {{3000, 4, 1500}, {10, 3, 7}, {5000, 1, 1}, {100, 5, 4000}, {2048, 2, 1024}};
  for (auto &s : sizes) {
    size_t n = s[0];
    std::vector<float> x(n), p(n + 8), y(n);
    for (size_t i = 0; i < n; ++i) x[i] = i % 17 - 5.f;
    for (size_t i = 0; i < p.size(); ++i) p[i] = 1.f + i % 3;
    float *dx, *dp, *dy;
    cudaMalloc(&dx, n * 4); cudaMalloc(&dp, p.size() * 4); cudaMalloc(&dy, n * 4);
    cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dp, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
    by_channel<<<(n + 63) / 64, 64>>>(dy, dx, dp, dp + 3, n, s[1], s[2]);
    cudaMemcpy(y.data(), dy, n * 4, cudaMemcpyDeviceToHost);
    double a = 0; for (size_t i = 0; i < n; ++i) a += y[i] * (i % 11);
    by_plane<<<(n + 63) / 64, 64>>>(dy, dx, dp, n, s[2], 1);
    cudaMemcpy(y.data(), dy, n * 4, cudaMemcpyDeviceToHost);
    double b = 0; for (size_t i = 0; i < n; ++i) b += y[i] * (i % 11);
    std::printf("%.3f %.3f\n", a, b);
  }
}
