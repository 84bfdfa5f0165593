// Names for cooperative groups that are introduced inside of a kernel.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void sums(const int *x, int *out) {
    namespace cg = cooperative_groups;
    using namespace cg;
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    __shared__ int part[2];
    int v = x[block.thread_rank()];
    for (int d = 16; d > 0; d /= 2)
        v += warp.shfl_down(v, d);
    if (warp.thread_rank() == 0)
        part[block.thread_rank() / 32] = v;
    block.sync();
    if (block.thread_rank() == 0)
        out[0] = part[0] + part[1];
}

int main() {
    int x[64], *d, *out, sum;
    for (int i = 0; i < 64; ++i)
        x[i] = i * i;
    cudaMalloc(&d, sizeof x);
    cudaMalloc(&out, sizeof sum);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(d, out);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
}
