// A transpose through shared memory: a permutation, so nothing has to be atomic.
// g2o-verify: transpose<<<(2, 2), (8, 8)>>>(width = 14, height = 11, x = [154], y = [154])
__global__ void transpose(const float *x, float *y, int width, int height)
{
    __shared__ float tile[8][9];
    int i = blockIdx.x * 8 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    if (i < width && j < height)
        tile[threadIdx.y][threadIdx.x] = x[j * width + i];
    __syncthreads();
    i = blockIdx.y * 8 + threadIdx.x;
    j = blockIdx.x * 8 + threadIdx.y;
    if (i < height && j < width)
        y[j * height + i] = tile[threadIdx.x][threadIdx.y];
}
