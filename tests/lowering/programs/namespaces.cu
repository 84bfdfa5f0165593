// Functions that are inlined from another namespace call functions of theirs; names from the root.
#include <cstdio>

namespace tools {
namespace loads {
__device__ float load(const float *p) { return *p * 0.5f; }
template <int N> __device__ float scaled(float x) { return x * N; }
__device__ float lane_load(const float *p) { return scaled<3>(load(p + threadIdx.x)); }
} // namespace loads
__device__ float block_sum(const float *x, float *buffer) {
    buffer[threadIdx.x] = loads::lane_load(x);
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 32; ++i)
        sum += loads::load(buffer + i);
    __syncthreads();
    return sum;
}
__global__ void inside(const float *x, float *out) {
    __shared__ float buffer[32];
    out[threadIdx.x] = block_sum(x, buffer) + loads::lane_load(x);
}
} // namespace tools

__global__ void outside(const float *x, float *out) {
    __shared__ float buffer[32];
    out[threadIdx.x] += ::tools::block_sum(x, buffer) * ::max(::min(threadIdx.x, 3u), 2u);
}

int main() {
    float x[32], *d_x, *d_out;
    for (int i = 0; i < 32; ++i)
        x[i] = i + 0.25f;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_out, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    tools::inside<<<1, 32>>>(d_x, d_out);
    outside<<<1, 32>>>(d_x, d_out);
    cudaMemcpy(x, d_out, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i)
        printf("%g ", x[i]);
    printf("\n");
}
