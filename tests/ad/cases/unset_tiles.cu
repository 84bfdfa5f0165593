// Shared memory that is not stored everywhere: threads compute with anything there, and nothing of
// that is kept. In reverse their seeds are 0, and 0 times what is no number would be none.

#define LANES 16

__global__ void roots_of_rows(int rows, const double *x, const double *w, double *y)
{
    __shared__ double tile[4][LANES];
    int row = blockIdx.x * 4 + threadIdx.y;
    if (row < rows)
        tile[threadIdx.y][threadIdx.x] = x[row * LANES + threadIdx.x];
    __syncthreads();
    double sum = 0.0;
    for (int k = 0; k < LANES; ++k)
        sum += w[(threadIdx.x + k) % LANES] * sqrt(1.0 + tile[threadIdx.y][k]);
    if (row < rows)
        y[row * LANES + threadIdx.x] = sum;
}

// Other threads store what a row has come to than those that have computed it.
__global__ void sums_through_one_tile(int rows, const double *x, const double *w, double *y)
{
    __shared__ double tile[LANES][LANES + 1];
    int row = blockIdx.x * LANES + threadIdx.y;
    if (row < rows)
        tile[threadIdx.y][threadIdx.x] = x[row * LANES + threadIdx.x];
    __syncthreads();
    double value = sqrt(1.0 + tile[threadIdx.y][(threadIdx.x + 1) % LANES]);
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = value * w[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        double sum = 0.0;
        for (int k = 0; k < LANES; ++k)
            sum += tile[threadIdx.y][k];
        tile[threadIdx.y][LANES] = sum;
    }
    __syncthreads();
    if (threadIdx.y == 0 && blockIdx.x * LANES + threadIdx.x < rows)
        y[blockIdx.x * LANES + threadIdx.x] = tile[threadIdx.x][LANES];
}

// g2o-verify: roots_of_rows<<<2, (16, 4)>>>(rows = 5, x = [80], w = [16], y = [80])
// g2o-verify: sums_through_one_tile<<<2, (16, 16)>>>(rows = 20, x = [320], w = [16], y = [20])
