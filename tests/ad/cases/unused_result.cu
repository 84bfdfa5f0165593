// A value that is computed but does not reach any result, and a result that does not depend on x.
// g2o-verify: unused<<<2, 16>>>(n = 30, x = [n], y = [n], z = [n])
__global__ void unused(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double lost = exp(x[i]);
    lost = 1.0;
    y[i] = lost * i;
    z[i] = x[i];
}
