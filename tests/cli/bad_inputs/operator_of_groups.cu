// Operators of cooperative groups that are called like functions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <typename Operator>
__device__ int both(int a, int b, Operator op) {
    return op(a, b);
}

template <typename Operator>
__device__ int over_warp(int value, Operator op) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    for (int i = 16; i > 0; i /= 2)
        value = op(value, warp.shfl_xor(value, i));
    return value;
}

__global__ void handed_on(int *x) {
    x[threadIdx.x] = both(x[threadIdx.x], 3, cg::less<int>());
}

__global__ void called(int *x) {
    x[threadIdx.x] = over_warp(x[threadIdx.x], cg::plus<int>());
}
