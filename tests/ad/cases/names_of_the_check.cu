// Parameters that are called as the check calls its own things; half precision beside doubles.
// g2o-verify: outer::inner::named<<<2, 32>>>(n = 60, block = 2, x = [60], y = [n * block])
// g2o-verify: halved<<<2, 32>>>(n = 60, x = [60], y = [60], h = [60])
#include <cuda_fp16.h>

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
