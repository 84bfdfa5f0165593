// Tiles whose size an argument of a template says.
// g2o-verify: norms<8><<<4, 64>>>(x = [600], y = [600], n = 30)
// g2o-verify: norms<32><<<8, 64>>>(x = [600], y = [600], n = 15)
// g2o-verify: butterflies<4><<<1, 64>>>(x = [64], y = [64])
// g2o-verify: butterflies<16><<<2, 32>>>(x = [64], y = [64])
// g2o-verify: beyond<2><<<1, 64>>>(x = [64], y = [64])
// g2o-verify: beyond<8><<<1, 64>>>(x = [64], y = [64])
// g2o-verify: rows<<<4, 64>>>(x = [600], y = [32], n = 30)
// g2o-verify: guarded<<<3, 64>>>(x = [100], y = [5], n = 5, m = 20)
// g2o-verify: turns<<<1, 64>>>(x = [64], y = [64], count = 3)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <int W>
__global__ void norms(const double *x, double *y, int n)
{
    auto tile = cg::tiled_partition<W>(cg::this_thread_block());
    int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= n)
        return;
    double sum = 0.0;
    for (int c = tile.thread_rank(); c < 20; c += tile.size())
        sum += exp(x[row * 20 + c]);
    sum = cg::reduce(tile, sum, cg::plus<double>());
    for (int c = tile.thread_rank(); c < 20; c += tile.size())
        y[row * 20 + c] = exp(x[row * 20 + c]) / sum;
}

template <int W>
__global__ void butterflies(const double *x, double *y)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[t], w = 1.0;
    for (int m = 1; m < W; m *= 2)
        v += sin(v) * __shfl_xor_sync(0xffffffffu, v, m, W);
    for (int o = W / 2; o > 0; o >>= 1)
        w += v * __shfl_xor_sync(0xffffffffu, w * v, o, W);
    y[t] = w * __shfl_sync(0xffffffffu, v, 1, W) + __shfl_sync(0xffffffffu, w, t * 3 + 1, W);
}

// Masks that read earlier tiles, and lanes that are counted modulo the width.
template <int W>
__global__ void beyond(const double *x, double *y)
{
    int t = threadIdx.x;
    double v = x[t];
    v += v * __shfl_xor_sync(0xffffffffu, v, 11, W);
    v *= __shfl_sync(0xffffffffu, v, 13, W);
    y[t] = v + __shfl_up_sync(0xffffffffu, v * v, 1, W);
}

__global__ void rows(const double *x, double *y, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    int row = t / 8, lane = t % 8;
    double s = 0;
    if (row < n)
        for (int c = lane; c < 20; c += 8)
            s += x[row * 20 + c] * x[row * 20 + c];
    for (int o = 4; o > 0; o >>= 1)
        s += __shfl_down_sync(0xffffffffu, s, o, 8);
    double best = x[t];
    for (int o = 4; o > 0; o >>= 1)
        best = fmax(best, __shfl_xor_sync(0xffffffffu, best, o, 8));
    if (row < n && lane == 0)
        y[row] = sqrt(s) * best;
}

// A whole warp for each row.
__global__ void guarded(const double *x, double *y, int n, int m)
{
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= n)
        return;
    double sum = 0.0;
    for (int k = lane; k < m; k += 32)
        sum += x[row * m + k] * x[row * m + k];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[row] = sqrt(sum);
}

__global__ void turns(const double *x, double *y, int count)
{
    int t = threadIdx.x;
    double v = x[t];
    for (int k = 0; k < count; ++k) {
        double o = __shfl_up_sync(0xffffffffu, v, 1, 4);
        if (t % 4 > 0)
            v = sin(v) + o * v;
        v *= __shfl_sync(0xffffffffu, v, 2, 4);
    }
    y[t] = v;
}

void launch(const double *x, double *y, int n)
{
    guarded<<<n / 2 + 1, 64>>>(x, y, n, 20);
}
