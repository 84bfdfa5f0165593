// Functions of rows: a block for each, whose threads add up what they have seen in shared memory.

#include <cassert>

template <typename scalar_t>
__device__ scalar_t block_sum(scalar_t value, scalar_t *partial)
{
    int t = threadIdx.x;
    partial[t] = value;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            partial[t] += partial[t + s];
        __syncthreads();
    }
    scalar_t total = partial[0];
    __syncthreads();
    return total;
}

template <typename scalar_t>
__device__ scalar_t block_max(scalar_t value, scalar_t *partial)
{
    int t = threadIdx.x;
    partial[t] = value;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            partial[t] = max(partial[t], partial[t + s]);
        __syncthreads();
    }
    scalar_t largest = partial[0];
    __syncthreads();
    return largest;
}

template <typename scalar_t>
__global__ void layer_norm(int columns, scalar_t eps, const scalar_t *x, const scalar_t *weight,
                           const scalar_t *bias, scalar_t *y)
{
    assert(blockDim.x == 128);
    __shared__ scalar_t partial[128];
    const scalar_t *row = x + blockIdx.x * columns;
    scalar_t sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += row[i];
    scalar_t mean = block_sum(sum, partial) / columns;
    scalar_t squares = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        squares += (row[i] - mean) * (row[i] - mean);
    scalar_t scale = rsqrt(block_sum(squares, partial) / columns + eps);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        y[blockIdx.x * columns + i] = (row[i] - mean) * scale * weight[i] + bias[i];
}

template <typename scalar_t>
__global__ void softmax(int columns, const scalar_t *x, scalar_t *y)
{
    assert(blockDim.x == 128);
    __shared__ scalar_t partial[128];
    const scalar_t *row = x + blockIdx.x * columns;
    scalar_t largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        largest = max(largest, row[i]);
    largest = block_max(largest, partial);
    scalar_t sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += exp(row[i] - largest);
    sum = block_sum(sum, partial);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        y[blockIdx.x * columns + i] = exp(row[i] - largest) / sum;
}

// The loss of each row: the negative logarithm of the softmax at its target.
template <typename scalar_t>
__global__ void cross_entropy(int columns, const scalar_t *x, const long long *target,
                              scalar_t *loss)
{
    assert(blockDim.x == 128);
    __shared__ scalar_t partial[128];
    const scalar_t *row = x + blockIdx.x * columns;
    scalar_t largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        largest = max(largest, row[i]);
    largest = block_max(largest, partial);
    scalar_t sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += exp(row[i] - largest);
    sum = block_sum(sum, partial);
    if (threadIdx.x == 0)
        loss[blockIdx.x] = log(sum) + largest - row[target[blockIdx.x]];
}

// Training: statistics of each channel over images and pixels; a block for each channel.
template <typename scalar_t>
__global__ void batch_norm(int images, int channels, int pixels, scalar_t eps, const scalar_t *x,
                           const scalar_t *weight, const scalar_t *bias, scalar_t *y)
{
    assert(blockDim.x == 128);
    __shared__ scalar_t partial[128];
    int channel = blockIdx.x;
    int count = images * pixels;
    scalar_t sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        sum += x[(i / pixels * channels + channel) * pixels + i % pixels];
    scalar_t mean = block_sum(sum, partial) / count;
    scalar_t squares = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        scalar_t difference = x[(i / pixels * channels + channel) * pixels + i % pixels] - mean;
        squares += difference * difference;
    }
    scalar_t scale = rsqrt(block_sum(squares, partial) / count + eps);
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        int at = (i / pixels * channels + channel) * pixels + i % pixels;
        y[at] = (x[at] - mean) * scale * weight[channel] + bias[channel];
    }
}

// Rows of a table, by index.
template <typename scalar_t>
__global__ void embedding(int columns, const long long *indices, const scalar_t *table,
                          scalar_t *y)
{
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        y[blockIdx.x * columns + i] = table[indices[blockIdx.x] * columns + i];
}
