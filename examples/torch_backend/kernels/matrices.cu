// Matrices, by tiles in shared memory, and attention by rows.

#include <cassert>

#define TILE 16

// c = a * b: a is m x k, b is k x n.
template <typename scalar_t>
__global__ void matmul(int m, int n, int k, const scalar_t *a, const scalar_t *b, scalar_t *c)
{
    assert(blockDim.x == TILE && blockDim.y == TILE);
    __shared__ scalar_t tile_a[TILE][TILE];
    __shared__ scalar_t tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    scalar_t sum = 0;
    for (int begin = 0; begin < k; begin += TILE) {
        int at_a = begin + threadIdx.x;
        int at_b = begin + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < m && at_a < k ? a[row * k + at_a] : scalar_t(0);
        tile_b[threadIdx.y][threadIdx.x] =
            at_b < k && column < n ? b[at_b * n + column] : scalar_t(0);
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

// Attention of one head after the other, without the matrix of scores: each thread goes through the
// keys of its query once for the largest score and once for the values.
template <typename scalar_t>
__global__ void attention(int heads, int length, int width, scalar_t scale, const scalar_t *query,
                          const scalar_t *key, const scalar_t *value, scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= heads * length)
        return;
    const scalar_t *q = query + i * width;
    int first = i / length * length;
    scalar_t largest = -1e30;
    for (int j = 0; j < length; ++j) {
        scalar_t score = 0;
        for (int c = 0; c < width; ++c)
            score += q[c] * key[(first + j) * width + c];
        largest = max(largest, score * scale);
    }
    scalar_t sum = 0;
    for (int c = 0; c < width; ++c)
        y[i * width + c] = 0;
    for (int j = 0; j < length; ++j) {
        scalar_t score = 0;
        for (int c = 0; c < width; ++c)
            score += q[c] * key[(first + j) * width + c];
        scalar_t weight = exp(score * scale - largest);
        sum += weight;
        for (int c = 0; c < width; ++c)
            y[i * width + c] += weight * value[(first + j) * width + c];
    }
    for (int c = 0; c < width; ++c)
        y[i * width + c] /= sum;
}
