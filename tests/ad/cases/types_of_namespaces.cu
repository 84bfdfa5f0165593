// Types by the names that they have in a namespace, where they mean something else outside of it.
// g2o-verify: tolerance = 1e-12
typedef float real;
static const double eps = 100;
__constant__ double coef[3] = {9, 9, 9};
struct vec { int x; };
namespace geo {
typedef double real;
struct vec { real x, y; };
struct View {
    real *d;
    int n;
};
__constant__ double coef[3] = {1, 2, 3};
static const double eps = 0.1;
__device__ inline real mix(real a, real b)
{
    real w = a * b * eps;
    w += a;
    for (int k = 0; k < 3; k++)
        w = w * a + coef[k];
    return w * w;
}
__device__ inline vec lerp(vec a, vec b, real t)
{
    vec o = a;
    o.x += t * (b.x - a.x);
    o.y += t * (b.y - a.y);
    return o;
}
template <typename S> struct Complex {
    S re, im;
    __device__ Complex operator*(const Complex &o) const
    {
        return {re * o.re - im * o.im, re * o.im + im * o.re};
    }
};
}
// g2o-verify: mixed<<<2, 8>>>(x = [16 : -1 .. 1], y = [16])
__global__ void mixed(const double *x, double *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = geo::mix(x[i], 0.3) * geo::mix(x[i], x[i]);
}
// g2o-verify: between<<<2, 8>>>(x = [16 : -1 .. 1], y = [16])
__global__ void between(const double *x, double *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto v = geo::lerp(geo::vec{x[i], 1}, {x[i] * x[i], 2}, x[i]);
    geo::Complex<double> b = {x[i], 1};
    b = b * b;
    y[i] = v.x * v.y * coef[0] + b.re * b.im * eps;
}
// g2o-verify: viewed<<<2, 8>>>(a.d = [16], a.n = 15, y = [16])
__global__ void viewed(geo::View a, double *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < a.n)
        y[i] = a.d[i] * a.d[i];
}
