// What only a guard named that is a bound now goes, whatever is called so elsewhere: `block.x`.
__global__ void transpose(float *out, const float *in, int n, int m)
{
    __shared__ float tile[16][17];
    unsigned y = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned x = blockDim.x * blockIdx.x + threadIdx.x;
    if (y < n && x < m)
        tile[threadIdx.y][threadIdx.x] = in[y * m + x];
    __syncthreads();
    y = blockIdx.x * blockDim.x + threadIdx.y;
    x = blockIdx.y * blockDim.y + threadIdx.x;
    if (y < m && x < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

void run(float *out, const float *in, int n, int m)
{
    transpose<<<dim3((m + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(out, in, n, m);
}
