// A cooperative launch: a prefix sum over blocks, with three barriers of the whole grid.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void prefix(int *x, int *sums, int n) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ int offset;
    int i = grid.thread_rank();
    if (block.thread_rank() == 0)
        sums[blockIdx.x] = 0;
    block.sync();
    if (i < n)
        atomicAdd(&sums[blockIdx.x], x[i]);
    grid.sync();
    if (threadIdx.x == 0) {
        offset = 0;
        for (unsigned b = 0; b < blockIdx.x; ++b)
            offset += sums[b];
    }
    block.sync();
    int sum = offset;
    for (unsigned j = blockIdx.x * blockDim.x; j <= (unsigned)i && i < n; ++j)
        sum += x[j];
    cg::sync(grid);
    if (i < n)
        x[i] = sum;
    auto tile = cg::tiled_partition<8>(block);
    int top = cg::reduce(tile, i < n ? x[i] : 0, cg::greater<int>());
    if (i == 9)
        sums[0] = top;
}

int main() {
    int n = 100, *x, *sums;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&sums, 4 * sizeof(int));
    for (int i = 0; i < n; ++i)
        x[i] = i % 5;
    void *arguments[] = {&x, &sums, &n};
    cudaError_t error = cudaLaunchCooperativeKernel((void *)prefix, 4, 32, arguments);
    cudaDeviceSynchronize();
    printf("%s: %d %d %d, top %d\n", cudaGetErrorName(error), x[4], x[40], x[99], sums[0]);
}
// output: cudaSuccess: 10 80 200, top 30
