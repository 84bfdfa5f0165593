// Dynamic shared memory in kernels that synchronise their grid: each block keeps its own part.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ void add_up(const float *x, float *total, int n, const cg::grid_group &grid) {
    extern __shared__ double sums[];
    cg::thread_block block = cg::this_thread_block();
    double sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        sum += x[i];
    sums[block.thread_rank()] = sum;
    cg::sync(block);
    if (block.thread_rank() == 0) {
        for (unsigned i = 1; i < block.size(); ++i)
            sum += sums[i];
        atomicAdd(total, float(sum));
    }
}

__global__ void scale_by_sum(float *x, float *total, int n) {
    extern __shared__ float own[];
    cg::grid_group grid = cg::this_grid();
    add_up(x, total, n, grid);
    grid.sync();
    float *kept = own + 1;
    own[0] = 0;
    for (int i = threadIdx.x; i < 4; i += blockDim.x)
        kept[i] = blockIdx.x * 10 + i;
    grid.sync();
    int i = grid.thread_rank();
    if (i < n)
        x[i] = x[i] * *total + kept[i % 4];
}

int main() {
    const int threads = 32, blocks = 4;
    int n = threads * blocks;
    float *x, *total;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&total, sizeof(float));
    *total = 0;
    for (int i = 0; i < n; ++i)
        x[i] = float(i % 5);
    void *arguments[] = {&x, &total, &n};
    cudaLaunchCooperativeKernel((void *)scale_by_sum, blocks, threads, arguments,
                                threads * sizeof(double), 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%g\n", x[i]);
    return 0;
}
