// Extremes that the same kernel reads, behind a barrier of the block or the grid, or adds up.
#include <cooperative_groups.h>

__device__ float most(float *address, float value)
{
    int *bits = (int *)address;
    int old = *bits;
    while (value > __int_as_float(old)) {
        int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value));
    }
    return __int_as_float(old);
}

// g2o-verify: of_blocks<<<3, 16>>>(n = 44, x = [n], best = [3 : -2 .. -1], y = [n])
__global__ void of_blocks(const float *x, float *best, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > best[blockIdx.x])
        most(&best[blockIdx.x], x[i] * x[i]);
    __syncthreads();
    if (i < n)
        y[i] = x[i] - best[blockIdx.x];
}

// g2o-verify: softened<<<3, 16>>>(n = 44, x = [n], best = [1 : -2 .. -1], y = [n])
__global__ void softened(const float *x, float *best, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax((int *)best, __float_as_int(x[i]));
    cooperative_groups::this_grid().sync();
    if (i < n)
        y[i] = expf(x[i] - *best);
}

// First in shared memory, then of all blocks. Its own element is what a thread may put there.
// g2o-verify: twice<<<3, 16>>>(n = 44, x = [n], top = [1 : -2 .. -1], own = [n])
__global__ void twice(const float *x, float *top, float *own, int n)
{
    __shared__ float best[1];
    if (threadIdx.x == 0)
        best[0] = x[0];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        most(best, x[i] * own[i]);
        most(&own[i], own[i] * x[i] + 0.1f);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        most(top, best[0] * best[0]);
}
