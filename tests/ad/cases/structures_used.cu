// Views that are copied, moved, handed on and named by other names; parts of structures as wholes.
// g2o-verify: copied<<<2, 8>>>(x.data = [40], y.data = [40], x.n = 16, y.n = 16)
// g2o-verify: advanced<<<2, 8>>>(x.data = [40], y.data = [40], x.n = 16, y.n = 16)
// g2o-verify: rates<<<2, 8>>>(s.x = [16], s.y = [16])
// g2o-verify: arrays<<<2, 8>>>(s.x = [16], s.y = [16])
// g2o-verify: vectors<<<2, 8>>>(v.at = [16], v.f = [16])
// g2o-verify: iterated<<<2, 8>>>(x.data = [16 * 4], x.n = 4, y = [16])
// g2o-verify: lambdas<<<2, 8>>>(x.data = [40], y.data = [40], x.n = 16, y.n = 16)
// g2o-verify: local_accessor<<<2, 8>>>(x.data = [40], y.data = [40], x.n = 4, y.n = 4)
// g2o-verify: summed<<<2, 8>>>(x.data = [40], x.n = 16, out = [1])
// g2o-verify: by_alias_of<double><<<2, 8>>>(x.data = [40], y.data = [40], x.n = 16, y.n = 16)
// g2o-verify: by_alias<<<2, 8>>>(x.data = [40], y.data = [40], x.n = 16, y.n = 16)

template <class T> struct Span {
    T *data;
    int n;
    __device__ T &operator()(int i) { return data[i]; }
    __device__ const T &operator()(int i) const { return data[i]; }
    __device__ T *begin() const { return data; }
    __device__ T *end() const { return data + n; }
    __device__ Span<T> from(int k) const { return {data + k, n - k}; }
    __device__ void advance(int k) { data += k; n -= k; }
};
using D = Span<double>;

__global__ void copied(D x, D y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    D v = x;
    v.data += 3;
    D w = y.from(2);
    if (i < v.n)
        w(i) = v(i) * x(i);
}

__global__ void advanced(D x, D y)
{
    int i = threadIdx.x;
    x.advance(blockIdx.x * 8);
    y.advance(blockIdx.x * 8);
    if (i < x.n)
        y(i) = x(i) * x(i) * x.n;
}

struct Rate { double a, b; };

struct WithRate { const double *x; double *y; Rate rate; };
__device__ double twice(Rate r) { return r.a * r.b; }

__global__ void rates(WithRate s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Rate r = s.rate;
    s.y[i] = s.x[i] * r.a + s.rate.b * twice(s.rate);
}

struct Coeffs { const double *x; double *y; double c[4]; };

__global__ void arrays(Coeffs s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s.c[0] *= 2.0;
    s.y[i] = s.c[0] * s.x[i] + s.c[i % 4];
}

struct Vectors { const float3 *at; float3 *f; float k; };

__global__ void vectors(Vectors v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 p = v.at[i];
    float r = p.x * p.x + p.y * p.y + p.z * p.z;
    v.f[i] = make_float3(v.k * p.x / r, v.k * p.y / r, v.k * p.z / r);
}

__global__ void iterated(const D x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = 0;
    for (const double *p = x.begin(); p != x.end(); ++p)
        s += *p * *p;
    y[i] = s * y[i];
}

__global__ void lambdas(D x, D y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto f = [&](int k) { return x(k) * y(k); };
    double v = f(i);
    y(i) = v + f(i);
}

__global__ void local_accessor(D x, D y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        const D a = x.from(i + k);
        D b = y.from(2 * i);
        b(k) = a(0) * a(1);
    }
}

__global__ void summed(const D x, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.n)
        atomicAdd(out, x(i) * x(i));
}

template <class V> struct Of { using View = Span<V>; };

template <class T> __global__ void by_alias_of(typename Of<T>::View x, typename Of<T>::View y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.n)
        y(i) = x(i) * x(i);
}
typedef const Span<double> C;

__global__ void by_alias(C x, Of<double>::View y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.n)
        y(i) = x(i) * x(i);
}
void go(D a) { by_alias_of<double><<<2, 8>>>(a, a); }

// Structures in the parameter by other names: references, addresses, those of a member function.
// g2o-verify: relaxed<<<1, 12>>>(all.state.u = [12], all.state.v = [12], all.state.n = 12, steps = 2)
struct State {
    double *u, *v;
    int n;
    __device__ double &at(int i) { return u[i < 0 ? i + n : i >= n ? i - n : i]; }
};
struct Everything {
    State state;
    double rate;
};
__device__ double energy(const State &state, int i) { return state.u[i] * state.v[i]; }
__global__ void relaxed(Everything all, int steps)
{
    int i = threadIdx.x;
    State &state = all.state;
    const State *same = &all.state;
    for (int step = 0; step < steps; ++step) {
        double slope = state.at(i - 1) - 2 * state.at(i) + state.at(i + 1);
        state.v[i] += all.rate * slope * same->u[i];
        __syncthreads();
        state.u[i] += all.rate * energy(all.state, i);
        __syncthreads();
    }
}
