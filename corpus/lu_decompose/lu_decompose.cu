// LU decomposition without pivoting, in place and blocked.
//
// For every diagonal tile:
//   lu_diagonal   decomposes the tile itself,
//   lu_perimeter  solves for the tiles to the right of it and below it,
//   lu_internal   subtracts their product from what remains.
//
// usage: lu_decompose [matrix size, a multiple of 16]

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TILE 16
#define AT(row, col) m[(row) * size + (col)]

static void fail_on_error(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

// One block of TILE threads, a row of the tile each.
__global__ void lu_diagonal(float *m, int size, int offset)
{
    __shared__ float tile[TILE][TILE];
    int tx = threadIdx.x;

    // Column by column, so that neighbouring threads read neighbouring elements.
    for (int i = 0; i < TILE; i++)
        tile[i][tx] = AT(offset + i, offset + tx);
    __syncthreads();

    for (int k = 0; k < TILE - 1; k++) {
        // Rows below row k: the multiplier, and then the rest of the row.
        if (tx > k) {
            tile[tx][k] /= tile[k][k];
            for (int j = k + 1; j < TILE; j++)
                tile[tx][j] -= tile[tx][k] * tile[k][j];
        }
        __syncthreads();
    }

    // Row 0 has not changed.
    for (int i = 1; i < TILE; i++)
        AT(offset + i, offset + tx) = tile[i][tx];
}

// Two times TILE threads: the first half treats a tile right of the diagonal, the second
// half the mirrored one below it.
__global__ void lu_perimeter(float *m, int size, int offset)
{
    __shared__ float diagonal[TILE][TILE];
    __shared__ float right[TILE][TILE];
    __shared__ float below[TILE][TILE];

    int here = offset + (blockIdx.x + 1) * TILE;
    int idx = threadIdx.x % TILE;
    bool first_half = threadIdx.x < TILE;

    if (first_half) {
        for (int i = 0; i < TILE / 2; i++)
            diagonal[i][idx] = AT(offset + i, offset + idx);
        for (int i = 0; i < TILE; i++)
            right[i][idx] = AT(offset + i, here + idx);
    } else {
        for (int i = TILE / 2; i < TILE; i++)
            diagonal[i][idx] = AT(offset + i, offset + idx);
        for (int i = 0; i < TILE; i++)
            below[i][idx] = AT(here + i, offset + idx);
    }
    __syncthreads();

    if (first_half) {
        // Forward substitution for one column; the diagonal of L is one.
        for (int i = 1; i < TILE; i++) {
            for (int k = 0; k < i; k++)
                right[i][idx] -= diagonal[i][k] * right[k][idx];
        }
    } else {
        // One row of L times the upper triangle gives the row of the matrix.
        for (int i = 0; i < TILE; i++) {
            for (int k = 0; k < i; k++)
                below[idx][i] -= below[idx][k] * diagonal[k][i];
            below[idx][i] /= diagonal[i][i];
        }
    }
    __syncthreads();

    if (first_half) {
        for (int i = 1; i < TILE; i++)
            AT(offset + i, here + idx) = right[i][idx];
    } else {
        for (int i = 0; i < TILE; i++)
            AT(here + i, offset + idx) = below[i][idx];
    }
}

// One block of TILE x TILE threads per remaining tile.
__global__ void lu_internal(float *m, int size, int offset)
{
    __shared__ float right[TILE][TILE];
    __shared__ float below[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = offset + (blockIdx.y + 1) * TILE + ty;
    int col = offset + (blockIdx.x + 1) * TILE + tx;

    right[ty][tx] = AT(offset + ty, col);
    below[ty][tx] = AT(row, offset + tx);
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k < TILE; k++)
        sum += below[ty][k] * right[k][tx];
    AT(row, col) -= sum;
}

// Element (row, col) of L times U, from the combined matrix.
static double product(const float *m, int size, int row, int col)
{
    double sum = row <= col ? (double)AT(row, col) : 0.0; // the one on the diagonal of L
    for (int k = 0; k < row && k <= col; k++)
        sum += (double)AT(row, k) * AT(k, col);
    return sum;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 80;
    if (size < TILE || size % TILE != 0) {
        fprintf(stderr, "the size has to be a multiple of %d\n", TILE);
        return 2;
    }

    // Dominant diagonal, so that no pivoting is needed.
    size_t bytes = sizeof(float) * size * size;
    float *original = (float *)malloc(bytes);
    float *m = (float *)malloc(bytes);
    unsigned int seed = 3u;
    for (int i = 0; i < size * size; i++) {
        seed = seed * 1664525u + 1013904223u;
        original[i] = (float)(seed >> 16) / 65536.0f - 0.5f;
    }
    for (int i = 0; i < size; i++)
        original[i * size + i] += 0.5f * size;

    float *d_m;
    fail_on_error(cudaMalloc((void **)&d_m, bytes));
    fail_on_error(cudaMemcpy(d_m, original, bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    fail_on_error(cudaEventCreate(&start));
    fail_on_error(cudaEventCreate(&stop));
    fail_on_error(cudaEventRecord(start, 0));

    int offset = 0;
    for (; offset < size - TILE; offset += TILE) {
        int remaining = (size - offset) / TILE - 1;
        lu_diagonal<<<1, TILE>>>(d_m, size, offset);
        lu_perimeter<<<remaining, 2 * TILE>>>(d_m, size, offset);
        lu_internal<<<dim3(remaining, remaining), dim3(TILE, TILE)>>>(d_m, size, offset);
    }
    lu_diagonal<<<1, TILE>>>(d_m, size, offset);

    fail_on_error(cudaGetLastError());
    fail_on_error(cudaEventRecord(stop, 0));
    fail_on_error(cudaEventSynchronize(stop));
    float ms;
    fail_on_error(cudaEventElapsedTime(&ms, start, stop));
    fail_on_error(cudaMemcpy(m, d_m, bytes, cudaMemcpyDeviceToHost));

    // Some 50 rows of the product against the matrix we started from.
    double worst = 0.0, log_determinant = 0.0;
    int step = size / 50 + 1;
    for (int row = 0; row < size; row += step)
        for (int col = 0; col < size; col++)
            worst = fmax(worst, fabs(product(m, size, row, col) - original[row * size + col]));
    for (int i = 0; i < size; i++)
        log_determinant += log((double)m[i * size + i]);

    int pass = worst < 1e-5 * size;
    printf("size %d\n", size);
    printf("log_determinant %.4e\n", log_determinant);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    fail_on_error(cudaEventDestroy(start));
    fail_on_error(cudaEventDestroy(stop));
    fail_on_error(cudaFree(d_m));
    free(original);
    free(m);
    return pass ? 0 : 1;
}
