// What cooperative groups do as a whole: scans, copies, groups that are handed on, ranks.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void scans(const int *x, int *sums, int *before, int *largest) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = cg::inclusive_scan(warp, x[i], cg::plus<int>());
    before[i] = cg::exclusive_scan(tile, x[i]);
    largest[i] = cg::inclusive_scan(tile, x[i], cg::greater<int>());
}

__global__ void copies(const int *x, int *y, int n) {
    extern __shared__ int part[];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, part, x + blockIdx.x * n, sizeof(int) * n);
    cg::wait(block);
    for (int i = block.thread_rank(); i < n; i += block.size())
        y[blockIdx.x * n + i] = part[n - 1 - i];
}

__device__ int sum_of(cg::thread_group group, int *buffer, int value) {
    int rank = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        buffer[rank] = value;
        group.sync();
        if (rank < i)
            value += buffer[rank + i];
        group.sync();
    }
    return value;
}

template <int Size>
__device__ int sum_of_tile(cg::thread_block_tile<Size> tile, int value) {
    for (int i = tile.size() / 2; i > 0; i /= 2)
        value += tile.shfl_down(value, i);
    return value;
}

__global__ void block_sum(const int *x, int *y) {
    __shared__ int buffer[64];
    auto block = cg::this_thread_block();
    int sum = sum_of(block, buffer, x[blockIdx.x * blockDim.x + threadIdx.x]);
    if (block.thread_rank() == 0)
        y[blockIdx.x] = sum;
}

template <int Size>
__global__ void tile_sums(const int *x, int *y) {
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = sum_of_tile<Size>(tile, x[i]);
    if (tile.thread_rank() == 0)
        y[i / Size] = sum;
}

template <typename Operator>
__device__ int over_warp(int value, Operator op) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    return cg::reduce(warp, value, op);
}

__global__ void by_operators(const int *x, int *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = over_warp(x[i], cg::plus<int>()) + 1000 * over_warp(x[i], cg::less<int>());
}

__global__ void ranks(int *y) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    int i = grid.thread_rank();
    y[i] = block.thread_rank() + 1000 * threadIdx.y + 10000 * blockIdx.y;
    if (i == 0)
        y[0] = grid.size() + 100000 * grid.num_blocks();
}

void print(const int *y, int n) {
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%d ", y[i]);
    printf("\n");
}

int main() {
    const int n = 128;
    int *x, *y, *z, *w;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&y, n * sizeof(int));
    cudaMallocManaged(&z, n * sizeof(int));
    cudaMallocManaged(&w, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        x[i] = i * 7 % 13;
    scans<<<2, 64>>>(x, y, z, w);
    print(y, n);
    print(z, n);
    print(w, n);
    copies<<<4, 16, 32 * sizeof(int)>>>(x, y, 32);
    print(y, n);
    block_sum<<<2, 64>>>(x, y);
    print(y, 2);
    tile_sums<16><<<2, 64>>>(x, y);
    print(y, 8);
    by_operators<<<2, 64>>>(x, y);
    print(y, n);
    void *arguments[] = {&y};
    cudaLaunchCooperativeKernel((void *)ranks, dim3(2, 2), dim3(8, 4), arguments, 0, 0);
    print(y, n);
    return 0;
}
