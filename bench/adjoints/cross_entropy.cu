// Loss of every row: logarithm of the sum of exponentials less the score of the label.
#include <cuda_runtime.h>
#include <math.h>

__inline__ __device__ float block_max(float value, float *shared)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        value = fmaxf(value, __shfl_down_sync(0xffffffff, value, offset));
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? shared[lane] : -INFINITY;
    if (warp == 0)
        for (int offset = 16; offset > 0; offset >>= 1)
            value = fmaxf(value, __shfl_down_sync(0xffffffff, value, offset));
    if (threadIdx.x == 0)
        shared[0] = value;
    __syncthreads();
    value = shared[0];
    __syncthreads();
    return value;
}

__inline__ __device__ float block_sum(float value, float *shared)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        value += __shfl_down_sync(0xffffffff, value, offset);
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? shared[lane] : 0.0f;
    if (warp == 0)
        for (int offset = 16; offset > 0; offset >>= 1)
            value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x == 0)
        shared[0] = value;
    __syncthreads();
    value = shared[0];
    __syncthreads();
    return value;
}

__global__ void cross_entropy(const float *logits, const long long *labels, float *losses, int classes,
                              long long ignored)
{
    __shared__ float shared[32];
    const float *row = logits + (long long)blockIdx.x * classes;
    const long long label = labels[blockIdx.x];
    float largest = -INFINITY;
    for (int c = threadIdx.x; c < classes; c += blockDim.x)
        largest = fmaxf(largest, row[c]);
    largest = block_max(largest, shared);
    float sum = 0.0f;
    for (int c = threadIdx.x; c < classes; c += blockDim.x)
        sum += expf(row[c] - largest);
    sum = block_sum(sum, shared);
    if (threadIdx.x == 0)
        losses[blockIdx.x] = label == ignored ? 0.0f : logf(sum) + largest - row[label];
}

void loss(const float *logits, const long long *labels, float *losses, int rows, int classes)
{
    cross_entropy<<<rows, 256>>>(logits, labels, losses, classes, -100);
}
