__device__ void halve(float *s, int n)
{
    __syncthreads();
    if (threadIdx.x < n)
        s[threadIdx.x] *= 0.5f;
    if (n > 1)
        halve(s, n / 2);
}

__global__ void k(float *out, int n)
{
    __shared__ float s[32];
    s[threadIdx.x] = 1.0f;
    halve(s, n);
    out[threadIdx.x] = s[threadIdx.x];
}
