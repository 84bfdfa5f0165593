// Calls that look alike but have other values: each has the name of its own value.
// g2o-verify: exponentials<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: branches<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void exponentials(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double a = exp(v);
    v = 2.0 * v;
    double b = exp(v);
    y[i] = a * a + b * b / (a + exp(exp(v) / b));
}

__global__ void branches(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    if (v > 0.3)
        y[i] = 3.0 * exp(v) * exp(v);
    else
        y[i] = 2.0 * exp(v) + v;
}
