// Elements at a stride that comes back to the beginning are no vectors: clang 19 makes wrong ones.
// Neighbours that come back are.
__global__ void back_at_the_end(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t * 7 % 64];
}

__global__ void narrow(const float *x, float *y)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    const unsigned char at = t * 5;
    y[t] = s[at] + s[(t + 1) & 63];
}

__global__ void neighbours(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[(t + 1) % 64] + 2 * s[t];
}
