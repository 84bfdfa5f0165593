// Groups that reduce by a function of the program, or by a lambda.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct SumMax { float maxval; float sum; };
__device__ __forceinline__ SumMax merge(SumMax a, SumMax b) {
    bool a_bigger = (a.maxval > b.maxval);
    SumMax bigger = a_bigger ? a : b;
    SumMax smaller = a_bigger ? b : a;
    SumMax res;
    res.maxval = bigger.maxval;
    res.sum = bigger.sum + smaller.sum * expf(smaller.maxval - bigger.maxval);
    return res;
}
__global__ void softmax(float *out, const float *inp, int N, int C) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N) return;
    const float *x = inp + idx * C;
    SumMax part;
    part.maxval = -INFINITY;
    part.sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size())
        part = merge(part, {x[i], 1.0f});
    SumMax total = cg::reduce(warp, part, merge);
    for (int i = warp.thread_rank(); i < C; i += warp.size())
        __stcs(out + idx * C + i, expf(x[i] - total.maxval) / total.sum);
}
__global__ void products(const int *x, int *y) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int p = cg::reduce(tile, x[block.thread_rank()], [](int a, int b) { return a * b; });
    int q = cg::reduce(tile, x[block.thread_rank()], [](int a, int b) { return a > b ? a : b; });
    int r = cg::reduce(tile, x[block.thread_rank()], cg::plus<int>());
    if (tile.thread_rank() == 0) { y[tile.meta_group_rank()] = p + q; y[8 + tile.meta_group_rank()] = r; }
}
// Has the name of one of the operators of cooperative groups, and does something else.
struct plus { __device__ int operator()(int a, int b) const { return a * b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return a + 2 * b - b; } };
__global__ void own_operators(const int *x, int *y) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int p = cg::reduce(warp, x[threadIdx.x], plus());
    int q = cg::reduce(warp, x[threadIdx.x], less<int>{});
    if (warp.thread_rank() == 0) { y[2 * warp.meta_group_rank()] = p; y[2 * warp.meta_group_rank() + 1] = q; }
}
using largest = cg::greater<int>;
template <class T> __global__ void operators_elsewhere(const T *x, T *y) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::plus<T> sum;
    T v = x[threadIdx.x] + cg::reduce(warp, x[threadIdx.x], sum);
    v += 1000 * cg::reduce(warp, x[threadIdx.x], largest());
    y[threadIdx.x] = v + 100000 * cg::reduce(warp, x[threadIdx.x], cooperative_groups::less<T>{});
}
int main() {
    float *x, *y; int *a, *b;
    cudaMallocManaged(&x, 1 << 14); cudaMallocManaged(&y, 1 << 14); cudaMallocManaged(&a, 4096); cudaMallocManaged(&b, 4096);
    for (int i = 0; i < 4096; i++) x[i] = (i * 31 % 17) / 4.f;
    for (int i = 0; i < 64; i++) a[i] = 1 + (i * 5 % 3);
    softmax<<<3, 64>>>(y, x, 5, 70); products<<<1, 64>>>(a, b);
    cudaDeviceSynchronize();
    float s = 0; for (int i = 0; i < 350; i++) s += y[i] * (i % 7);
    printf("%g\n", s);
    for (int i = 0; i < 16; i++) printf("%d ", b[i]);
    printf("\n");
    int *c; cudaMallocManaged(&c, 4096);
    own_operators<<<1, 64>>>(a, b); operators_elsewhere<int><<<1, 64>>>(a, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) printf("%d ", b[i]);
    for (int i = 0; i < 64; i += 9) printf("%d ", c[i]);
    printf("\n");
}
