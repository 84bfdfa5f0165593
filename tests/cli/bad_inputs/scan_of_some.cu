// A scan by those lanes alone that come this way: which lanes are in front of one is not known.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void kernel(const int *x, int *y)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int value = x[threadIdx.x], result = 0;
    if (value > 3)
        result = cg::inclusive_scan(warp, value, cg::plus<int>());
    y[threadIdx.x] = result;
}
