// Pointers that loops in loops step, and loops in steps of several: the reverse sweep keeps nothing.
// g2o-verify: unfolded<<<2, 8>>>(n = 13, kh = 2, kw = 3, w = 5, x = [80], col = [100])
// g2o-verify: unfolded<<<1, 8>>>(n = 7, kh = 2, kw = 0, w = 5, x = [80], col = [100])
// g2o-verify: volumes<<<1, 8>>>(x = [8], y = [8 * 26], u = 2, v = 3, w = 4)
// g2o-verify: in_fours<<<1, 8>>>(n = 12, m = 3, x = [96], y = [8])
// g2o-verify: left_early<<<1, 8>>>(n = 4, x = [8 * 16], y = [8])
__global__ void unfolded(int n, int kh, int kw, int w, const float *__restrict__ x,
                         float *__restrict__ col) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n;
       index += blockDim.x * gridDim.x) {
    float *p = col + index * kh * kw;
    const float *q = x + index;
    for (int i = 0; i < kh; ++i) {
      for (int j = 0; j < kw; ++j) {
        *p = q[0] * q[j] * sinf(q[i]);
        ++p;
      }
      q += w;
    }
  }
}

__global__ void volumes(const float *x, float *y, int u, int v, int w) {
  float *p = y + threadIdx.x;
  for (int a = 0; a < u; ++a)
    for (int b = 1; b < v + 1; ++b)
      for (int c = 0; c < w; ++c) {
        *p = x[threadIdx.x] * x[threadIdx.x] * (a + 2 * b + 3 * c);
        p += blockDim.x;
      }
}

__global__ void in_fours(int n, int m, const float *x, float *y) {
  const float *p = x + threadIdx.x;
  int at = 0;
  float sum = 0;
  for (int k = 0; k < n; k += 4) {
    sum += p[at] * expf(p[0]) * sum;
    p += 8 * m / 3;
    sum += p[0] * sum + p[at];
    at += 4 * m / 3 - 4;
  }
  y[threadIdx.x] = sum;
}

// How often the inner loop runs is not known in front of it.
__global__ void left_early(int n, const float *x, float *y) {
  const float *p = x + 16 * threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j) {
      sum += *p * *p * (i + 1);
      if (j == i)
        break;
      p++;
    }
  y[threadIdx.x] = sum;
}
