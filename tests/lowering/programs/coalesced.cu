// Groups of the lanes that are there together, and of the lanes that have the same label.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

// One atomic for all lanes that get here.
__device__ int ticket(int *counter)
{
    auto g = cg::coalesced_threads();
    int first = 0;
    if (g.thread_rank() == 0)
        first = atomicAdd(counter, g.size());
    return g.shfl(first, 0) + g.thread_rank();
}

__global__ void keep_positive(const int *in, int *out, int *counter, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[ticket(counter)] = in[i];
}

__device__ int sum_of(const cg::coalesced_group &group, int value)
{
    for (int step = 1; step < (int)group.num_threads(); step *= 2) {
        int other = group.shfl_up(value, step);
        if ((int)group.thread_rank() >= step)
            value += other;
    }
    return value;
}

__global__ void running(const int *in, int *sums, int *flags, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = flags[i] = -1;
    if (i < n && in[i] % 3 != 0) {
        cg::coalesced_group odd = cg::coalesced_threads();
        sums[i] = sum_of(odd, in[i]);
        int next = odd.shfl_down(in[i], 1);
        odd.sync();
        flags[i] = 2 * next + odd.any(in[i] > 9) + 1000 * odd.all(in[i] > -50);
    }
}

__global__ void by_label(const int *in, int *counts, int *ranks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, ((in[i] % 4) + 4) % 4);
    counts[i] = same.size();
    ranks[i] = same.thread_rank() + 100 * same.shfl(i, same.size() - 1);
}

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

// One atomic for all lanes of a label; ranges of the lanes that keep something.
__global__ void combined(const int *in, int *out, int *totals, int *largest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = largest[i] = 0;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int label = ((in[i] % 4) + 4) % 4;
    auto same = cg::labeled_partition(warp, label);
    int sum = cg::reduce(same, in[i], cg::plus<int>());
    if (same.thread_rank() == 0)
        atomicAdd(&totals[label], sum);
    largest[i] = cg::reduce(same, in[i], Larger());
    if (i < n && in[i] % 3 != 0) {
        auto active = cg::coalesced_threads();
        int before = cg::exclusive_scan(active, in[i] & 7, cg::plus<int>());
        int with = cg::inclusive_scan(active, in[i]);
        out[i] = before + 100 * with + 10000 * cg::reduce(active, in[i], cg::less<int>());
    }
}

int main()
{
    constexpr int n = 200, padded = 256;
    int *in, *out, *a, *b, *counter;
    cudaMallocManaged(&in, padded * sizeof(int));
    cudaMallocManaged(&out, padded * sizeof(int));
    cudaMallocManaged(&a, padded * sizeof(int));
    cudaMallocManaged(&b, padded * sizeof(int));
    cudaMallocManaged(&counter, sizeof(int));
    for (int i = 0; i < padded; ++i) {
        in[i] = (i * 29 + 7) % 47 - 20;
        out[i] = 0;
    }
    *counter = 0;
    keep_positive<<<2, 128>>>(in, out, counter, n);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int k = 0; k < *counter; ++k)
        sum += out[k] * out[k];
    std::printf("%d %lld\n", *counter, sum);
    running<<<2, 128>>>(in, a, b, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < padded; ++i)
        std::printf("%d %d\n", a[i], b[i]);
    by_label<<<2, 128>>>(in, a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < padded; ++i)
        std::printf("%d %d\n", a[i], b[i]);
    for (int k = 0; k < 4; ++k)
        out[k] = 0;
    combined<<<2, 128>>>(in, a, out, b, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < padded; ++i)
        std::printf("%d %d %d\n", a[i], b[i], i < 4 ? out[i] : 0);
    cudaFree(in);
    cudaFree(out);
    cudaFree(a);
    cudaFree(b);
    cudaFree(counter);
}
