// Variables that hide others of the same name; values that change through a reference.
// g2o-verify: hidden_names<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: by_reference<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void hidden_names(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = 0.5;
    {
        double own = x[(i + 1) % n] * cos(v) - v;
        double v = own * 0.7;
        w = v * own;
    }
    for (int j = 0; j < 3; ++j) {
        double own = sin(w * v);
        if (own > 0.1) {
            double w = own * v, v = w * own;
            own = v * w * own;
        }
        w = own * v + 0.3;
    }
    y[i] += v * w;
}

__global__ void by_reference(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    if (v < 0.41) {
        double r = sin(v) / (2.0 + v * v);
        double q = r * r;
        if (v > -0.5) {
            double &f = r;
            f = exp(-r * q);
        }
        y[i] = cos(v * r) + q / r;
    }
}
