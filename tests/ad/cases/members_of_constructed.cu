// Braces would call a constructor of the class: members that are set stay so.
// g2o-verify: turned<<<1, 8>>>(x = [8], y = [8])
struct Cx {
  double re, im;
  __device__ Cx() : re(0), im(0) {}
  __device__ Cx(double r, double phi) : re(r * cos(phi)), im(r * sin(phi)) {}
  __device__ Cx operator*(const Cx &y) const {
    Cx h;
    h.re = re * y.re - im * y.im;
    h.im = re * y.im + im * y.re;
    return h;
  }
  __device__ static Cx cartesian(double a, double b) {
    Cx c;
    c.re = a;
    c.im = b;
    return c;
  }
};
__global__ void turned(const double *x, double *y) {
  const int i = threadIdx.x;
  Cx a = Cx::cartesian(x[i], 0.5);
  Cx m = a * a;
  m = m * a;
  y[i] = m.re + 2 * m.im;
}
