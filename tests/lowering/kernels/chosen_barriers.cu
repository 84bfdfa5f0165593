// Whole blocks wait, or warps where a block is no more: of the choice nothing stays.
template <int Threads>
__global__ void reversed(float *y, const float *x)
{
    __shared__ float s[Threads];
    s[threadIdx.x] = x[threadIdx.x];
    (Threads > 32) ? __syncthreads() : __syncwarp();
    y[threadIdx.x] = s[Threads - 1 - threadIdx.x];
}

__global__ void swapped(float *y, const float *x, bool whole)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    whole ? (void)__syncthreads() : (void)0;
    // the neighbour's
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void halves(float *y, const float *x, bool whole)
{
    __shared__ float s[64];
    if (threadIdx.x / 32 % 2)
        return;
    s[threadIdx.x] = x[threadIdx.x];
    if (whole)
        __syncthreads();
    else
        __syncwarp();
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}

void launch(float *y, const float *x)
{
    reversed<64><<<1, 64>>>(y, x);
    reversed<16><<<1, 16>>>(y, x);
    swapped<<<1, 64>>>(y, x, true);
    halves<<<1, 40>>>(y, x, true);
}
