// min, max, clamp, fabs, floor, copysign and fmod away from their kinks.
// g2o-verify: clamped<<<2, 32>>>(n = 60, x = [n : -2 .. 2], y = [n : 0.3 .. 0.9], z = [n])
// g2o-verify: between<double><<<2, 32>>>(n = 60, x = [n : -2 .. 2], lo = -0.6, hi = 0.9, z = [n])
#include <algorithm>

__global__ void clamped(const double *x, const double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double inside = fmin(fmax(x[i], -y[i]), y[i]);
    double part = x[i] - floor(x[i]);
    z[i] = inside * part + copysign(y[i] * y[i], x[i]) + fmod(fabs(x[i]), y[i]);
}

template <typename T> __global__ void between(const T *x, T lo, T hi, T *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = std::clamp(x[i] * x[i] * x[i], lo, hi) * std::max(x[i], std::min(lo, T(2)));
}
