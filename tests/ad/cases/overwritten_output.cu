// Locations written twice, and one read between the writes: only the last seed counts.
// g2o-verify: overwritten_output<<<2, 32>>>(n = 60, x = [n], y = [n], z = [n])
__global__ void overwritten_output(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * x[i];
        z[i] = 3.0 * y[i];
        y[i] = exp(x[i]);
        z[i] += y[i] * y[i];
    }
}
