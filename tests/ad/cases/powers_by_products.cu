// Products in which a factor comes several times: its power is differentiated at once.
// g2o-verify: in_doubles<<<2, 4>>>(n = 6, x = [n], y = [n], z = [n], m = 3)
// g2o-verify: in_floats<<<2, 4>>>(n = 6, x = [n], y = [n])
__global__ void in_doubles(const double *x, double *y, const double *z, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    y[i] = v * v * v + 0.5 * v * v + m * m * v * v * v * v + v * 0.1 * v + 2 * v * v - (0.3 * v) * v;
    y[i] += v * (v * z[i]) + (i / 2) * v * v + 1.0e-3 * v * v;
}
__global__ void in_floats(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 0.5f * x[i] * x[i] + x[i] * x[i] * x[i] - 0.3 * x[i] * x[i];
}
