// min, max, fabs, floor, copysign and fmod away from their kinks.
// g2o-verify: clamped<<<2, 32>>>(n = 60, x = [n : -2 .. 2], y = [n : 0.3 .. 0.9], z = [n])
__global__ void clamped(const double *x, const double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double inside = fmin(fmax(x[i], -y[i]), y[i]);
    double part = x[i] - floor(x[i]);
    z[i] = inside * part + copysign(y[i] * y[i], x[i]) + fmod(fabs(x[i]), y[i]);
}
