// Registers that begin with elements which the thread changes by another name before the loop.
// g2o-verify: begun_by_pointer<<<2, 4>>>(x = [8 * 10], y = [8 * 10], n = 6)
__global__ void begun_by_pointer(double *x, double *y, int n) {
  int i = blockIdx.x * 4 + threadIdx.x;
  double prev = x[i];
  double *p = x + i;
  *p = y[i] * 2.0;
  for (int k = 1; k < n; ++k) {
    double now = x[i + k * 8];
    y[i + k * 8] = prev * now;
    prev = now;
  }
}

__device__ void put_first(double *p, double v) {
  p[0] = v;
  p[8] *= v;
}

// g2o-verify: begun_by_call<<<2, 4>>>(x = [8 * 10], y = [8 * 10], n = 6)
__global__ void begun_by_call(double *x, double *y, int n) {
  int i = blockIdx.x * 4 + threadIdx.x;
  double prev = x[i], here = x[i + 8];
  put_first(x + i, y[i]);
  for (int k = 2; k < n; ++k) {
    double now = x[i + k * 8];
    y[i + k * 8] = prev * now * here;
    prev = here;
    here = now;
  }
}
