// Two places in arrays that change: pointers that are exchanged, and begin somewhere inside.
// g2o-verify: jac3<<<2, 8>>>(a = [64], scratch = [64], y = [16], steps = 5)
__global__ void jac3(double *a, double *scratch, double *y, int steps) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double *src = a + 3 * t, *dst = scratch + 3 * t;
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 3; k++) dst[k] = src[k] * src[(k + 1) % 3];
    double *tmp = src; src = dst; dst = tmp;
  }
  y[t] = src[0];
}
// g2o-verify: jac4<<<2, 8>>>(x = [16], y = [16], steps = 5)
__global__ void jac4(const double *x, double *y, int steps) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double u[3] = {x[t], 1, 2}, v[3];
  double *src = u, *dst = v;
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 3; k++) dst[k] = src[k] * src[(k + 1) % 3];
    double *tmp = src; src = dst; dst = tmp;
  }
  y[t] = src[0];
}
