// A tree reduction in dynamic shared memory: reversed barriers and zeroed shadows of shared memory.
// g2o-verify: block_sum<<<5, 32, 32 * sizeof(float)>>>(n = 150, in = [n], partial = [5])
__global__ void block_sum(const float *in, float *partial, int n)
{
    extern __shared__ float buf[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    buf[t] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buf[t] += buf[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = buf[0];
}
