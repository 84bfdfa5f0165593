__global__ void settle(int *x, int rounds)
{
    __shared__ int buf[64];
    int t = threadIdx.x;
    int k = 0;
    buf[t] = x[t];
    __syncthreads();
again:;
    int v = buf[(t + 1) % 64];
    __syncthreads();
    buf[t] = max(buf[t], v);
    __syncthreads();
    if (++k < rounds)
        goto again;
    x[t] = buf[t];
}
