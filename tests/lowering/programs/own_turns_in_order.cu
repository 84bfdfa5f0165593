// Turns of one thread that meet for its number of threads only: nobody else would see them in
// another order than the one that it goes in.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void wide_rows(float *y, int n, int w)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
        int r = i / w, c = i % w;
        y[r * 8 + c] = y[r * 8 + c] * 2 + i;
    }
}

__global__ void given_distance(float *y, const float *x, int n, int ahead)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = y[i] * 0.5f + x[i];
        y[i + ahead] += 3.0f;
    }
}

__global__ void rows_of_warps(float *y, int n, int ahead)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int r = warp + blockIdx.x * 2; r < n; r += gridDim.x * 2)
        for (int k = 0; k < 2; ++k)
            y[(r + k * ahead) * 32 + lane] = y[(r + k * ahead) * 32 + lane] * 0.5f + r;
}

__global__ void moved_up(float *y, const float *x, int n)
{
    for (int i = n - blockDim.x + threadIdx.x; i >= 0; i -= blockDim.x)
        y[i] = x[i];
}

__global__ void moved_down(float *y, const float *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = x[i] + y[i];
}

int main()
{
    float *x, *y;
    cudaMallocManaged(&x, 4000 * sizeof(float));
    cudaMallocManaged(&y, 4000 * sizeof(float));
    for (int i = 0; i < 4000; ++i)
        x[i] = i % 17 * 0.25f, y[i] = i % 5;
    wide_rows<<<2, 4>>>(y, 960, 16);
    given_distance<<<4, 8>>>(y + 1000, x, 900, 32);
    rows_of_warps<<<2, 64>>>(y + 2000, 20, 4);
    moved_up<<<1, 8>>>(y + 3008, y + 3000, 160);
    moved_down<<<1, 8>>>(y + 3508, y + 3500, 160);
    moved_down<<<1, 8>>>(y + 3500, y + 3508, 160);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4000; i += 3)
        std::printf("%g%c", y[i], i % 20 == 19 ? '\n' : ' ');
}
