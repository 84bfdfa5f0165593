// Shared variables that hold what every thread can compute itself, and some that do not.
#include <cstdio>
#include <cuda_runtime.h>

#define THREADS 64

__global__ void scale_rows(const float *scales, const float *x, float *y, int n)
{
    __shared__ float scale;
    if (threadIdx.x == 0)
        scale = scales[blockIdx.x] / n;
    __syncthreads();
    y[blockIdx.x * THREADS + threadIdx.x] = scale * x[blockIdx.x * THREADS + threadIdx.x];
}

// The first thread takes something nobody else has.
__global__ void subtract_first(const float *x, float *y)
{
    __shared__ float first;
    float mine = x[blockIdx.x * THREADS + threadIdx.x];
    if (threadIdx.x == 0)
        first = mine;
    __syncthreads();
    y[blockIdx.x * THREADS + threadIdx.x] += mine - first;
}

// It is set anew in every round, and read in the next one.
__global__ void rounds(const float *x, float *y, int n)
{
    __shared__ float last;
    if (threadIdx.x == 0)
        last = 0;
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        y[blockIdx.x * THREADS + threadIdx.x] += last;
        __syncthreads();
        if (threadIdx.x == 0)
            last = x[k];
        __syncthreads();
    }
}

int main()
{
    const int blocks = 5, count = blocks * THREADS;
    float scales[blocks], x[count], y[count];
    for (int i = 0; i < blocks; ++i)
        scales[i] = 1.5f * i;
    for (int i = 0; i < count; ++i)
        x[i] = i % 7;
    float *d_scales, *d_x, *d_y;
    cudaMalloc(&d_scales, sizeof(scales));
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_scales, scales, sizeof(scales), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    scale_rows<<<blocks, THREADS>>>(d_scales, d_x, d_y, 4);
    subtract_first<<<blocks, THREADS>>>(d_x, d_y);
    rounds<<<blocks, THREADS>>>(d_x, d_y, 3);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i += 9)
        printf("%g\n", y[i]);
    cudaFree(d_scales);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
