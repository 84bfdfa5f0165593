// Functions of a warp that templates are given as arguments.
#include <cstdio>
__device__ float warpSum(float v) { for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o); return v; }
using op_t = float (*)(float);
template <op_t warp_reduction>
__device__ inline float blockReduce(float val, bool final_sync, float out_of_bounds) {
    __shared__ float shared_val[32];
    const int lane_id = threadIdx.x % 32;
    const int warp_id = threadIdx.x / 32;
    const int num_warps = blockDim.x / 32;
    float warp_val = warp_reduction(val);
    if (lane_id == 0) { shared_val[warp_id] = warp_val; }
    __syncthreads();
    warp_val = (lane_id < num_warps) ? shared_val[lane_id] : out_of_bounds;
    float block_val = warp_reduction(warp_val);
    if (final_sync) {
        __syncthreads();
    }
    return block_val;
}
template <op_t warp_reduction> __device__ inline float blockReduce(float val) { return blockReduce<warp_reduction>(val, false, 0.0f); }
__global__ void k(const float *x, float *y, int n) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];
    s = blockReduce<warpSum>(s);
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}
namespace largest { __device__ float of_warp(float v) { for (int o = 16; o > 0; o /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, o)); return v; } }
namespace added { __device__ float of_warp(float v) { for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o); return v; } }
template <op_t F> __device__ float apply(float v) { return F(v) + 1; }
__global__ void of_namespaces(const float *x, float *y) {
    float a = apply<added::of_warp>(x[threadIdx.x]), b = apply<largest::of_warp>(x[threadIdx.x]);
    if (threadIdx.x == 0) { y[0] = a; y[1] = b; }
}
int main() {
    float *x, *y; cudaMallocManaged(&x, 4096); cudaMallocManaged(&y, 4096);
    for (int i = 0; i < 1000; i++) x[i] = i % 13;
    k<<<2, 128>>>(x, y, 1000); cudaDeviceSynchronize(); printf("%g %g\n", y[0], y[1]);
    of_namespaces<<<1, 32>>>(x, y); cudaDeviceSynchronize(); printf("%g %g\n", y[0], y[1]);
}
