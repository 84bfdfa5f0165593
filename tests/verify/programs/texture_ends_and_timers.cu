// Elements beyond the ends of linear memory are 0 whatever the texture does at its edges; the global
// timer counts on; groups of lanes are parts of the group that they come from.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void fetch(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex1Dfetch<int>(t, static_cast<int>(threadIdx.x) - 1);
}

__global__ void time_passes(int *out)
{
    unsigned long long first, second;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(second));
    *out = second >= first && first > 0;
}

__global__ void partition(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto third = cg::labeled_partition(warp, threadIdx.x % 3);
    auto part = cg::binary_partition(third, threadIdx.x < 16);
    out[threadIdx.x] = 100 * part.size() + part.thread_rank();
}

int main()
{
    int *x, *out;
    cudaMallocManaged(&x, 4 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 4; ++i)
        x[i] = i + 5;
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = x;
    memory.res.linear.desc = cudaCreateChannelDesc<int>();
    memory.res.linear.sizeInBytes = 4 * sizeof(int);
    cudaTextureDesc how = {};
    how.addressMode[0] = cudaAddressModeClamp;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &memory, &how, nullptr);
    fetch<<<1, 6>>>(t, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; ++i)
        printf("%d ", out[i]);
    time_passes<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[0]);
    partition<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[15], out[16], out[31]);
    return 0;
}
// output: 0 5 6 7 8 0 1
// output: 600 605 600 605
