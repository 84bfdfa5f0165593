// Constants of two inlined calls that are template arguments of what these call.
#include <cstdio>
#include <cuda_runtime.h>

template <int W> __device__ float sum_of_lanes(float value)
{
    for (int mask = W >> 1; mask >= 1; mask >>= 1)
        value += __shfl_xor_sync(0xffffffff, value, mask);
    return value;
}
template <int N> __device__ float sum_of_block(float value)
{
    constexpr int WARPS = (N + 31) / 32;
    int lane = threadIdx.x % 32;
    __shared__ float sums[WARPS];
    value = sum_of_lanes<32>(value);
    if (lane == 0 && threadIdx.x / 32 < WARPS)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = lane < WARPS ? sums[lane] : 0.0f;
    return sum_of_lanes<WARPS>(value);
}
template <int N> __global__ void sums(const float *x, float *y)
{
    float whole = sum_of_block<N>(x[threadIdx.x]);
    y[threadIdx.x] = sum_of_block<64>(x[threadIdx.x] * whole);
}

int main()
{
    float *x, *y;
    cudaMallocManaged(&x, 256 * sizeof(float));
    cudaMallocManaged(&y, 256 * sizeof(float));
    for (int i = 0; i < 256; ++i)
        x[i] = i % 5 - 1;
    sums<256><<<1, 256>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; ++i)
        std::printf("%g ", y[i]);
    std::printf("\n");
}
