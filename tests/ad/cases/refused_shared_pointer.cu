// A pointer that all threads of a block share: its shadow would be shared, too.
__global__ void chosen(const double *x, double *y)
{
    __shared__ double buffers[2][32];
    __shared__ double *now;
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (t == 0)
        now = buffers[blockIdx.x & 1]; // refused: pointer
    __syncthreads();
    now[t] = x[i] * x[i];
    __syncthreads();
    y[i] = now[31 - t];
}
