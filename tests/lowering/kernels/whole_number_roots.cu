// Functions of whole numbers have types that the C++ library spells by names of its own.
#include <cmath>

__global__ void scale(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] / std::sqrt(m) + x[i] * sin(n);
}
