// Lambdas whose own variables have the names of others around them, and lambdas of any types.
// g2o-verify: own_names<<<1, 32>>>(x = [n], y = [n], n = 32)
// g2o-verify: of_any_types<<<1, 32>>>(x = [n + m], y = [n], n = 32, m = 3)

__global__ void own_names(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = 2;
    auto f = [&v](double w) {
        double v2 = v;
        v2 = v2 * w;
        {
            double v = w;
            v2 = v2 + v;
        }
        return v2;
    };
    v = v * v;
    double v2 = f(v);
    w = w * v2;
    y[i] = f(w) + v;
}

__global__ void of_any_types(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.1;
    auto next = [](double a) {
        a = a * a;
        return a + 1;
    };
    auto squared = [](auto a) { return a * a; };
    auto product = [](auto a, auto b) -> double { return a * b; };
    auto polynomial = [=](auto a) {
        auto b = a * x[i];
        b = b * b;
        return b + a;
    };
    for (int j = 0; j < m; ++j) {
        s = s + next(x[i + j]);
        s = s + squared(x[i + j]);
        s = s + product(x[i], s);
        auto q = next(s) * 0.1f;
        auto r = squared(q);
        r = r * q + polynomial(q);
        s = sin(s + q) + 0.01 * r;
    }
    y[i] = s;
}
