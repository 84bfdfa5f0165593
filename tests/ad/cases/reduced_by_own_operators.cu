// Reductions by operators of the program's own: online softmax, functors and lambdas.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct __align__(8) SumMax { float maxval; float sumval; };
__device__ __forceinline__ SumMax reduce_sum_max_op(SumMax a, SumMax b)
{
    bool a_bigger = (a.maxval > b.maxval);
    SumMax bigger_m = a_bigger ? a : b;
    SumMax smaller_m = a_bigger ? b : a;
    SumMax res;
    res.maxval = bigger_m.maxval;
    res.sumval = bigger_m.sumval + smaller_m.sumval * expf(smaller_m.maxval - bigger_m.maxval);
    return res;
}
// g2o-verify: softmax_online<<<2, 64>>>(out = [4 * n], inp = [4 * n], N = 4, n = 50)
__global__ void softmax_online(float *out, const float *inp, int N, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N)
        return;
    const float *x = inp + idx * n;
    SumMax sm;
    sm.maxval = -1e30f;
    sm.sumval = 0.0f;
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        sm = reduce_sum_max_op(sm, {x[i], 1.0f});
    SumMax sm_total = cg::reduce(warp, sm, reduce_sum_max_op);
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        __stcs(out + idx * n + i, expf(x[i] - sm_total.maxval) / sm_total.sumval);
}
struct Pair { float a; float b; };
struct Product { __device__ Pair operator()(const Pair &p, const Pair &q) const { return {p.a * q.a, p.b * q.a + q.b}; } };
__device__ float both(float x, float y) { return x + y + 0.5f * x * y; }
// g2o-verify: functor<<<2, 32>>>(x = [64], y = [64])
__global__ void functor(const float *x, float *y)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pair p = {1.0f + 0.1f * x[i], x[i]};
    Pair q = cg::reduce(tile, p, Product{});
    y[i] = q.a + x[i] * q.b;
}
// g2o-verify: plain<<<2, 32>>>(x = [64], y = [64])
__global__ void plain(const float *x, float *y)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * cg::reduce(warp, 0.1f * x[i], both);
}
// g2o-verify: lambdas<<<2, 32>>>(x = [64], y = [64])
__global__ void lambdas(const float *x, float *y)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 1.0f + 0.1f * x[i];
    v = cg::reduce(warp, v, [](float a, float b) { return a * b; });
    y[i] = x[i] * v;
}
