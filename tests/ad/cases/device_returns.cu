// A device function with several returns, called from another one and within expressions.
// g2o-verify: device_returns<<<2, 32>>>(n = 60, x = [n : -2 .. 2], y = [n])
// g2o-verify: given_back<<<2, 32>>>(n = 60, x = [n : -2 .. 2], y = [n])
__device__ double smooth_step(double x)
{
    if (x <= -1.0)
        return 0.1 * x;
    if (x >= 1.0)
        return 1.0;
    return 0.25 * (2.0 + 3.0 * x - x * x * x);
}

__device__ double bump(double x, double width) { return smooth_step(x / width) * smooth_step(-x); }

__global__ void device_returns(const double *x, double *y, int n, double width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * bump(x[i], width) + bump(smooth_step(x[i]), 2.0);
}

// What comes back may be what went in.
__device__ double log_of_sum(double a, double b)
{
    if (a < -1.0)
        return b;
    if (b < -1.0)
        return a;
    return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

__global__ void given_back(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    v = log_of_sum(v, x[(i + 1) % n]);
    v = log_of_sum(x[(i + 2) % n], v);
    y[i] = v;
}
