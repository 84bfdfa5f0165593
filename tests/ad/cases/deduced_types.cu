// Variables of templates that are declared `auto`.
// g2o-verify: deduced<double><<<2, 32>>>(x = [n + 1], y = [n], n = 50, m = 3)
// g2o-verify: deduced<float><<<2, 32>>>(x = [n + 1], y = [n], n = 50, m = 3)
// g2o-verify: deduced_class<double><<<2, 32>>>(x = [n], y = [n], n = 50)

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

// What is a class in the instance has the shadows of one there.
template <class T> struct Two {
    T a, b;
};

template <class T> __device__ Two<T> two_of(T v) { return {v * v, v + T(1)}; }

template <class T> __global__ void deduced_class(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto q = two_of(x[i]);
    q.a = q.a * q.b;
    auto r = q;
    r.b = r.b * q.a;
    auto v = r.b;
    v = v * v;
    y[i] = q.a + v;
}

void start(const double *x, double *y, int n) { deduced_class<double><<<2, 32>>>(x, y, n); }
