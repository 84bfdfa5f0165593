// A tile of more threads than a warp has, told by a macro and by a constant.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define TILE 64
constexpr unsigned WIDE = 128;

__global__ void by_macro(const float *x, float *y)
{
    auto tile = cg::tiled_partition<TILE>(cg::this_thread_block());
    y[threadIdx.x] = tile.shfl_down(x[threadIdx.x], 1);
}

__global__ void by_constant(const float *x, float *y)
{
    auto tile = cg::tiled_partition<WIDE>(cg::this_thread_block());
    y[threadIdx.x] = tile.shfl_down(x[threadIdx.x], 1);
}
