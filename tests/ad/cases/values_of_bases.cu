// Objects whose bases, arrays and defaults have values, and constructors that hand all on to others.
// g2o-verify: k<<<2, 8>>>(x = [16], y = [16])
struct B { double a; __device__ B(double v) : a(v * v) {} };
struct D : B { double b; __device__ D(double v) : B(v + 1), b(v) {} __device__ double get() const { return a * b; } };
__global__ void k(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  D d(x[i]);
  y[i] = d.get() + d.a;
}
// g2o-verify: k2<<<2, 8>>>(x = [16], y = [16])
struct E { double p[2]; double q; __device__ E(double v) : p{v, v * v}, q(v) {} };
__global__ void k2(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  E e(x[i]);
  y[i] = e.p[0] * e.p[1] + e.q;
}
// g2o-verify: k3<<<2, 8>>>(x = [16], y = [16])
struct Dl { double x, y; __device__ Dl(double a, double b) : x(a), y(b) {} __device__ explicit Dl(double s) : Dl(s, s * s) {} };
__global__ void k3(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  Dl e(x[i]);
  y[i] = e.x * e.y;
}
struct F { double p = 2, q; __device__ F(double v) : q(v) {} };
// g2o-verify: k4<<<2, 8>>>(x = [16], y = [16])
__global__ void k4(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  F e(x[i]);
  y[i] = e.p * e.q * x[i];
}
struct Weighted {
    double w = 0.5, v, all[2];
    __device__ Weighted(double a, double b) : v(a * b), all{a, b * w} {}
    __device__ explicit Weighted(double a) : Weighted(a, 2 * a) {}
};
template <typename T> struct Shifted : Weighted {
    T by;
    __device__ Shifted(T a, T by) : Weighted(a), by(by) {}
    __device__ T at(int k) const { return all[k] * w + by * v; }
};
// g2o-verify: k5<<<2, 8>>>(x = [16], y = [16])
__global__ void k5(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  Shifted<double> s(x[i], x[15 - i]);
  y[i] = s.at(0) * s.at(1);
}
struct W { double v; __device__ W(double a) : v(a * a) {} };
template <typename T> struct S2 : W {
    T by;
    __device__ S2(T a, T by) : W(a), by(by) {}
    __device__ T at() const { return by * v; }
};
// g2o-verify: k8<<<2, 8>>>(x = [16], y = [16])
__global__ void k8(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  S2<double> s(x[i], x[15 - i]);
  y[i] = s.at();
}
template <typename T> struct Base { T v; __device__ Base(T a) : v(a * a) {} };
template <typename T> struct Empty { __device__ T twice(T a) const { return 2 * a; } };
template <typename T> struct S : Base<T> {
    T by;
    __device__ S(T a, T by) : Base<T>(a), by(by) {}
    __device__ T at() const { return by * this->v; }
};
template <typename T> struct E2 : Empty<T> {
    T by;
    __device__ explicit E2(T by) : by(by) {}
    __device__ T at() const { return by * this->twice(by); }
};
// g2o-verify: k6<<<2, 8>>>(x = [16], y = [16])
__global__ void k6(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  S<double> s(x[i], x[15 - i]);
  y[i] = s.at();
}
// g2o-verify: k7<<<2, 8>>>(x = [16], y = [16])
__global__ void k7(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  E2<double> s(x[i]);
  y[i] = s.at();
}
