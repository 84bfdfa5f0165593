// Reductions by operators of the program, and extremes of infinities, where only some lanes go.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;

struct SumMax {
    float largest, sum;
};

__device__ SumMax joined(SumMax a, SumMax b)
{
    SumMax larger = a.largest > b.largest ? a : b, smaller = a.largest > b.largest ? b : a;
    larger.sum += smaller.sum * exp2f(smaller.largest - larger.largest);
    return larger;
}

__global__ void rows(const float *x, float *y, int count, int n)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= count)
        return;
    SumMax own = {-1e30f, 0.0f};
    for (int i = warp.thread_rank(); i < n; i += 32)
        own = joined(own, {x[row * n + i], 1.0f});
    SumMax all = cg::reduce(warp, own, joined);
    if (warp.thread_rank() == 0) {
        y[2 * row] = all.largest;
        y[2 * row + 1] = all.sum;
    }
}

__global__ void extremes(const float *x, float *y, int n)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i / 8 % 3 == 1)
        return;
    float smallest = cg::reduce(tile, i / 8 == 2 ? INFINITY : x[i], cg::less<float>());
    float largest = cg::reduce(tile, i / 8 == 3 ? -INFINITY : x[i], cg::greater<float>());
    float all = cg::reduce(tile, x[i], [](float a, float b) { return a + b; });
    if (tile.thread_rank() == 0) {
        y[3 * (i / 8)] = smallest;
        y[3 * (i / 8) + 1] = largest;
        y[3 * (i / 8) + 2] = all;
    }
}

int main()
{
    const int n = 50, count = 3;
    float *x, *y;
    cudaMallocManaged(&x, n * count * sizeof(float));
    cudaMallocManaged(&y, 64 * sizeof(float));
    for (int i = 0; i < 64; ++i)
        y[i] = 0.0f;
    for (int i = 0; i < n * count; ++i)
        x[i] = float(i * 7 % 13 - 3);
    rows<<<2, 64>>>(x, y, count, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * count; ++i)
        printf("%g ", y[i]);
    extremes<<<2, 32>>>(x, y, 64);
    cudaDeviceSynchronize();
    for (int i = 0; i < 24; ++i)
        printf("%g ", y[i]);
    printf("\n");
    return 0;
}
