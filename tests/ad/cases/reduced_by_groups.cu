// Extremes and sums over warps and tiles of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
// g2o-verify: row_sum<<<2, 64>>>(x = [4 * n], y = [4], n = 50)
__global__ void row_sum(const float *x, float *y, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    const float *xr = x + row * n;
    float s = 0.0f;
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        s += xr[i] * xr[i];
    s = cg::reduce(warp, s, cg::plus<float>{});
    if (warp.thread_rank() == 0)
        y[row] = s;
}
// g2o-verify: row_max<<<2, 64>>>(x = [4 * n], y = [4], n = 50)
__global__ void row_max(const float *x, float *y, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    const float *xr = x + row * n;
    float m = -1e30f;
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        m = fmaxf(m, xr[i]);
    m = cg::reduce(warp, m, cg::greater<float>{});
    if (warp.thread_rank() == 0)
        y[row] = m;
}
// g2o-verify: row_min<<<2, 64>>>(x = [4 * n], y = [4 * n], n = 50)
__global__ void row_min(const float *x, float *y, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    const float *xr = x + row * n;
    float m = 1e30f;
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        m = fminf(m, xr[i]);
    m = cg::reduce(warp, m, cg::less<float>{});
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        y[row * n + i] = xr[i] * m;
}
// g2o-verify: guarded<<<2, 64>>>(x = [3 * n], y = [3], N = 3, n = 50)
__global__ void guarded(const float *x, float *y, int N, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= N)
        return;
    float m = -INFINITY;
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        m = fmaxf(m, x[row * n + i]);
    m = cg::reduce(warp, m, cg::greater<float>{});
    float s = 0.0f;
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        s += expf(x[row * n + i] - m);
    s = cg::reduce(warp, s, cg::plus<float>());
    if (warp.thread_rank() == 0)
        y[row] = m * m + logf(s);
}
// g2o-verify: tiles<<<2, 32>>>(x = [64], y = [64])
__global__ void tiles(const float *x, float *y)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float low = cg::reduce(tile, x[i] * x[i], cg::less<float>());
    float all = cg::reduce(tile, x[i], cg::plus<float>());
    y[i] = low * x[i] + all;
}
// g2o-verify: loops<<<2, 32>>>(x = [64 * n], y = [64], n = 5)
__global__ void loops(const double *x, double *y, int n)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = 1.0;
    for (int k = 0; k < n; ++k) {
        v = sin(v * x[i * n + k]) + x[i * n + k];
        v = v + 0.5 * cg::reduce(warp, v, cg::greater<double>());
    }
    y[i] = v;
}
