// Tiles and coalesced groups whose lanes match, and the bits of lanes that are there together.
#include <cstdio>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tiles(const int *in, unsigned *out, int same)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x, v = in[t];
    out[t] = tile.match_any(v % 3) + 256 * tile.match_any(same) + 65536 * tile.ballot(same > 2);
    if (v > 4)
        out[t] += tile.match_any(v & 1) << 20;
}

__global__ void lanes(const int *in, unsigned *out)
{
    int t = threadIdx.x, v = in[t];
    if (v % 3 != 0) {
        auto here = cg::coalesced_threads();
        unsigned odd = here.ballot(v & 1);
        unsigned alike = here.match_any(v % 4);
        out[t] = odd * 7 + alike * 11 + here.thread_rank();
        if (here.ballot(v > 5) >> here.thread_rank() & 1)
            out[t] += 1u << 30;
    }
}

int main()
{
    const int n = 128;
    int *in;
    unsigned *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(unsigned));
    for (int i = 0; i < n; ++i)
        in[i] = (i * 7919) % 11;
    for (int kernel = 0; kernel < 3; ++kernel) {
        cudaMemset(out, 0, n * sizeof(unsigned));
        if (kernel == 0)
            lanes<<<1, n>>>(in, out);
        else
            tiles<<<1, n>>>(in, out, 3 * kernel - 3);
        cudaDeviceSynchronize();
        unsigned hash = 17;
        for (int i = 0; i < n; ++i)
            hash = hash * 31 + out[i];
        printf("%u %u\n", hash, out[n - 1]);
    }
    return 0;
}
