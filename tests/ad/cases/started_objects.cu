// Objects that do not start with zeros: their shadows do.
struct Acc {
    double total, other;
    __device__ Acc() { total = 1.0; other = 2.0; }
};
struct Bare {
    double p, q;
    __device__ Bare() {}
};
// g2o-verify: accumulate<<<2, 16>>>(n = 30, x = [n], y = [n])
__global__ void accumulate(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Acc a;
    Bare b;
    b.p = x[i];
    b.q = x[i] * b.p;
    for (int j = 0; j < 3; ++j) {
        a.total += x[i] * x[(i + j) % n];
        a.other *= x[i];
        b.q += a.other;
    }
    y[i] = a.total * a.other * b.p * b.q;
}
struct Five {
    double a, b, c, d, e;
    __device__ Five() { a = b = c = d = e = 3.0; }
};
// g2o-verify: fives<<<2, 16>>>(n = 30, x = [n], y = [n])
__global__ void fives(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Five f;
    f.a = x[i];
    f.b *= x[i];
    f.c = f.b * x[i];
    f.d += f.a;
    Five g = f;
    g.e *= g.c;
    y[i] = g.a * g.b + g.c * g.d * g.e;
}
