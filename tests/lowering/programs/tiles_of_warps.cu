// Tiles of a warp: widths of shuffles, partitions, and what has to stay a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
#define TILE 8

// A barrier of the warp lets tiles see each other's memory.
__global__ void through_memory(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float v = x[t];
    v += __shfl_xor_sync(~0u, v, 1, 8);
    s[t] = v;
    __syncwarp();
    y[t] = s[t / 32 * 32 + (t + 11) % 32] + __shfl_sync(~0u, v, 5, 8);
}

// Two widths, and one of a whole warp.
__global__ void widths(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    v += __shfl_down_sync(~0u, v, 3, 8);
    v += __shfl_up_sync(~0u, v, 2, 16);
    float w = __shfl_sync(~0u, v, 9);
    y[t] = v + w;
}

// Carried from turn to turn, so that the array stays outside.
__global__ void carried(const float *x, float *y, int turns)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[t];
    for (int i = 0; i < turns; ++i) {
        float other = __shfl_xor_sync(0xffu << t / 8 % 4 * 8, v, i & 7, 8);
        v = 0.5f * v + other;
        if (i > (t / 8) % 9)
            break;
    }
    y[t] = v;
}

__global__ void not_everywhere(const float *x, float *y, int rows)
{
    int lane = threadIdx.x % 4;
    float v = 1.0f;
    for (int r = (blockIdx.x * blockDim.x + threadIdx.x) / 4; r < rows; r += gridDim.x * blockDim.x / 4) {
        if (lane < 3)
            v = x[r * 4 + lane];
        float sum = v;
        for (int o = 2; o > 0; o /= 2)
            sum += __shfl_down_sync(~0u, sum, o, 4);
        if (lane == 0)
            y[r] = sum;
    }
}

template <int W> __device__ float tile_max(cg::thread_block_tile<W> tile, float v)
{
    for (int o = W / 2; o >= 1; o >>= 1)
        v = fmaxf(v, tile.shfl_xor(v, o));
    return v;
}

template <int W> __global__ void norm(const float *x, float *y, int n)
{
    auto tile = cg::tiled_partition<W>(cg::this_thread_block());
    int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= n)
        return;
    float top = -1.0f;
    for (int c = tile.thread_rank(); c < 50; c += tile.size())
        top = fmaxf(top, x[row * 50 + c]);
    top = tile_max<W>(tile, top);
    float sum = 0.0f;
    for (int c = tile.thread_rank(); c < 50; c += tile.size())
        sum += expf(x[row * 50 + c] - top);
    sum = cg::reduce(tile, sum, cg::plus<float>());
    for (int c = tile.thread_rank(); c < 50; c += tile.size())
        y[row * 50 + c] = expf(x[row * 50 + c] - top) / sum;
}

__global__ void votes(const int *x, int *y)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int v = x[t];
    unsigned bits = tile.ballot(v & 1);
    int sum = cg::inclusive_scan(tile, v, cg::plus<int>());
    int last = tile.shfl(sum, 7);
    int all = tile.all(v > 0);
    tile.sync();
    y[t] = bits * 1000 + sum + last * 7 + all + tile.shfl(v, 9) + tile.shfl_up(v, 3);
}

__global__ void odd_block(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    float v = t < n ? x[t] : 2.0f;
    float a = __shfl_down_sync(~0u, v, 1, 16);
    if (t % 16 < 9 && t + 1 < blockDim.x)
        v += a;
    y[t] = v;
    __syncthreads();
    float w = y[(t + 5) % blockDim.x];
    w += __shfl_xor_sync(~0u, w, 1, 2);
    y[t + 200] = w;
}

template <int W>
__global__ void rows(const float *x, float *y, int n, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int row = t / W, lane = threadIdx.x & (W - 1);
    float s = 0;
    if (row < n)
        for (int c = lane; c < m; c += W) s += x[row * m + c];
    for (int o = W >> 1; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o, W);
    if (row < n)
        for (int c = lane; c < m; c += W) y[row * m + c] = x[row * m + c] - s / m;
}

