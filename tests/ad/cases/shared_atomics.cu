// atomicAdd to shared memory, then to global memory.
// g2o-verify: binned<<<2, 32>>>(n = 60, bin = [n : 0 .. 3], x = [n], sums = [4])
__global__ void binned(const int *bin, const double *x, double *sums, int n)
{
    __shared__ double own[4];
    if (threadIdx.x < 4)
        own[threadIdx.x] = 0.0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&own[bin[i]], exp(x[i]));
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&sums[threadIdx.x], own[threadIdx.x] * own[threadIdx.x]);
}
