// The size of a tile as an argument, which is a constant.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
constexpr int width = 16;

__global__ void neighbours(int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::thread_group tile = cg::tiled_partition(block, 8);
    auto warp = cg::tiled_partition(block, width * 2);
    auto half = cg::tiled_partition(block, width);
    s[threadIdx.x] = threadIdx.x * 3;
    tile.sync();
    int x = s[(threadIdx.x & ~7) + (tile.thread_rank() + 1) % tile.size()];
    warp.sync();
    s[threadIdx.x] = x;
    cg::sync(warp);
    out[threadIdx.x] = s[threadIdx.x ^ 17] + warp.size() * 100 + half.thread_rank();
}

int main()
{
    int h[64], *d;
    cudaMalloc(&d, sizeof h);
    neighbours<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    printf("\n");
}
