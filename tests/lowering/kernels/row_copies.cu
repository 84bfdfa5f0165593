// Rows of a tile that end where the matrix does are copied; rows of other types, within the tile,
// and columns are not.
#define T 16
__global__ void tiles(float *out, const float *in, const int *counts, int w, int h, int halo)
{
    __shared__ float tile[T][T + 1];
    __shared__ float turned[T][T + 1];
    __shared__ float scale[T][T];
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    // The tile, a halo to the left.
    if (x < w && y < h)
        tile[threadIdx.y][threadIdx.x + 1] = in[y * w + x - (halo + 1)]; // within the row
    if (x < w - 1 && y < h)
        scale[threadIdx.y][threadIdx.x] = counts[y * w + x];
    __syncthreads();
    if (x < w && y < h)
        turned[threadIdx.x][threadIdx.y] = tile[T - 1 - threadIdx.y][threadIdx.x + 1];
    __syncthreads();
    if (x < w && y < h)
        out[y * w + x] = turned[threadIdx.y][threadIdx.x];
    if (x < w - 1 && y < h)
        out[(y + h) * w + x] = scale[threadIdx.y][T - 1 - threadIdx.x];
}

void run(float *out, const float *in, const int *counts, int w, int h)
{
    tiles<<<dim3((w + T - 1) / T, (h + T - 1) / T), dim3(T, T)>>>(out, in, counts, w, h, 0);
}
