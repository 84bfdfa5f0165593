// Functions of groups that are declared in front of their definitions: both go, as they are inlined.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

namespace reduce {

// The sum of the warps.
template <int WARPS>
__device__ void block(cg::thread_block &all, cg::thread_block_tile<32> &warp, float &value);

__device__ float total(cg::thread_block_tile<32> &warp, float value);

template <int WARPS>
__device__ void block(cg::thread_block &all, cg::thread_block_tile<32> &warp, float &value)
{
    __shared__ float sums[32];
    value = total(warp, value);
    if (warp.thread_rank() == 0)
        sums[threadIdx.x / 32] = value;
    all.sync();
    value = 0;
    for (int i = 0; i < WARPS; ++i)
        value += sums[i];
}

__device__ float total(cg::thread_block_tile<32> &warp, float value)
{
    for (int i = 1; i < 32; i *= 2)
        value += warp.shfl_xor(value, i);
    return value;
}

} // namespace reduce

__global__ void sum(float *x)
{
    cg::thread_block all = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(all);
    float value = x[blockIdx.x * 128 + threadIdx.x];
    reduce::block<4>(all, warp, value);
    x[blockIdx.x * 128 + threadIdx.x] = value + threadIdx.x;
}

int main()
{
    float *x;
    cudaMallocManaged(&x, 256 * sizeof(float));
    for (int i = 0; i < 256; ++i)
        x[i] = i % 5;
    sum<<<2, 128>>>(x);
    cudaDeviceSynchronize();
    std::printf("%g %g %g\n", x[0], x[127], x[200]);
}
