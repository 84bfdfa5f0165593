// min, max and fabs at ties and kinks: one subgradient is taken, the same in both modes, and it lies
// between the slopes of both sides.
// g2o-verify: ties<<<2, 32>>>(n = 60, x = [n : int(i % 4) - 1.0], y = [n : int(i % 3) - 1.0],
//     z = [5 * n])
__global__ void ties(const double *x, const double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    z[i] = fmax(x[i], y[i]);
    z[n + i] = fmin(x[i], y[i]);
    z[2 * n + i] = 3.0 * fabs(y[i]);
    z[3 * n + i] = max(x[i], 1.0);
    z[4 * n + i] = 2.0 * min(0.0, y[i]);
}
