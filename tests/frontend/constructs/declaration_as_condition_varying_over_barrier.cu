// out: 3 2 0 0 3 2 0 0
__device__ int f(int x) { return x > 1 ? x : 0; }
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (int x = f(t)) s[t] = x;
    __syncthreads();
    out[blockIdx.x * 4 + t] = s[3 - t];
}
