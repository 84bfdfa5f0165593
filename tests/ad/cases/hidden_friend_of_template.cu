// The parameters of a class template mean what they mean in a friend that it
// defines, too.
// g2o-verify: mixed<<<1, 8>>>(x = [10], q = 0.5, y = [8])
typedef float S;
template <typename S> struct Cplx {
  S re, im;
  friend __device__ S mix(S s, Cplx<double> a) {
    S w = a.re * a.im;
    w += s;
    S u = w * w;
    u += a.re;
    return u * w;
  }
};
__global__ void mixed(const Cplx<double> *x, double q, double *y) {
  const int i = threadIdx.x;
  y[i] = mix(q, x[i]);
}
