// Functions of namespaces, whose names mean nothing where a kernel outside of them calls them.
// g2o-verify: of_namespace<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: of_a_template<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: with_a_barrier<<<2, 16>>>(x = [32], y = [32])
// g2o-verify: flow::inside<<<2, 32>>>(x = [n], y = [n], n = 50)

namespace flow {
namespace detail {
struct Pair {
    double a, b;
};
constexpr double half = 0.5;
enum Kind { Soft, Hard };
using real = double;
__device__ Pair mixed(Pair p, Kind kind)
{
    Pair r;
    real scale = half;
    if (kind == Hard)
        scale *= half;
    r.a = p.a * scale + p.b;
    r.b = p.a * p.b;
    return r;
}
} // namespace detail
using detail::Pair;
template <class S> struct Mixer {
    __device__ S operator()(S s) const
    {
        S r = detail::mixed(s, detail::Hard);
        Pair q = r;
        q.a *= r.b;
        return q;
    }
};
template <class T> struct Line {
    T c[2];
    __device__ T at(T a) const { return c[0] + c[1] * a; }
};
template <class T> __device__ T bent(T a)
{
    Line<T> l;
    l.c[0] = a * T(detail::half);
    l.c[1] = a * a;
    Pair p = detail::mixed(Pair{l.at(a), a}, detail::Soft);
    return p.a * p.b;
}
const int width = 16;
__device__ double turned(double v)
{
    __shared__ double s[width];
    s[threadIdx.x] = v;
    __syncthreads();
    double r = s[(threadIdx.x + 1) % width] * detail::half;
    __syncthreads();
    return r;
}
__global__ void inside(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pair p = detail::mixed(Pair{x[i], 0.3}, detail::Soft);
        y[i] = p.a * p.b;
    }
}
} // namespace flow

__global__ void of_namespace(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    flow::Pair p{x[i], 0.7};
    flow::Mixer<flow::Pair> mix;
    for (int k = 0; k < m; ++k) {
        p = mix(p);
        p.a = cos(p.a);
    }
    y[i] = p.a * p.b;
}

__global__ void of_a_template(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int k = 0; k < m; ++k)
        v = sin(flow::bent(v));
    y[i] = v;
}

__global__ void with_a_barrier(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = flow::turned(x[i] * x[i]);
    y[i] = v * flow::turned(v);
}
