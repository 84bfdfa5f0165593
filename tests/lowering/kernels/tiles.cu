// Groups of fewer lanes than a warp: a loop over tiles, where nothing crosses them.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <int W>
__global__ void row_sums(const int *start, const float *x, float *y, int rows)
{
    auto tile = cg::tiled_partition<W>(cg::this_thread_block());
    for (int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank(); row < rows;
         row += gridDim.x * tile.meta_group_size()) {
        float sum = 0.0f;
        for (int k = start[row] + tile.thread_rank(); k < start[row + 1]; k += W)
            sum += x[k];
        for (int offset = tile.size() / 2; offset > 0; offset /= 2)
            sum += tile.shfl_down(sum, offset);
        if (tile.thread_rank() == 0)
            y[row] = sum;
    }
}

__global__ void shares(const float *x, float *y, int rows)
{
    int row = (blockIdx.x * 64 + threadIdx.x) / 8;
    int lane = threadIdx.x & 7;
    if (row >= rows)
        return;
    float own = x[row * 8 + lane];
    float sum = own;
    for (int mask = 4; mask > 0; mask >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, mask, 8);
    y[row * 8 + lane] = own / sum;
}

// A mask beyond the width reads an earlier tile: the warp stays one.
__global__ void crossing(const float *x, float *y)
{
    float v = x[threadIdx.x];
    y[threadIdx.x] = v + __shfl_xor_sync(0xffffffff, v, 12, 8);
}

void run(const int *start, const float *x, float *y, int rows)
{
    row_sums<16><<<64, 128>>>(start, x, y, rows);
    shares<<<(rows + 7) / 8, 64>>>(x, y, rows);
    crossing<<<1, 64>>>(x, y);
}
