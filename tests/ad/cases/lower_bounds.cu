// Loops that begin below 0, and that have no iteration.
// g2o-verify: lower_bound<<<2, 16>>>(n = 30, lo = -3, x = [60], y = [60])
// g2o-verify: lower_bound<<<2, 16>>>(n = 30, lo = 7, x = [60], y = [60])
// g2o-verify: lower_bound<<<2, 16>>>(n = 3, lo = 7, x = [60], y = [60])
__global__ void lower_bound(const double *x, double *y, int n, int lo)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lo && i < n - 2)
        y[i + 10] = x[i + 8] * x[i + 12] + x[i + 10] * x[i + 10] + x[i + 8];
}
