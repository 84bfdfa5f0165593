// The first thread of those that are left does something: where there is one
#define N 1000
__global__ void k1(const double *x, double *out, int n)
{
    __shared__ double s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    s[t] = x[i];
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void k2(const double *x, double *out, int n)
{
    extern __shared__ double s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = 0;
    if (i >= N) return;
    s[t] = x[i];
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < blockDim.x; ++k) s[0] += s[k];
        out[blockIdx.x] = s[0];
    }
}
