// Lists without the braces of their parts: an aggregate takes as many numbers as it has.
// g2o-verify: listed<<<1, 8>>>(x = [10], y = [8])
// g2o-verify: arrays<<<1, 8>>>(x = [10], y = [8])
struct V3 {
  double v[3];
};
struct Seg {
  V3 a, b;
  int tag;
  double w[2][2];
};
template <int N> struct Vec {
  double v[N];
};
__global__ void listed(const double *x, double *y) {
  const int i = threadIdx.x;
  V3 a = {x[i], x[i + 1], x[i] * x[i]};
  Seg s = {x[i], 2.0, x[i + 1], a, 7, x[i], 3, x[i + 2] * x[i]};
  Vec<2> q = {sin(x[i]), x[i + 1]};
  y[i] = s.a.v[0] * s.a.v[1] * s.a.v[2] + s.b.v[2] * s.tag +
         s.w[0][0] * s.w[1][0] + s.w[1][1] + q.v[0] * q.v[1];
}
__global__ void arrays(const double *x, double *y) {
  const int i = threadIdx.x;
  double m[2][3] = {x[i], 2, x[i + 1], x[i] * x[i + 1]};
  V3 t[2] = {x[i], x[i + 1], 1, x[i] * x[i], 5};
  double s = 0;
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c)
      s += m[r][c] * t[r].v[c];
  y[i] = s;
}
