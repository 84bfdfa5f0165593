// What one lane or one thread does needs no loop, whatever else it asks.
#include <cuda_runtime.h>

#define THREADS 128

__global__ void total(const int *x, unsigned long long *sum, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    int v = i < n ? x[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0 && v)
        atomicAdd(sum, v);
}

__global__ void scan(const int *x, int *sums, int *last, int n)
{
    __shared__ int totals[THREADS / 32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = x[blockIdx.x * THREADS + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += below;
    }
    if (lane == 31u)
        totals[warp] = v;
    __syncthreads();
    sums[blockIdx.x * THREADS + threadIdx.x] = v + (warp > 0 ? totals[warp - 1] : 0);
    if (threadIdx.x == THREADS - 1 && n > 1)
        last[blockIdx.x] = v;
}

// No turn has this number, and one that counts has to be asked by all.
__global__ void nobody(int *asked, int *y)
{
    int lane = threadIdx.x % 32;
    int v = __shfl_xor_sync(0xffffffff, y[threadIdx.x], 1);
    if (lane == 32)
        y[0] = v;
    if (atomicAdd(asked, 1) < 1000 && lane == 3)
        y[lane] = v;
}

void run(int *x, int *y, unsigned long long *sum, int n)
{
    total<<<4, THREADS>>>(x, sum, n);
    scan<<<4, THREADS>>>(x, y, y + n, n);
    nobody<<<1, 32>>>(x, y);
}
