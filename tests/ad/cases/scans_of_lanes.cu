// Prefix sums of tiles of a warp.
// g2o-verify: scan_of_tile<<<2, 24>>>(n = 40, x = [n], y = [n])
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void scan_of_tile(const double *x, double *y, int n)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = i < n ? x[i] * x[i] : 1.0;
    double s = cg::inclusive_scan(tile, v);
    double e = cg::exclusive_scan(tile, s * v);
    if (i < n)
        y[i] = s * e;
}
