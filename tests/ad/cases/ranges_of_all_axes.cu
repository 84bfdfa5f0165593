// Threads of two axes, and loops of theirs, go through one range together.

// g2o-verify: halo_of_all<<<dim3(2, 2), dim3(4, 4)>>>(x = [10 * 10], w = [9], y = [8 * 8], n = 8)
__global__ void halo_of_all(const double *x, const double *w, double *y, int n) {
  __shared__ double tile[6 * 6];
  for (int e = threadIdx.y * blockDim.x + threadIdx.x; e < 36; e += blockDim.x * blockDim.y)
    tile[e] = x[(blockIdx.y * 4 + e / 6) * (n + 2) + blockIdx.x * 4 + e % 6];
  __syncthreads();
  double sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      sum += w[j * 3 + i] * sin(tile[(threadIdx.y + j) * 6 + threadIdx.x + i]);
  y[(blockIdx.y * 4 + threadIdx.y) * n + blockIdx.x * 4 + threadIdx.x] = sum * tile[7];
}

// g2o-verify: parts_of_tiles<<<2, dim3(8, 4)>>>(a = [2 * 128], b = [16 * 8], y = [2 * 32])
__global__ void parts_of_tiles(const double *a, const double *b, double *y) {
  __shared__ double left[8][17], right[16][8];
  const int tid = threadIdx.y * 8 + threadIdx.x;
  for (int l = 0; l < 4; ++l) {
    int e = tid + l * 32;
    left[e / 16][e % 16] = a[blockIdx.x * 128 + e] * a[blockIdx.x * 128 + e];
    right[e / 8][e % 8] = b[e];
  }
  __syncthreads();
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += left[threadIdx.y][k] * right[k][threadIdx.x] + left[threadIdx.y + 4][k];
  y[blockIdx.x * 32 + tid] = sum;
}

// g2o-verify: four_each<<<2, 16>>>(x = [2 * 64], y = [2 * 64], n = 120)
__global__ void four_each(const double *x, double *y, int n) {
  __shared__ double row[64];
  const int first = blockIdx.x * 64 + threadIdx.x * 4;
  for (int j = 0; j < 4; ++j)
    row[threadIdx.x * 4 + j] = first + j < n ? x[first + j] : 0;
  __syncthreads();
  for (int j = 0; j < 64; j += 16) {
    const int at = j + threadIdx.x;
    if (blockIdx.x * 64 + at < n)
      y[blockIdx.x * 64 + at] = row[at] * row[63 - at] + exp(row[at]);
  }
}

void launch(double *x, double *w, double *y, int n) {
  halo_of_all<<<dim3(2, 2), dim3(4, 4)>>>(x, w, y, n);
  parts_of_tiles<<<2, dim3(8, 4)>>>(x, w, y);
  four_each<<<2, 16>>>(x, y, n);
}
