// Threads go through the columns of a tile in loops: only the tile says that there are five of them.
// g2o-verify: eliminate_columns<<<2, 5>>>(a = [50])
__global__ void eliminate_columns(double *a) {
  __shared__ double s[5][5];
  int t = threadIdx.x;
  for (int k = 0; k < 5; ++k)
    s[k][t] = a[blockIdx.x * 25 + k * 5 + t] + (k == t ? 5.0 : 0.0);
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    if (t > k) {
      s[t][k] /= s[k][k];
      for (int j = k + 1; j < 5; ++j)
        s[t][j] -= s[t][k] * s[k][j];
    }
    __syncthreads();
  }
  for (int k = 0; k < 5; ++k)
    a[blockIdx.x * 25 + k * 5 + t] = s[k][t];
}
