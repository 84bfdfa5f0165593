// Matrix product over tiles in shared memory: barriers in a loop, a sum that lives across them.
// g2o-verify: matmul_tiled<<<(2, 2), (8, 8)>>>(n = 13, a = [n * n], b = [n * n], c = [n * n])
#define TILE 8

__global__ void matmul_tiled(const double *a, const double *b, double *c, int n)
{
    __shared__ double as[TILE][TILE];
    __shared__ double bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    double sum = 0.0;
    for (int tile = 0; tile < (n + TILE - 1) / TILE; ++tile) {
        int k = tile * TILE;
        as[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0.0;
        bs[ty][tx] = col < n && k + ty < n ? b[(k + ty) * n + col] : 0.0;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            sum += as[ty][j] * bs[j][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
