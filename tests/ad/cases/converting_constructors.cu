// A constructor that converts a number is not in the text, where an object is asked for.
// g2o-verify: converted<<<1, 8>>>(x = [10], y = [8])
struct Dual {
    double v, d;
    __device__ Dual(double a) : v(a), d(0) {}
    __device__ Dual(double a, double b) : v(a), d(b) {}
};
__device__ inline Dual operator*(const Dual &a, const Dual &b) {
    return Dual(a.v * b.v, a.v * b.d + a.d * b.v);
}
__device__ inline Dual operator+(const Dual &a, const Dual &b) { return {a.v + b.v, a.d + b.d}; }
struct Base {
    double q;
    __device__ Base(double z = 1) : q(z) {}
};
struct Der : Base {
    double r;
    __device__ Der(double z) : Base(z * z), r(z) {}
};
__device__ double use(Base b) { return b.q * 3; }
__device__ Dual half_of(double a) { return 0.5 * a; }
__global__ void converted(const double *x, double *y) {
    const int i = threadIdx.x;
    Dual a(x[i], 1), c = x[i + 1];
    Dual b = 2.0 * a * a + 1.5;
    b = b * x[i];
    Der d = x[i];
    Base g = x[i + 1];
    Base e = g, f;
    f = e;
    y[i] = b.v + b.d * c.v + half_of(x[i]).v + e.q * f.q * g.q + d.q * d.r + use(g);
}
