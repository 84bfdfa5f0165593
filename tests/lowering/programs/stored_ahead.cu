// What a thread stores for its next iteration, as many elements on as there are threads, is in order.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void ahead(float *y, const float *x, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) {
        y[i] = x[i];
        y[i + stride] = 2 * x[i];
    }
}

__global__ void rows_ahead(float *y, const float *x, int n)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int r = warp + blockIdx.x * 2; r < n; r += gridDim.x * 2) {
        y[r * 32 + lane] *= x[r * 32 + lane];
        y[(r + gridDim.x * 2) * 32 + lane] += 3.0f;
    }
}

int main()
{
    float *x, *y;
    cudaMallocManaged(&x, 1200 * sizeof(float));
    cudaMallocManaged(&y, 1200 * sizeof(float));
    for (int i = 0; i < 1200; ++i)
        x[i] = i % 17 * 0.25f, y[i] = i % 5;
    ahead<<<2, 4>>>(y, x, 1000);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1010; ++i)
        std::printf("%g%c", y[i], i % 20 == 19 ? '\n' : ' ');
    rows_ahead<<<2, 64>>>(y, x, 31);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1120; ++i)
        std::printf("%g%c", y[i], i % 20 == 19 ? '\n' : ' ');
}
