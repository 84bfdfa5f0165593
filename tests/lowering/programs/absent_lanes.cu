// A shuffle from lanes that take no part: programs that add up what they get rely on 0.
#include <cstdio>

__device__ float warp_sum(unsigned mask, float value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(mask, value, offset);
    return value;
}

template <unsigned Size>
__global__ void block_sums(const float *x, float *sums, int n) {
    __shared__ float partial[32];
    unsigned t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * Size + t; i < n; i += Size * gridDim.x)
        sum += x[i];
    sum = warp_sum(0xffffffffu, sum);
    if (t % warpSize == 0)
        partial[t / warpSize] = sum;
    __syncthreads();
    const unsigned warps = Size / warpSize;
    const unsigned ballot = __ballot_sync(0xffffffffu, t < warps);
    if (t < warps) {
        sum = partial[t];
        sum = warp_sum(ballot, sum);
    }
    if (t == 0)
        sums[blockIdx.x] = sum;
}

int main() {
    const int n = 3000, blocks = 4;
    float *x, *sums;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&sums, blocks * sizeof(float));
    float expected = 0;
    for (int i = 0; i < n; ++i)
        expected += x[i] = float(i % 17);
    block_sums<256><<<blocks, 256>>>(x, sums, n);
    cudaDeviceSynchronize();
    float total = 0;
    for (int i = 0; i < blocks; ++i)
        total += sums[i];
    printf("%g %s\n", total, total == expected ? "ok" : "wrong");
    return total != expected;
}
