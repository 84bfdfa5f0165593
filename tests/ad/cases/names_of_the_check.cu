// Parameters that are called as the check calls its own things; half precision beside doubles.
// g2o-verify: outer::inner::named<<<2, 32>>>(n = 60, block = 2, x = [60], y = [n * block])
// g2o-verify: halved<<<2, 32>>>(n = 60, x = [60], y = [60], h = [60])
// g2o-verify: uniform<<<2, 32>>>(n = 60, x = [60 : uniform(0.2, 0.8)], y = [60])
// g2o-verify: between<<<2, 32>>>(n = 60, x = [60 : uniform(0.2, 0.8)], y = [60 : 0.1 .. 0.9])
#include <cuda_fp16.h>

__global__ void uniform(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] *= x[i];
}

__global__ void between(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += x[i] * x[i];
}

namespace outer
{
namespace inner
{
__global__ void named(const double *x, double *y, int block, double grid, double settings,
                      double arguments, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * grid * settings + arguments * block;
}
} // namespace inner
} // namespace outer

__global__ void halved(const double *x, double *y, const __half *h, __half s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] * __half2float(h[i]) + __half2float(s);
}
