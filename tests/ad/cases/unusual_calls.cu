// Operators whose names hold a `|`, parameters without a name, arguments that choose an overload.
// g2o-verify: chained<<<1, 8>>>(x = [8], y = [8])
// g2o-verify: joined<<<1, 8>>>(x = [8], y = [8])
// g2o-verify: tagged<<<1, 8>>>(x = [10], y = [8])
struct V2 {
    double x, y;
    __device__ double operator|(const V2 &o) const { return x * o.x + y * o.y; }
};
__global__ void chained(const double *x, double *y) {
    const int i = threadIdx.x;
    V2 a = {x[i], 2}, c = {1, x[i]};
    double p, q;
    p = q = (a | c);
    y[i] = p * q;
}
__global__ void joined(const double *x, double *y) {
    const int i = threadIdx.x;
    V2 a = {x[i], 2}, c = {1, x[i]};
    double p = (a | c);
    p += 2 * (a | a);
    y[i] = p;
}

struct Fast {};
struct Slow {};
__device__ double f(double x, Fast) { return x * x; }
__device__ double f(double x, Slow, int = 3) { return x * x * x; }
template <class P> __device__ double g(double x, P p, int &, double) { return f(x, p); }
__device__ int bump(int &c) { return ++c; }
__device__ double h(double x, int) { return 2 * x; }
__global__ void tagged(const double *x, double *y) {
    const int i = threadIdx.x;
    int c = i;
    double s = h(x[i], bump(c));
    y[i] = g(x[i], Fast{}, c, x[i]) + g(x[i], Slow(), c, s) * s + c;
}
