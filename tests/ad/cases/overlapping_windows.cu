// Windows of elements that several rows have in common: what is added stays atomic.
// g2o-verify: mirrored_rows<<<(4, 16), (8, 4)>>>(x = [400], k = [3], y = [64 * 32])
__global__ void mirrored_rows(const double *x, const double *k, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= 32 || j >= 64)
    return;
  double s = 0;
  for (int a = 0; a < 3; ++a)
    s += x[(j + a) * 4 + 31 - i] * k[a];
  y[j * 32 + i] = s;
}

// g2o-verify: broadcast_rows<<<4, 32>>>(x = [64], k = [3], y = [n], n = 128, stride = 0)
// g2o-verify: broadcast_rows<<<4, 32>>>(x = [260], k = [3], y = [n], n = 128, stride = 2)
__global__ void broadcast_rows(const double *x, const double *k, double *y, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s = 0;
  for (int a = 0; a < 3; ++a)
    s += x[(i + a) * stride] * k[a];
  y[i] = s;
}

// Weights from the last to the first, and rows of them that overlap.
// g2o-verify: flipped_weights<<<(2, 3, 4), (8, 4)>>>(x = [h * w], k = [40], y = [4 * h * w], h = 11, w = 13)
__global__ void flipped_weights(const double *x, const double *k, double *y, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int o = blockIdx.z;
  if (i >= w || j >= h)
    return;
  double s = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      if (j + a < h && i + b < w)
        s += x[(j + a) * w + i + b] * k[o * 4 + 8 - (a * 3 + b)];
  y[(o * h + j) * w + i] = s;
}
