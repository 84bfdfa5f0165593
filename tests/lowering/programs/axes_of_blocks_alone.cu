// Axes that only blocks, or only threads, are counted along are loops beside those over all threads.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale_rows(const float *x, float *y, int w, int h)
{
    int row = blockIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < w)
        y[row * w + col] = 2.0f * x[row * w + col];
}
__global__ void batch(const float *x, float *y, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h) return;
    const float *in = x + blockIdx.z * w * h;
    y[(blockIdx.z * h + j) * w + i] = in[j * w + i] + 1.0f;
}
__global__ void shift(const float *x, float *y, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = threadIdx.y;
    if (i < w)
        y[i * 4 + k] = x[k * w + i];
}

int main()
{
    const int w = 37, h = 5, n = 3 * 4 * w * h;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = float(i % 23) * 0.5f;
        y[i] = -1.0f;
    }
    scale_rows<<<dim3(2, h), 32>>>(x, y, w, h);
    cudaDeviceSynchronize();
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum = sum * 0.75 + y[i];
    printf("%.6f\n", sum);
    batch<<<dim3(3, 1, 3), dim3(16, 8)>>>(x, y, w, h);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        sum = sum * 0.75 + y[i];
    printf("%.6f\n", sum);
    shift<<<2, dim3(32, 4)>>>(x, y, w, h);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        sum = sum * 0.75 + y[i];
    printf("%.6f\n", sum);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
