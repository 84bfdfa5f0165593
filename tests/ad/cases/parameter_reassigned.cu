// Parameters are assigned to: each thread changes its own copy.
// g2o-verify: reassigned<<<2, 8>>>(n = 14, x = [2 * n], y = [n], a = 1.3)
__global__ void reassigned(const double *x, double *y, double a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    a = a * x[i];
    x += n;
    y[i] = a * a * x[i];
    a = 2.0;
    y[i] += a;
}
