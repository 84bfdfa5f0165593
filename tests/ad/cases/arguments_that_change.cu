// Arguments by value of variables that the function itself changes: by a lambda that refers to
// them, through pointers, through references.
__device__ double by_pointer(double *p, double u)
{
    *p = 0.5;
    return u * *p;
}

__device__ double by_reference(double &p, double u)
{
    p = 0.5 * p * p;
    return u + p;
}

// g2o-verify: changed<<<2, 8>>>(x = [16], y = [16], n = 13, a = 0.7)
__global__ void changed(const double *x, double *y, int n, double a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = 0.4 * x[i], z = 2.0 * x[i];
    double *q = &v;
    double &r = z;
    auto step = [&](double u) {
        w = 0.7 * w + 0.2 * sin(a * u);
        return u * cos(w);
    };
    auto through = [&](double u) {
        *q = 0.3 * u * u;
        return u + v;
    };
    double one = step(w), two = through(v);
    y[i] = one * two + by_pointer(q, v) * by_reference(r, z);
}
