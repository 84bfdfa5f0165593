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
    float *d[4];
    for (int i = 0; i < 4; ++i)
        cudaMalloc(&d[i], 64);
    int p = 1, q = 0;
    for (int r = 0; r < 2; ++r, q = r)
        k<<<1, 32>>>(d[p | q], d[p | q ^ 1], 4);
    return 0;
}
