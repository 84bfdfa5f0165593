// out: 1 2 3 4 1 2 3 4
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    int t = threadIdx.x, step = 1;
    s[t] = 1;
    __syncthreads();
    do {
        int other = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += other;
        __syncthreads();
        step *= 2;
    } while (step < 4);
    out[blockIdx.x * 4 + t] = s[t];
}
