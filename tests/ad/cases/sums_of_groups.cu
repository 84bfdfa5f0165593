// Sums over the threads of a warp or a part of one by a function of a library.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// g2o-verify: warps<<<2, 64>>>(x = [128], w = [128], y = [128])
__global__ void warps(const float *x, const float *w, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float mean = cg::reduce(warp, x[i] * w[i], cg::plus<float>()) / 32.0f;
    y[i] = (x[i] - mean) * mean;
}

// g2o-verify: parts<<<2, 32>>>(x = [64], y = [8])
__global__ void parts(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto part = cg::tiled_partition<8>(cg::this_thread_block());
    double sum = cg::reduce(part, x[i] * x[i], cg::plus<double>());
    if (part.thread_rank() == 0)
        y[i / 8] = sqrt(sum) * x[i];
}
