// Names of a class template in a namespace, in its methods and friends.
// g2o-verify: products<<<1, 8>>>(x = [10], y = [8])
// g2o-verify: of_alias<<<1, 8>>>(x = [10], y = [8])
namespace lin {
constexpr int N = 2;
template <class T, int N> struct Vec {
  T v[N];
  __device__ T dot(const Vec &b) const {
    T s = 0;
    for (int i = 0; i < N; ++i)
      s += v[i] * b.v[i];
    return s;
  }
  friend __device__ T dot(const Vec &a, const Vec &b) {
    T s = 0;
    for (int i = 0; i < N; ++i)
      s += a.v[i] * b.v[i] * N;
    return s;
  }
};
template <class T, int N> __device__ T norm(const Vec<T, N> &a) {
  return sqrt(dot(a, a));
}
} // namespace lin
using V3 = lin::Vec<double, 3>;
__global__ void products(const lin::Vec<double, 3> *x, double *y) {
  const int i = threadIdx.x;
  y[i] = x[i].dot(x[i + 1]) + dot(x[i], x[i + 1]) * norm(x[i]);
}
__global__ void of_alias(const V3 *x, double *y) {
  const int i = threadIdx.x;
  V3 a = x[i], b = x[i + 1];
  y[i] = a.dot(b) + dot(a, b) * norm(b);
}
// g2o-verify: minus<<<1, 8>>>(x = [10], y = [8])
// g2o-verify: minus2<<<1, 8>>>(x = [10], y = [8])
namespace sub {
template <int R, int C> struct Mat {
  double v[R * C];
  __device__ Mat minus(const Mat &b) const {
    Mat r;
    for (int i = 0; i < R * C; ++i)
      r.v[i] = v[i] - b.v[i];
    return r;
  }
  static __device__ Mat sub(const Mat &a, const Mat &b) {
    Mat r;
    for (int i = 0; i < R * C; ++i)
      r.v[i] = a.v[i] - b.v[i];
    return r;
  }
};
} // namespace sub
__global__ void minus(const sub::Mat<3, 1> *x, double *y) {
  const int i = threadIdx.x;
  const sub::Mat<3, 1> d = x[i].minus(x[i + 1]);
  y[i] = d.v[0] * d.v[1] * d.v[2];
}
__global__ void minus2(const sub::Mat<3, 1> *x, double *y) {
  const int i = threadIdx.x;
  const sub::Mat<3, 1> d = sub::Mat<3, 1>::sub(x[i], x[i + 1]);
  y[i] = d.v[0] * d.v[1] * d.v[2];
}
