#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>
__global__ void k(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (i < n)
        y[i] = x[n - i];
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaMalloc(&c, 64);
    float *d[2];
    cudaMalloc(&d[0], 64);
    cudaMalloc(&d[1], 64);
    for (int i = 0; i < 2; ++i)
        k<<<1, 32>>>(d[i == 5], d[!i == 5], 4);
    return 0;
}
