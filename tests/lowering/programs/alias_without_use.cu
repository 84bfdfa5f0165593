// What a function makes is not used: neither is the type that its template argument stands for.
#include <cstdio>
#include <cuda_runtime.h>

template <typename T> __device__ T warp_total(T value)
{
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(0xffffffffu, value, d);
    return value;
}

__global__ void forgotten(const unsigned long long *x, unsigned long long *y)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    unsigned long long total = warp_total(x[i]);
    if (blockIdx.x == 1)
        y[i] = x[i];
}

int main()
{
    unsigned long long *x, *y;
    cudaMallocManaged(&x, 128 * sizeof(*x));
    cudaMallocManaged(&y, 128 * sizeof(*y));
    for (int i = 0; i < 128; ++i) {
        x[i] = i * i;
        y[i] = 7;
    }
    forgotten<<<2, 64>>>(x, y);
    cudaDeviceSynchronize();
    printf("%llu %llu\n", y[63], y[64]);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
