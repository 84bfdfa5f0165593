// Indices of 64 bits are for more threads than 32 bits count.

#include <cstddef>

__global__ void guarded(signed char *x, long long n)
{
    const long long i = static_cast<long long>(blockDim.x) * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] = 1;
}

__global__ void named_by_none(signed char *x)
{
    x[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = 1;
}

__global__ void in_rows(signed char *x, long w, long h)
{
    const long column = (long)blockIdx.x * blockDim.x + threadIdx.x;
    const long row = (long)blockIdx.y * blockDim.y + threadIdx.y;
    if (column < w && row < h)
        x[row * w + column] = 2;
}

__global__ void taken_apart(signed char *x, const long long nx, const long long ny)
{
    const long long tid = static_cast<long long>(blockDim.x) * blockIdx.x + threadIdx.x;
    const int i = tid / ny;
    const int j = tid % ny;
    if (i >= nx)
        return;
    x[i * ny + j] = j;
}

// The sum has 32 bits all the same.
__global__ void wide_in_name(signed char *x, size_t n)
{
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 3;
}
