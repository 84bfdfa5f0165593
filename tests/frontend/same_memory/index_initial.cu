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
    int i = 0, j = 1;
    for (int r = 0; r < 3; ++r) {
        k<<<1, 32>>>(d[i], d[j], 4);
        i = 1;
    }
    return 0;
}
