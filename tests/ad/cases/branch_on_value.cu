// Branches that depend on active values; nested, and one without an else.
// g2o-verify: branch_on_value<<<2, 32>>>(n = 60, x = [n : -1 .. 1], y = [n])
__global__ void branch_on_value(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    if (v > 0.0) {
        v = v * v;
        if (v > 0.25)
            v = sqrt(v) * 3.0;
    } else {
        v = -v * v * v;
    }
    if (v < 0.1)
        v += 2.0 * x[i];
    y[i] = v * v;
}
