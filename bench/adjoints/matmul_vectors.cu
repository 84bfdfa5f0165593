// C = A B in tiles of shared memory that are filled four numbers at once; every thread has 4 x 4 of C.
#include <cuda_runtime.h>

#define TILE 64
#define DEPTH 16
#define PER_THREAD 4

__global__ void matmul_vectors(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float a_tile[DEPTH][TILE];
    __shared__ float b_tile[DEPTH][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int t = ty * (TILE / PER_THREAD) + tx;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sums[PER_THREAD][PER_THREAD] = {};

    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        const int a_row = t / (DEPTH / 4), a_col = t % (DEPTH / 4) * 4;
        const float4 four = *reinterpret_cast<const float4 *>(&a[(row0 + a_row) * k + k0 + a_col]);
        a_tile[a_col + 0][a_row] = four.x;
        a_tile[a_col + 1][a_row] = four.y;
        a_tile[a_col + 2][a_row] = four.z;
        a_tile[a_col + 3][a_row] = four.w;
        const int b_row = t / (TILE / 4), b_col = t % (TILE / 4) * 4;
        *reinterpret_cast<float4 *>(&b_tile[b_row][b_col]) =
            *reinterpret_cast<const float4 *>(&b[(k0 + b_row) * n + col0 + b_col]);
        __syncthreads();
        for (int d = 0; d < DEPTH; ++d) {
            float left[PER_THREAD], right[PER_THREAD];
            for (int i = 0; i < PER_THREAD; ++i) {
                left[i] = a_tile[d][ty * PER_THREAD + i];
                right[i] = b_tile[d][tx * PER_THREAD + i];
            }
            for (int i = 0; i < PER_THREAD; ++i)
                for (int j = 0; j < PER_THREAD; ++j)
                    sums[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < PER_THREAD; ++i) {
        const float4 four = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        *reinterpret_cast<float4 *>(&c[(row0 + ty * PER_THREAD + i) * n + col0 + tx * PER_THREAD]) = four;
    }
}

// m and n are multiples of 64, k is one of 16.
void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    matmul_vectors<<<dim3(n / TILE, m / TILE), dim3(TILE / PER_THREAD, TILE / PER_THREAD)>>>(a, b, c, m, n, k);
}
