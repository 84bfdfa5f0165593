// A reference to one of two locations, which an active value chooses.
// g2o-verify: chosen<<<2, 8>>>(n = 14, x = [n : -1 .. 1], y = [n], z = [n])
__global__ void chosen(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double &target = x[i] > 0 ? y[i] : z[i];
    target *= x[i];
    target += target * target;
}

// The other location carries nothing that matters.
// g2o-verify: for_nothing<<<2, 8>>>(x = [n], y = [n], k = [n : 0 .. 3], a = 0.5, n = 16)
struct Pair {
    double x, y;
};
__global__ void for_nothing(const double *x, double *y, const int *k, double a, int n)
{
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    double v = x[i];
    Pair p = {a, 0.5};
    if (k[i] > 1) {
        double &f = t % 2 == 0 ? p.y : v;
        f = sin(0.7 * v);
    }
    y[i] = v * v;
}

// g2o-verify: constant_side<<<2, 8>>>(x = [n], y = [n], k = [n : 0 .. 3], n = 16)
__global__ void constant_side(const double *x, double *y, const int *k, int n)
{
    __shared__ double s[8], c[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    double v = x[i], w = 0.25;
    s[t] = v;
    c[t] = 0.5;
    double *p = k[i] > 1 ? &v : &w;
    double *q = k[i] > 2 ? s : c;
    double u = *p * q[t];
    *p = u;
    y[i] = v * u * s[t];
}
