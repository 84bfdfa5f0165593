// out: 3 0 1 2 3 0 1 2
#define FOR_EACH(i, n) for (int i = 0; i < (n); ++i)
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    FOR_EACH(step, 3) {
        int next = s[(t + 1) % 4];
        __syncthreads();
        s[t] = next;
        __syncthreads();
    }
    out[blockIdx.x * 4 + t] = s[t];
}
