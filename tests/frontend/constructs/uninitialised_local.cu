// out: 28 28 28 28 28 28 28 28
__global__ void k(int *out, int n)
{
    int i, j;
    float s = 0;
    __syncthreads();
    for (i = 0; i < n; i++) s += i;
    j = (int)s;
    out[blockIdx.x * 4 + threadIdx.x] = j;
}
