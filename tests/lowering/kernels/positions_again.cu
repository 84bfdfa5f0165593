// A variable that is the column of the source and then that of the target is a function of the
// thread each time; the one that a loop steps is not.
__global__ void rotate(float *out, const float *in, int n, int rounds)
{
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int from = y * n + x;
    x = blockIdx.y * 16 + threadIdx.x;
    y = (gridDim.x - 1 - blockIdx.x) * 16 + threadIdx.y;
    int to = y * n + x;
    tile[threadIdx.y][threadIdx.x] = in[from];
    __syncthreads();
    int step = threadIdx.x;
    step += 1;
    for (int i = 0; i < rounds; ++i)
        step += threadIdx.y;
    out[to] = tile[threadIdx.x][15 - threadIdx.y] + step;
}

void run(float *out, const float *in, int n)
{
    rotate<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(out, in, n, 3);
}
