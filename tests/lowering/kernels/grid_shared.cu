// A function with dynamic shared memory that a kernel calls twice: one array.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ double dot(const double *x, const double *y, int n, double *result,
                      const cg::grid_group &grid)
{
    extern __shared__ double sums[];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    double sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        sum += x[i] * y[i];
    for (int d = tile.size() / 2; d > 0; d /= 2)
        sum += tile.shfl_down(sum, d);
    if (tile.thread_rank() == 0)
        sums[tile.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        sum = 0;
        for (unsigned w = 0; w < block.size() / 32; ++w)
            sum += sums[w];
        atomicAdd(result, sum);
    }
    grid.sync();
    return *result;
}

__global__ void step(double *x, double *r, double *results, int n)
{
    cg::grid_group grid = cg::this_grid();
    double before = dot(r, r, n, &results[0], grid);
    double along = dot(x, r, n, &results[1], grid);
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        x[i] += along / before * r[i];
}

void run(double *x, double *r, double *results, int n)
{
    void *arguments[] = {&x, &r, &results, &n};
    cudaLaunchCooperativeKernel((void *)step, 2, 64, arguments, 2 * sizeof(double), 0);
}
