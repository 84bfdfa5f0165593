// Alignment by diagonals of tiles: a block takes a tile, its threads the diagonals in it. One
// kernel for the diagonals that get longer, one for those that get shorter.
//
// usage: align_tiles [length] [penalty]

#include "align_tiles.hpp"

#include <cuda_runtime.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__device__ void align_tile(const int *reference, int *table, int cols, int penalty, int tile_x,
                           int tile_y)
{
    __shared__ int temp[TILE + 1][TILE + 1];
    __shared__ int ref[TILE][TILE];
    int tid = threadIdx.x;

    int north_west = cols * TILE * tile_y + TILE * tile_x;
    int north = north_west + tid + 1;
    int west = north_west + cols;
    int inside = north_west + cols + tid + 1;

    if (tid == 0)
        temp[0][0] = table[north_west];
    for (int ty = 0; ty < TILE; ty++)
        ref[ty][tid] = reference[inside + cols * ty];
    temp[tid + 1][0] = table[west + cols * tid];
    temp[0][tid + 1] = table[north];
    __syncthreads();

    for (int m = 0; m < TILE; m++) {
        if (tid <= m) {
            int x = tid + 1;
            int y = m - tid + 1;
            temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1],
                             max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
        }
        __syncthreads();
    }
    for (int m = TILE - 2; m >= 0; m--) {
        if (tid <= m) {
            int x = tid + TILE - m;
            int y = TILE - tid;
            temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1],
                             max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
        }
        __syncthreads();
    }

    for (int ty = 0; ty < TILE; ty++)
        table[inside + cols * ty] = temp[ty + 1][tid + 1];
}

__global__ void align_growing(const int *reference, int *table, int cols, int penalty, int diagonal)
{
    align_tile(reference, table, cols, penalty, blockIdx.x, diagonal - 1 - blockIdx.x);
}

__global__ void align_shrinking(const int *reference, int *table, int cols, int penalty,
                                int diagonal, int tiles)
{
    align_tile(reference, table, cols, penalty, blockIdx.x + tiles - diagonal,
               tiles - 1 - blockIdx.x);
}

int main(int argc, char **argv)
{
    const Sequences s = make_sequences(argc, argv);
    const int cols = s.length + 1, tiles = s.length / TILE;
    const size_t bytes = s.table.size() * sizeof(int);
    int *d_reference, *d_table;
    CHECK(cudaMalloc(&d_reference, bytes));
    CHECK(cudaMalloc(&d_table, bytes));
    CHECK(cudaMemcpy(d_reference, s.reference.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_table, s.table.data(), bytes, cudaMemcpyHostToDevice));

    const Stopwatch watch;
    for (int d = 1; d <= tiles; ++d)
        align_growing<<<d, TILE>>>(d_reference, d_table, cols, s.penalty, d);
    for (int d = tiles - 1; d >= 1; --d)
        align_shrinking<<<d, TILE>>>(d_reference, d_table, cols, s.penalty, d, tiles);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<int> table(s.table.size());
    CHECK(cudaMemcpy(table.data(), d_table, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_reference));
    CHECK(cudaFree(d_table));
    return finish(s, table, ms);
}
