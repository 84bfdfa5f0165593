// Variables of templates that are declared `auto`.
// g2o-verify: deduced<double><<<2, 32>>>(x = [n + 1], y = [n], n = 50, m = 3)
// g2o-verify: deduced<float><<<2, 32>>>(x = [n + 1], y = [n], n = 50, m = 3)

template <class T> __device__ T squared(T v) { return v * v; }

template <class T> __global__ void deduced(const T *x, T *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto sum = T(0);
    for (int j = 0; j < m; ++j) {
        const auto v = x[i];
        auto w = v * v + 2 * v;
        w = w * v;
        const auto b = squared(x[i]);
        auto c = v > T(0) ? cos(v) : -w;
        auto u = 0.5f * c;
        const auto *e = x + i;
        auto f = x + i;
        sum += w * b + u * e[0] * f[1];
    }
    auto &d = y[i];
    d = sum * 2;
}
