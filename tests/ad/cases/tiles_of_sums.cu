// Registers that a turn fills again are made again from the tiles in shared memory, which are loaded again: no tape, and
// plain additions to what each thread of the block has of C.
// g2o-verify: register_tiles<<<dim3(2, 2), 8>>>(n = 16, k = 12, a = [32 * 12], b = [12 * 16], beta = 0.4, c = [32 * 16])
#define TM 4
#define TN 4
#define TK 4
#define ROWS (4 * TM)
#define COLS (2 * TN)
__global__ void register_tiles(int n, int k, const float *a, const float *b, float beta, float *c) {
  __shared__ float left[ROWS * TK], right[TK * COLS];
  float sum[TM * TN] = {0.0f};
  float u[TM], v[TN];
  const int nt = blockDim.x;
  const int row = threadIdx.x / (COLS / TN), col = threadIdx.x % (COLS / TN);
  a += blockIdx.y * ROWS * k;
  b += blockIdx.x * COLS;
  c += blockIdx.y * ROWS * n + blockIdx.x * COLS;
  for (int first = 0; first < k; first += TK) {
    for (int i = threadIdx.x; i < ROWS * TK; i += nt)
      left[i] = a[i / TK * k + i % TK];
    for (int i = threadIdx.x; i < TK * COLS; i += nt)
      right[i] = b[i / COLS * n + i % COLS];
    __syncthreads();
    a += TK;
    b += TK * n;
    for (int d = 0; d < TK; ++d) {
      for (int m = 0; m < TM; ++m)
        u[m] = left[(row * TM + m) * TK + d];
      for (int q = 0; q < TN; ++q)
        v[q] = right[d * COLS + col * TN + q];
      for (int m = 0; m < TM; ++m)
        for (int q = 0; q < TN; ++q)
          sum[m * TN + q] += u[m] * v[q];
    }
    __syncthreads();
  }
  for (int m = 0; m < TM; ++m)
    for (int q = 0; q < TN; ++q) {
      float &to = c[(row * TM + m) * n + col * TN + q];
      to = sum[m * TN + q] + beta * to;
    }
}
