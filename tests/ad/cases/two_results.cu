// Functions of the math library that leave a second result behind a pointer.
// g2o-verify: mantissa<<<2, 8>>>(n = 14, x = [n : 0.3 .. 5.0], y = [n])
// g2o-verify: mantissas<<<2, 8>>>(n = 14, x = [n : 0.3 .. 5.0], y = [n])
// g2o-verify: parts<<<2, 8>>>(n = 14, x = [n : 0.3 .. 5.0], y = [n])
// g2o-verify: whole_again<<<2, 8>>>(n = 14, x = [n : 0.3 .. 5.0], y = [n])
// g2o-verify: rest<<<2, 8>>>(n = 14, x = [n : 0.3 .. 5.0], z = [n : 0.5 .. 0.9], y = [n])
// g2o-verify: through_pointers<<<2, 8>>>(n = 14, x = [n * 2 : 0.3 .. 5.0], y = [n], w = [n])

__global__ void mantissa(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int e;
    double m = frexp(x[i], &e);
    y[i] = m * m + 0.5 * e;
}

__global__ void mantissas(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], s = 0.0;
    for (int k = 0; k < 4; ++k) {
        int e;
        v = frexp(v * 3.0, &e) * v;
        s += ldexp(v, e);
    }
    y[i] = s;
}

__global__ void parts(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double whole;
    double part = modf(x[i], &whole);
    y[i] = part * part * (1.0 + whole);
}

__global__ void whole_again(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float whole = 2.0f;
    whole = whole * x[i];
    y[i] = sinf(whole);
    y[i] += modff(x[i] * whole, &whole) * whole;
}

__global__ void rest(const double *x, const double *z, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int q = 0;
    double r = remquo(x[i], z[i], &q);
    y[i] = r * r + (q & 1 ? x[i] : 0.0);
}

__device__ double part_of(double v, double *whole)
{
    return modf(v, whole);
}

__global__ void through_pointers(const double *x, double *y, double *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = part_of(x[2 * i] * x[2 * i + 1], &w[i]) * x[2 * i];
    int e = 0;
    double s = 0.0;
    if (i < n && i > 2)
        s = x[i] * (frexp(x[i], &e) > 0.6 ? 1.0 : 2.0);
    if (i < n)
        modf(x[i], &w[i]);
    if (i < n)
        y[i] += s;
}
