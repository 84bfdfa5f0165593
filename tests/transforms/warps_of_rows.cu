// A warp for every row: groups of the language, numbers of threads that have names, strides
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void layernorm(float *out, const float *inp, const float *w, const float *b, int N, int C) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N) return;
    const float *x = inp + idx * C;
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) sum += x[i];
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float m = sum / C;
    float var = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) { float d = x[i] - m; var += d * d; }
    var = cg::reduce(warp, var, cg::plus<float>{});
    float s = rsqrtf(var / C + 1e-5f);
    for (int i = warp.thread_rank(); i < C; i += warp.size()) out[idx * C + i] = s * (x[i] - m) * w[i] + b[i];
}
__device__ float warp_max(float v) { for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, o)); return v; }
__device__ float warp_sum(float v) { for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o); return v; }
__global__ void softmax(float *y, const float *x, int rows, int cols) {
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int row = gid / 32;
    int lane = gid % 32;
    if (row >= rows) return;
    float m = -INFINITY;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[row * cols + c]);
    m = warp_max(m);
    float s = 0;
    for (int c = lane; c < cols; c += 32) s += expf(x[row * cols + c] - m);
    s = warp_sum(s);
    for (int c = lane; c < cols; c += 32) y[row * cols + c] = expf(x[row * cols + c] - m) / s;
}
__global__ void dots(const double *a, const double *b, double *d, int rows, int n) {
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; row < rows; row += (gridDim.x * blockDim.x) >> 5) {
        double v = 0;
        for (int i = threadIdx.x & 31; i < n; i += 32) v += a[row * n + i] * b[i];
#pragma unroll
        for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
        if ((threadIdx.x & 31) == 0) d[row] = v;
    }
}

int main() {
    const int rows = 21, n = 100;
    float *x, *w, *y;
    double *a, *d;
    cudaMallocManaged(&x, rows * n * sizeof(float));
    cudaMallocManaged(&w, n * sizeof(float));
    cudaMallocManaged(&y, rows * n * sizeof(float));
    cudaMallocManaged(&a, rows * n * sizeof(double));
    cudaMallocManaged(&d, rows * sizeof(double));
    for (int i = 0; i < rows * n; ++i)
        x[i] = (i * 37 % 101) * 0.125f - 5.0f, a[i] = x[i];
    for (int i = 0; i < n; ++i)
        w[i] = 0.25f * (i % 7);
    const auto show = [&] {
        cudaDeviceSynchronize();
        double sum = 0;
        for (int i = 0; i < rows * n; ++i)
            sum += double(y[i]) * (i % 17 + 1);
        std::printf("%.3f\n", sum);
    };
    layernorm<<<3, 256>>>(y, x, w, w, rows, n);
    show();
    softmax<<<6, 128>>>(y, x, rows, n);
    show();
    dots<<<2, 256>>>(a, a + n, d, rows - 1, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < rows - 1; i += 6)
        std::printf("%.4f ", d[i]);
    std::printf("\n");
}
