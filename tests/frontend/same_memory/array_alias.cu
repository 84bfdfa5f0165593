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
    cudaMalloc(&d[0], 4);
    cudaMalloc(&d[1], 4);
    float **e = d;
    e[1] = e[0];
    k<<<1, 32>>>(d[0], d[1], 4);
    return 0;
}
