// min, max and fabs at ties and kinks: one subgradient is taken, the same in both modes.
// g2o-verify: ties<<<2, 32>>>(n = 60, x = [n : int(i % 4) - 1.0], y = [n : int(i % 3) - 1.0], z = [n])
__global__ void ties(const double *x, const double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = fmax(x[i], y[i]) + 2.0 * fmin(x[i], 0.0) + 3.0 * fabs(y[i]) + max(x[i], 1.0);
}
