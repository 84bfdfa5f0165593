// out: 6 6 6 6 6 6 6 6
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    int &mine = s[t];
    int *p = &out[blockIdx.x * 4], local = t;
    int *q = &local;
    mine = t;
    __syncthreads();
    *q += s[3 - t];
    p[t] = *q + local;
}
