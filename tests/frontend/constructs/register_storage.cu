// out: 0 3 6 9 0 3 6 9
#define ACCUMULATOR register int sum
__device__ int twice(register int v)
{
    ACCUMULATOR = v;
    return sum + v;
}
__global__ void k(register int *out, register const int n)
{
    register
    int t = threadIdx.x;
    __shared__ int s[4];
    s[t] = t;
    __syncthreads();
    register volatile int mine = s[t];
    for (register int i = 0; i < n; i += 8)
        mine = mine + twice(t);
    out[blockIdx.x * 4 + t] = mine;
}
