// Lambdas of templates that change, or give back, what they capture: each instance alone.
// g2o-verify: changes<float><<<2, 16>>>(n = 32, a = 0.7, x = [n], y = [n])
template <typename T> __global__ void changes(const T *x, T *y, int n, T a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = x[i], w = T(0.4);
    w = cos(a - v);
    for (int j = 0; j < 2; ++j) {
        auto turn = [&](T u) {
            w = u * w + 0.2f * v;
            return a;
        };
        v += turn(T(0.7));
    }
    y[i] += v + 0.5f * v * w;
}
// g2o-verify: gives<double><<<2, 16>>>(n = 32, x = [n], y = [n])
template <typename T> __global__ void gives(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = x[i];
    for (int j = 0; j < 2; ++j) {
        auto scaled = [&](T u) { return u * v; };
        T r = scaled(T(0.7));
        auto is_small = [&](int q) { return q < 1 && v < 2; };
        if (is_small(j))
            y[i] += r * r;
    }
}

void start(const float *x, float *y, const double *u, double *v, int n)
{
    changes<float><<<2, 16>>>(x, y, n, 0.7f);
    gives<double><<<2, 16>>>(u, v, n);
}
