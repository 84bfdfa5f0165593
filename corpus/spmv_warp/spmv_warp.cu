// Sparse matrix times vector in CSR form, with a warp (or a part of one) per row.
//
// spmv_warp gives every row to 32 lanes, which pays for long rows; spmv_subwarp shares a
// warp among 32 / LANES short rows.
//
// usage: spmv_warp [rows] [mean nonzeros per row] [repeat]

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WARP 32
#define FULL_MASK 0xffffffff
#define ROWS_PER_BLOCK 4

#define CHECK(call)                                                                  \
    do {                                                                             \
        cudaError_t err__ = (call);                                                  \
        if (err__ != cudaSuccess) {                                                  \
            fprintf(stderr, "%s(%d): %s\n", __FILE__, __LINE__,                      \
                    cudaGetErrorString(err__));                                      \
            exit(EXIT_FAILURE);                                                      \
        }                                                                            \
    } while (0)

struct Csr {
    int rows;
    int *start;   // rows + 1 offsets
    int *column;
    float *value;
};

__global__ void spmv_warp(Csr a, const float *x, float *y)
{
    const int lane = threadIdx.x & (WARP - 1);
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;

    if (row < a.rows) { // the same for all lanes of a warp
        float sum = 0.0f;
        for (int k = a.start[row] + lane; k < a.start[row + 1]; k += WARP)
            sum += a.value[k] * x[a.column[k]];

        for (int offset = WARP / 2; offset > 0; offset /= 2)
            sum += __shfl_down_sync(FULL_MASK, sum, offset);

        // Lane 0 holds the sum of the row.
        if (lane == 0)
            y[row] = sum;
    }
}

// LANES threads per row; LANES divides the warp size.
template <int LANES>
__global__ void spmv_subwarp(Csr a, const float *x, float *y)
{
    const int lane = threadIdx.x % LANES;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;

    // Rows beyond the end are empty; their lanes take part in the shuffles all the same.
    int k = 0, end = 0;
    if (row < a.rows) {
        k = a.start[row] + lane;
        end = a.start[row + 1];
    }
    float sum = 0.0f;
    for (; k < end; k += LANES)
        sum += a.value[k] * x[a.column[k]];

    #pragma unroll
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(FULL_MASK, sum, offset, LANES);

    if (lane == 0 && row < a.rows)
        y[row] = sum;
}

static unsigned int rng = 20240229u;

static unsigned int next(void)
{
    rng = rng * 1103515245u + 12345u;
    return rng >> 8;
}

static double worst_error(const double *expected, const float *y, int rows)
{
    double worst = 0.0;
    for (int r = 0; r < rows; r++)
        worst = fmax(worst, fabs(y[r] - expected[r]) / (1.0 + fabs(expected[r])));
    return worst;
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 350;
    const int mean = argc > 2 ? atoi(argv[2]) : 20;
    const int repeat = argc > 3 ? atoi(argv[3]) : 1;
    if (rows < 1 || mean < 1 || repeat < 1) {
        fprintf(stderr, "usage: %s [rows] [mean nonzeros per row] [repeat]\n", argv[0]);
        return 2;
    }

    // Rows of 0 to 2 * mean entries at random columns.
    Csr h, d;
    h.rows = d.rows = rows;
    h.start = (int *)malloc((rows + 1) * sizeof(int));
    h.start[0] = 0;
    for (int r = 0; r < rows; r++)
        h.start[r + 1] = h.start[r] + (int)(next() % (2u * (unsigned)mean + 1u));
    const int nonzeros = h.start[rows];
    h.column = (int *)malloc((nonzeros + 1) * sizeof(int));
    h.value = (float *)malloc((nonzeros + 1) * sizeof(float));
    for (int k = 0; k < nonzeros; k++) {
        h.column[k] = (int)(next() % (unsigned)rows);
        h.value[k] = (float)(next() & 0xffff) / 65536.0f;
    }
    float *h_x = (float *)malloc(rows * sizeof(float));
    float *h_y = (float *)malloc(rows * sizeof(float));
    for (int r = 0; r < rows; r++)
        h_x[r] = (float)(next() & 0xffff) / 32768.0f - 0.5f;

    float *d_x, *d_y;
    CHECK(cudaMalloc((void **)&d.start, (rows + 1) * sizeof(int)));
    CHECK(cudaMalloc((void **)&d.column, (nonzeros + 1) * sizeof(int)));
    CHECK(cudaMalloc((void **)&d.value, (nonzeros + 1) * sizeof(float)));
    CHECK(cudaMalloc((void **)&d_x, rows * sizeof(float)));
    CHECK(cudaMalloc((void **)&d_y, rows * sizeof(float)));
    CHECK(cudaMemcpy(d.start, h.start, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d.column, h.column, nonzeros * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d.value, h.value, nonzeros * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, h_x, rows * sizeof(float), cudaMemcpyHostToDevice));

    double *expected = (double *)malloc(rows * sizeof(double));
    for (int r = 0; r < rows; r++) {
        expected[r] = 0.0;
        for (int k = h.start[r]; k < h.start[r + 1]; k++)
            expected[r] += (double)h.value[k] * h_x[h.column[k]];
    }

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    float ms = 0.0f, part;
    double worst = 0.0, norm[2];
    const int threads = ROWS_PER_BLOCK * WARP;

    for (int variant = 0; variant < 2; variant++) {
        CHECK(cudaMemset(d_y, 0xff, rows * sizeof(float)));
        CHECK(cudaEventRecord(start, 0));
        for (int r = 0; r < repeat; r++) {
            if (variant == 0) {
                int blocks = (rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
                spmv_warp<<<blocks, threads>>>(d, d_x, d_y);
            } else {
                int per_block = threads / 8;
                spmv_subwarp<8><<<(rows + per_block - 1) / per_block, threads>>>(d, d_x, d_y);
            }
        }
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop, 0));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&part, start, stop));
        ms += part;

        CHECK(cudaMemcpy(h_y, d_y, rows * sizeof(float), cudaMemcpyDeviceToHost));
        const double error = worst_error(expected, h_y, rows);
        worst = error > worst ? error : worst;
        norm[variant] = 0.0;
        for (int r = 0; r < rows; r++)
            norm[variant] += fabs((double)h_y[r]);
    }

    const int pass = worst < 1e-4;
    printf("nonzeros %d\n", nonzeros);
    printf("norm_warp %.4e\n", norm[0]);
    printf("norm_subwarp %.4e\n", norm[1]);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d.start));
    CHECK(cudaFree(d.column));
    CHECK(cudaFree(d.value));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h.start);
    free(h.column);
    free(h.value);
    free(h_x);
    free(h_y);
    free(expected);
    return pass ? 0 : 1;
}
