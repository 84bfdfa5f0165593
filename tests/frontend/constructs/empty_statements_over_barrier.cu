// out: 9 3 8 7 9 3 8 7
__global__ void k(int *out, int n)
{
    __shared__ int s[4];;
    int t = threadIdx.x, x;
    for (x = 0; x * x < t; ++x) ;
    s[t] = x;
    __syncthreads();;
    ;
    if (t == 1) ; else x = 7;
    { __syncthreads(); }
    out[blockIdx.x * 4 + t] = x + s[3 - t];
}
