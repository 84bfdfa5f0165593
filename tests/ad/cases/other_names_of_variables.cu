// Variables that change through references and pointers to one of several.
// g2o-verify: chosen_variable<<<2, 8>>>(n = 16, x = [16], y = [16])
// g2o-verify: chosen_by_pointer<<<2, 8>>>(n = 16, x = [16], y = [16])
// g2o-verify: chosen_record<<<2, 8>>>(n = 16, x = [16], y = [16])
// g2o-verify: hidden<<<2, 8>>>(n = 16, a = 0.7, x = [16], y = [16])
__global__ void chosen_variable(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = y[i];
    double &either = i % 2 ? v : w;
    either = v * w + either;
    y[i] += v * w;
}

__global__ void chosen_by_pointer(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = y[i];
    {
        double own = sin(w);
        double v = own * own;
        w = v * own;
    }
    double *either = i % 2 ? &v : &w;
    *either = v * w + *either;
    y[i] += v * w;
}

struct Pair {
    double a, b;
};

__global__ void chosen_record(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair s{x[i], y[i]}, u{0.5, x[i]};
    Pair &either = i % 2 ? s : u;
    either.a = s.a * u.b + either.b;
    either.b *= either.a;
    y[i] += s.a * s.b + u.a * u.b;
}

__global__ void hidden(int n, double a, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = y[i];
    y[i] *= sin(a * v);
    {
        double own = sin(y[i]);
        double v = own * own;
        w = v * own;
    }
    double &same = v;
    same = i % 3 != 2 ? 1.1 : exp(-(y[i] * y[i]));
    y[i] += v * w;
}