__global__ void tiles(const float *x, float *y, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<TILE> tile = cg::tiled_partition<TILE>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    float total = cg::reduce(tile, v, cg::plus<float>());
    float best = v;
    for (int o = tile.size() / 2; o > 0; o /= 2) best = fmaxf(best, tile.shfl_down(best, o));
    unsigned any = tile.any(v > 0.9f);
    if (tile.thread_rank() == 0 && i < n) y[blockIdx.x * 13 + tile.meta_group_rank()] = total + best + any + tile.meta_group_rank();
}

__global__ void scan4(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? x[i] : 0;
    for (int d = 1; d < 4; d *= 2) {
        int o = __shfl_up_sync(0xffffffffu, v, d, 4);
        if ((threadIdx.x & 3) >= d) v += o;
    }
    if (i < n) y[i] = v + __shfl_sync(0xffffffffu, v, 3, 4);
}

__global__ void loops(const int *start, const float *x, float *y, int n)
{
    int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
    for (int r = tile; r < n; r += gridDim.x * blockDim.x / 16) {
        float s = 0;
        for (int k = start[r] + lane; k < start[r + 1]; k += 16) s += x[k];
        s += __shfl_down_sync(~0u, s, 8, 16);
        s += __shfl_down_sync(~0u, s, 4, 16);
        s += __shfl_down_sync(~0u, s, 2, 16);
        s += __shfl_down_sync(~0u, s, 1, 16);
        if (lane == 0) y[r] = s;
    }
}
__global__ void grid2(const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float s = row < n ? x[row * 8 + threadIdx.x] : 0;
    for (int o = 4; o > 0; o >>= 1) s += __shfl_xor_sync(~0u, s, o, 8);
    if (row < n) y[row * 8 + threadIdx.x] = x[row * 8 + threadIdx.x] / s;
}
__global__ void block2(const float *x, float *y, int w)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    float s = x[t];
    s += __shfl_down_sync(~0u, s, 2, 4);
    s += __shfl_down_sync(~0u, s, 1, 4);
    if (t % 4 == 0) y[t / 4] = s;
}
__global__ void divergent(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    float s = x[t];
    int turns = t / 8;
    while (turns-- > 0)
        s += __shfl_xor_sync(0xffu << (t / 8 * 8 % 32), s, 1, 8);
    y[t] = s;
}

int main()
{
    float *x, *y;
    int *a, *b;
    cudaMallocManaged(&x, 7000 * sizeof(float));
    cudaMallocManaged(&y, 7000 * sizeof(float));
    cudaMallocManaged(&a, 7000 * sizeof(int));
    cudaMallocManaged(&b, 7000 * sizeof(int));
    for (int i = 0; i < 7000; ++i) {
        x[i] = (i * 37 % 101) / 101.0f;
        a[i] = i * 7 % 13;
        y[i] = 0;
        b[i] = 0;
    }
    through_memory<<<1, 64>>>(x, y);
    widths<<<1, 96>>>(x, y + 100);
    carried<<<3, 32>>>(x, y + 200, 12);
    not_everywhere<<<2, 32>>>(x, y + 400, 77);
    norm<4><<<2, 24>>>(x, y + 500, 11);
    norm<16><<<3, 64>>>(x, y + 1200, 11);
    norm<32><<<4, 96>>>(x, y + 1800, 11);
    votes<<<1, dim3(8, 6, 2)>>>(a, b);
    odd_block<<<1, 98>>>(x, y + 3000, 90);
    int threads = 96;
    rows<8><<<5, 64>>>(x, y + 4096, 37, 21);
    rows<4><<<5, threads>>>(x, y + 5096, 37, 21);
    tiles<<<4, 104>>>(x, y + 6096, 390);
    scan4<<<3, threads - 3>>>(a, b + 200, 250);
    int *start;
    cudaMallocManaged(&start, 51 * sizeof(int));
    for (int i = 0; i < 51; ++i)
        start[i] = i * i / 2;
    loops<<<2, 64>>>(start, x, y + 6296, 50);
    grid2<<<5, dim3(8, 8)>>>(x, y + 6396, 37);
    block2<<<1, dim3(6, 10)>>>(x, y + 6796, 6);
    divergent<<<1, 64>>>(x, y + 6896, 64);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7000; ++i)
        printf("%g %d\n", y[i], b[i]);
    return 0;
}
