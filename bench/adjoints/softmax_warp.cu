// Softmax of rows, a warp for each: maximum and sum of a row in one walk ("online"), then the result.
#include <cuda_runtime.h>
#include <math.h>

#define WARP 32
#define ROWS_PER_BLOCK 4

__global__ void softmax_warp(const float *x, float *y, int rows, int cols)
{
    const int lane = threadIdx.x % WARP;
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / WARP;
    if (row >= rows)
        return;
    const float *in = x + (size_t)row * cols;
    float *out = y + (size_t)row * cols;
    float largest = -INFINITY;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += WARP) {
        const float before = largest;
        largest = fmaxf(largest, in[c]);
        sum = sum * expf(before - largest) + expf(in[c] - largest);
    }
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        const float other_largest = __shfl_xor_sync(0xffffffffu, largest, offset);
        const float other_sum = __shfl_xor_sync(0xffffffffu, sum, offset);
        const float both = fmaxf(largest, other_largest);
        sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
        largest = both;
    }
    for (int c = lane; c < cols; c += WARP)
        out[c] = expf(in[c] - largest) / sum;
}

void softmax(const float *x, float *y, int rows, int cols)
{
    softmax_warp<<<(rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK, WARP * ROWS_PER_BLOCK>>>(x, y, rows, cols);
}
