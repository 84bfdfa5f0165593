// Softmax of rows, a block for each: two trees in shared memory.
#include <cuda_runtime.h>
#include <math.h>

#define THREADS 128

__global__ void softmax_block(const float *x, float *y, int cols)
{
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    const float *in = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)blockIdx.x * cols;

    float largest = -INFINITY;
    for (int c = t; c < cols; c += THREADS)
        largest = fmaxf(largest, in[c]);
    part[t] = largest;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    largest = part[0];
    __syncthreads();

    float sum = 0.0f;
    for (int c = t; c < cols; c += THREADS) {
        const float e = expf(in[c] - largest);
        out[c] = e;
        sum += e;
    }
    part[t] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    sum = part[0];
    for (int c = t; c < cols; c += THREADS)
        out[c] /= sum;
}

void softmax(const float *x, float *y, int rows, int cols)
{
    softmax_block<<<rows, THREADS>>>(x, y, cols);
}
