// Operations of a warp that only some of its lanes take part in.
#include <cstdio>

__global__ void ranks(int *out)
{
    int lane = threadIdx.x % 32;
    int v = threadIdx.x;
    if (lane % 3) {
        unsigned there = __activemask();
        int from = __shfl_sync(there, v, lane % 2 + 1);
        out[threadIdx.x] = from + __popc(there);
    } else {
        out[threadIdx.x] = -1;
    }
}

__global__ void groups(int *out)
{
    int lane = threadIdx.x % 32;
    int left = lane / 4 + 1;
    int seen = 0;
    int turns = 0;
    while (left > 0) {
        unsigned mask = __ballot_sync(__activemask(), true);
        unsigned same = __match_any_sync(mask, lane / 8);
        seen += __popc(same) * 100 + __reduce_add_sync(0xffffffff, left) + __reduce_max_sync(0xffffffff, lane);
        for (int d = 1; d < 3 - lane % 2; ++d)
            turns += d;
        left -= 1;
    }
    out[threadIdx.x] = seen + 10000 * turns;
}

int main()
{
    int *out, host[40];
    cudaMalloc(&out, sizeof host);
    ranks<<<1, 40>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 40; ++i)
        printf("%d\n", host[i]);
    groups<<<1, 40>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 40; ++i)
        printf("%d\n", host[i]);
}
