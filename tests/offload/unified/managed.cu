// Variables that host and device share by their names.
#include <cstdio>

#include <cuda_runtime.h>

__managed__ int total = 5;
__device__ __managed__ float table[64];
__constant__ float factor;

__device__ int add(int x) { return atomicAdd(&total, x); }

__global__ void fill(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        table[i] += factor * i;
        add(i);
    }
}

int main()
{
    const float two = 2.0f;
    cudaMemcpyToSymbol(factor, &two, sizeof two);
    table[3] = 100.0f;
    fill<<<2, 32>>>(60);
    cudaDeviceSynchronize();
    printf("%d %g %g %g\n", total, table[3], table[59], table[63]);
    total = -1;
    fill<<<2, 32>>>(60);
    cudaDeviceSynchronize();
    printf("%d %g\n", total, table[3]);
    return 0;
}
