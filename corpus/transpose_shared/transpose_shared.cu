// Out-of-place transposition of a rectangular matrix. A block of 32 x 8 threads moves a tile of
// 32 x 32 elements through shared memory, so that both the reads and the writes are coalesced.
//
// usage: transpose_shared [width height [repetitions]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define TILE_DIM 32
#define BLOCK_ROWS 8

#define checkCuda(call)                                                                            \
    {                                                                                              \
        cudaError_t result = call;                                                                 \
        if (result != cudaSuccess) {                                                               \
            fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));               \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    }

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // One column of padding keeps a column of the tile out of a single memory bank.
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }

    __syncthreads();

    // The block that is swapped across the diagonal.
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

int main(int argc, char **argv)
{
    int width = 100, height = 75, repetitions = 2;
    if (argc >= 3) {
        width = atoi(argv[1]);
        height = atoi(argv[2]);
    }
    if (argc >= 4)
        repetitions = atoi(argv[3]);
    const size_t elements = size_t(width) * height;
    const size_t mem_size = elements * sizeof(float);

    std::vector<float> h_in(elements), h_out(elements);
    unsigned int r = 5;
    for (size_t e = 0; e < elements; e++) {
        r = r * 1664525u + 1013904223u;
        h_in[e] = float(r >> 12) * 0.25f;
    }

    float *d_in, *d_out;
    checkCuda(cudaMalloc(&d_in, mem_size));
    checkCuda(cudaMalloc(&d_out, mem_size));
    checkCuda(cudaMemcpy(d_in, h_in.data(), mem_size, cudaMemcpyHostToDevice));
    checkCuda(cudaMemset(d_out, 0, mem_size));

    dim3 dimGrid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM, 1);
    dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);

    cudaEvent_t startEvent, stopEvent;
    checkCuda(cudaEventCreate(&startEvent));
    checkCuda(cudaEventCreate(&stopEvent));
    checkCuda(cudaEventRecord(startEvent, 0));
    for (int i = 0; i < repetitions; i++)
        transpose<<<dimGrid, dimBlock>>>(d_out, d_in, width, height);
    checkCuda(cudaEventRecord(stopEvent, 0));
    checkCuda(cudaEventSynchronize(stopEvent));
    float ms;
    checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
    checkCuda(cudaMemcpy(h_out.data(), d_out, mem_size, cudaMemcpyDeviceToHost));

    // Position-weighted, so that a misplaced element shows.
    bool correct = true;
    double checksum = 0.0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const float moved = h_out[size_t(x) * height + y];
            correct = correct && moved == h_in[size_t(y) * width + x];
        }
    }
    for (size_t e = 0; e < elements; e++)
        checksum += h_out[e] * double(e % 1009);

    printf("time_ms %.3f\n", ms);
    printf("checksum %.6e\n", checksum);
    printf("%s\n", correct ? "PASS" : "FAIL");

    checkCuda(cudaEventDestroy(startEvent));
    checkCuda(cudaEventDestroy(stopEvent));
    checkCuda(cudaFree(d_in));
    checkCuda(cudaFree(d_out));
    return correct ? 0 : 1;
}
