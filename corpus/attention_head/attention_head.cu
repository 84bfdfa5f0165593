// One attention head:  out = softmax(Q K^T / sqrt(d)) V, without storing the scores.
//
// A block owns TILE queries and walks over the keys in tiles of TILE. The softmax is
// carried along: whenever a new tile raises the maximum of a row, what was accumulated
// so far is scaled down.
//
// usage: attention_head [sequence length]

#include <cuda_runtime.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TILE 16
#define HEAD_DIM 32
#define PER_THREAD (HEAD_DIM / TILE) // output columns of a thread

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

__global__ void attention_head(const float *Q, const float *K, const float *V, float *out,
                               int length, float scale)
{
    __shared__ float q_tile[TILE][HEAD_DIM + 1]; // padded against bank conflicts
    __shared__ float k_tile[TILE][HEAD_DIM + 1];
    __shared__ float v_tile[TILE][HEAD_DIM];
    __shared__ float score[TILE][TILE + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int query = blockIdx.x * TILE + ty;

    // Queries beyond the end are computed on zeros and not stored.
    for (int d = tx; d < HEAD_DIM; d += TILE)
        q_tile[ty][d] = query < length ? Q[query * HEAD_DIM + d] : 0.0f;

    float acc[PER_THREAD];
    for (int j = 0; j < PER_THREAD; j++)
        acc[j] = 0.0f;
    float row_max = -FLT_MAX;
    float row_sum = 0.0f;

    for (int base = 0; base < length; base += TILE) {
        const int key = base + ty;
        for (int d = tx; d < HEAD_DIM; d += TILE) {
            k_tile[ty][d] = key < length ? K[key * HEAD_DIM + d] : 0.0f;
            v_tile[ty][d] = key < length ? V[key * HEAD_DIM + d] : 0.0f;
        }
        __syncthreads();

        // Thread (tx, ty) scores key base + tx against query ty.
        float dot = 0.0f;
        for (int d = 0; d < HEAD_DIM; d++)
            dot += q_tile[ty][d] * k_tile[tx][d];
        score[ty][tx] = base + tx < length ? dot * scale : -FLT_MAX;
        __syncthreads();

        // All threads of a row find the same maximum.
        float new_max = row_max;
        for (int k = 0; k < TILE; k++)
            new_max = fmaxf(new_max, score[ty][k]);
        const float correction = expf(row_max - new_max);
        __syncthreads(); // everybody has read the scores

        // From here on the tile holds unnormalised probabilities.
        score[ty][tx] = expf(score[ty][tx] - new_max);
        __syncthreads();

        row_sum *= correction;
        for (int j = 0; j < PER_THREAD; j++)
            acc[j] *= correction;
        for (int k = 0; k < TILE; k++) {
            const float p = score[ty][k];
            row_sum += p;
            for (int j = 0; j < PER_THREAD; j++)
                acc[j] += p * v_tile[k][tx + j * TILE];
        }
        row_max = new_max;
        __syncthreads(); // the tiles are overwritten in the next round
    }

    if (query < length) {
        for (int j = 0; j < PER_THREAD; j++)
            out[query * HEAD_DIM + tx + j * TILE] = acc[j] / row_sum;
    }
}

static void fill(float *x, int n, unsigned seed)
{
    for (int i = 0; i < n; i++) {
        seed = seed * 22695477u + 1u;
        x[i] = (float)((seed >> 16) & 0x7fff) / 16384.0f - 1.0f;
    }
}

// Serial attention of one query in double precision.
static void reference_row(const float *q, const float *K, const float *V, double *row,
                          double *weight, int length)
{
    double largest = -DBL_MAX, sum = 0.0;
    for (int k = 0; k < length; k++) {
        weight[k] = 0.0;
        for (int d = 0; d < HEAD_DIM; d++)
            weight[k] += (double)q[d] * K[k * HEAD_DIM + d];
        weight[k] /= sqrt((double)HEAD_DIM);
        if (weight[k] > largest)
            largest = weight[k];
    }
    for (int d = 0; d < HEAD_DIM; d++)
        row[d] = 0.0;
    for (int k = 0; k < length; k++) {
        const double p = exp(weight[k] - largest);
        sum += p;
        for (int d = 0; d < HEAD_DIM; d++)
            row[d] += p * V[k * HEAD_DIM + d];
    }
    for (int d = 0; d < HEAD_DIM; d++)
        row[d] /= sum;
}

int main(int argc, char **argv)
{
    const int length = argc > 1 ? atoi(argv[1]) : 72;
    if (length <= 0) {
        fprintf(stderr, "usage: %s [sequence length]\n", argv[0]);
        return 2;
    }

    const int count = length * HEAD_DIM;
    const size_t bytes = count * sizeof(float);
    float *h_q = (float *)malloc(bytes), *h_k = (float *)malloc(bytes);
    float *h_v = (float *)malloc(bytes), *h_out = (float *)malloc(bytes);
    fill(h_q, count, 1u);
    fill(h_k, count, 2u);
    fill(h_v, count, 3u);

    float *d_q, *d_k, *d_v, *d_out;
    gpuErrchk(cudaMalloc((void **)&d_q, bytes));
    gpuErrchk(cudaMalloc((void **)&d_k, bytes));
    gpuErrchk(cudaMalloc((void **)&d_v, bytes));
    gpuErrchk(cudaMalloc((void **)&d_out, bytes));
    gpuErrchk(cudaMemcpy(d_q, h_q, bytes, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_k, h_k, bytes, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    gpuErrchk(cudaEventCreate(&start));
    gpuErrchk(cudaEventCreate(&stop));

    dim3 threads(TILE, TILE);
    dim3 blocks((length + TILE - 1) / TILE);
    gpuErrchk(cudaEventRecord(start));
    attention_head<<<blocks, threads>>>(d_q, d_k, d_v, d_out, length,
                                        1.0f / sqrtf((float)HEAD_DIM));
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaEventRecord(stop));
    gpuErrchk(cudaEventSynchronize(stop));
    float ms;
    gpuErrchk(cudaEventElapsedTime(&ms, start, stop));
    gpuErrchk(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));

    // At most some 64 rows are compared, spread over the sequence.
    double *weight = (double *)malloc(length * sizeof(double));
    double row[HEAD_DIM], worst = 0.0, checksum = 0.0;
    const int step = length / 64 + 1;
    for (int q = 0; q < length; q += step) {
        reference_row(h_q + q * HEAD_DIM, h_k, h_v, row, weight, length);
        for (int d = 0; d < HEAD_DIM; d++)
            worst = fmax(worst, fabs(row[d] - h_out[q * HEAD_DIM + d]));
    }
    for (int i = 0; i < count; i++)
        checksum += fabs((double)h_out[i]);

    const bool pass = worst < 1e-4;
    printf("length %d\n", length);
    printf("mean_abs %.4e\n", checksum / count);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    gpuErrchk(cudaEventDestroy(start));
    gpuErrchk(cudaEventDestroy(stop));
    cudaFree(d_q);
    cudaFree(d_k);
    cudaFree(d_v);
    cudaFree(d_out);
    free(h_q);
    free(h_k);
    free(h_v);
    free(h_out);
    free(weight);
    return pass ? 0 : 1;
}
