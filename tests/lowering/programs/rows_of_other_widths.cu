// Rows of a tile behind a subscript that keeps fewer bits than its value, or more.
#include <cstdio>
#define T 16
__global__ void narrow(float *out, const float *in, int w, int h) {
  __shared__ float s[T][T + 1];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  // The comment of the copy.
  if (x < w && y < h) {
    unsigned char c = x; // wraps at 256
    s[threadIdx.y][threadIdx.x] = in[c];
  }
  __syncthreads();
  // What goes back.
  if (x < w && y < h) out[y * w + x] = s[threadIdx.y][threadIdx.x ^ 1];
}
__global__ void wide(float *out, const float *in, int w, int h, int scale) {
  __shared__ float s[T][T + 1];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  if (x < w && y < h) {
    long row = y * 1000000 + 0 * scale;
    s[threadIdx.y][threadIdx.x] = in[(row * scale) % 1024 + x];
  }
  __syncthreads();
  if (x < w && y < h) out[y * w + x] = s[threadIdx.y][threadIdx.x ^ 1];
}
int main() {
  int w = 400, h = 40; float *i, *o; cudaMallocManaged(&i, 4 * 3000); cudaMallocManaged(&o, 4 * 16000);
  for (int j = 0; j < 3000; ++j) i[j] = j;
  narrow<<<dim3(25, 3), dim3(T, T)>>>(o, i, w, h); cudaDeviceSynchronize();
  double t = 0; for (int j = 0; j < 16000; ++j) t += o[j] * (j % 7); printf("%g\n", t);
  wide<<<dim3(25, 3), dim3(T, T)>>>(o, i, w, h, 3000); cudaDeviceSynchronize();
  t = 0; for (int j = 0; j < 16000; ++j) t += o[j] * (j % 7); printf("%g\n", t);
}
