__global__ void reduce(float *out, const float *in)
{
    __shared__ float buf[256];
    int tid = threadIdx.x;
    buf[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            buf[tid] += buf[tid + s];
            __syncthreads();
        }
    }
    if (tid == 0)
        out[blockIdx.x] = buf[0];
}
