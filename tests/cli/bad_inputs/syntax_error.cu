#include <cuda_runtime.h>

__global__ void scale(float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = a * x[i]
}

int main()
{
    scale<<<1, 32>>>(nullptr, 2.0f, 0);
    return undeclared;
}
