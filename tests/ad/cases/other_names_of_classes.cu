// Classes under other names: those that only mean something inside of a class, the name that a class
// template has there, an alias of the class that a template is given.
// g2o-verify: aliases<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: own_name<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: converted<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)

struct Spring {
    using real = double;
    static constexpr int order = 3;
    static constexpr double stiff = 0.7;
    struct State {
        real q, p;
    };
    enum Kind { Soft, Hard };
    double k;
    Kind kind;
    __device__ State step(State s, real h) const
    {
        State r = s;
        real force = -k * stiff * s.q;
        for (int j = 0; j < order; ++j)
            force -= 0.1 * s.q * s.q;
        if (kind == Hard)
            force *= 1.5;
        r.p += h * force;
        r.q += h * r.p;
        return r;
    }
};

__global__ void aliases(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Spring spring;
    spring.k = x[i] * x[i];
    spring.kind = i % 2 ? Spring::Soft : Spring::Hard;
    Spring::State s = {x[i], 0.1};
    for (int k = 0; k < m; ++k) {
        s = spring.step(s, 0.1);
        s.p *= s.q;
    }
    y[i] = s.q * s.p;
}

template <class T> struct Poly {
    T c[2];
    using Self = Poly;
    typedef T value_type;
    __device__ T at(T a) const
    {
        Poly q = *this;
        q.c[0] *= a;
        value_type r = q.c[1] * a + q.c[0];
        return r * r;
    }
    __device__ Self scaled(T by) const
    {
        Self p;
        for (int k = 0; k < 2; ++k)
            p.c[k] = c[k] * by;
        return p;
    }
};

__global__ void own_name(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    Poly<double> p;
    p.c[0] = v;
    p.c[1] = v * v;
    for (int k = 0; k < m; ++k) {
        p = p.scaled(v);
        v = p.at(v);
        v = sin(v);
    }
    y[i] = v;
}

struct Pair {
    double a, b;
    Pair() = default;
    __host__ __device__ Pair(double v) : a(v), b(0.0) {}
    __host__ __device__ Pair(double v, double w) : a(v), b(w) {}
};
using Twosome = Pair;
__device__ Twosome mixed(Twosome p)
{
    Twosome r;
    r.a = p.a * 0.5 + p.b;
    r.b = p.a * p.b;
    return r;
}
// `S` is a class that a number can be turned into.
template <class S> struct Mixer {
    __device__ S operator()(S s) const
    {
        S r = mixed(s), q;
        q = r;
        return q;
    }
};

__global__ void converted(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p(x[i], 0.7);
    Mixer<Pair> mix;
    for (int k = 0; k < m; ++k) {
        p = mix(p);
        p.a = cos(p.a);
    }
    y[i] = p.a * p.b;
}
