// Transposition through tiles in shared memory, whose rows are one element longer, so that columns
// are read from different banks. A thread takes four elements of a tile.
//
// usage: transpose_batch [matrices] [rows] [columns] [repeats]

#include "transpose_batch.hpp"

#include <cuda_runtime.h>

constexpr int TILE = 32;
constexpr int TILE_ROWS = 8;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void transpose(const float *input, float *output, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    const size_t matrix = (size_t)blockIdx.z * rows * cols;

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += TILE_ROWS)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = input[matrix + (y + j) * cols + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += TILE_ROWS)
        if (x < rows && y + j < cols)
            output[matrix + (y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
    const Matrices m = make_matrices(argc, argv);
    const size_t bytes = m.input.size() * sizeof(float);
    float *d_input, *d_output;
    CHECK(cudaMalloc(&d_input, bytes));
    CHECK(cudaMalloc(&d_output, bytes));
    CHECK(cudaMemcpy(d_input, m.input.data(), bytes, cudaMemcpyHostToDevice));

    const dim3 block(TILE, TILE_ROWS);
    const dim3 grid((m.cols + TILE - 1) / TILE, (m.rows + TILE - 1) / TILE, m.count);
    const Stopwatch watch;
    for (int r = 0; r < m.repeats; ++r)
        transpose<<<grid, block>>>(d_input, d_output, m.rows, m.cols);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<float> output(m.input.size());
    CHECK(cudaMemcpy(output.data(), d_output, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_input));
    CHECK(cudaFree(d_output));
    return finish(m, output, ms);
}
