// Types that an inner block declares, with barriers and warp operations beside what uses them.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

enum Side { front, back };

__global__ void classify(const int *in, int *out, int n)
{
    __shared__ int sums[2];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 2)
        sums[threadIdx.x] = 0;
    __syncthreads();
    int where = in[i] % 2 ? front : back;
    if (n > 0) {
        enum { small, middle, large };
        struct Pair {
            int kind, value;
        };
        Pair own = {small, in[i]};
        if (own.value > 10)
            own.kind = own.value > 50 ? large : middle;
        const unsigned votes = __ballot_sync(0xffffffffu, own.kind == large);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&sums[0], __popc(votes));
        __syncthreads();
        if (own.kind == middle)
            atomicAdd(&sums[1], own.value);
        __syncthreads();
        out[i] = sums[0] * 10000 + sums[1] * 10 + own.kind + where * 5;
    }
}

// Types of CUDA in a type without a name, and in one with a method.
__global__ void halves(const int *in, int *out)
{
    union {
        float2 numbers;
        half2 packed[2];
    } both;
    struct Status {
        half number;
        cudaError_t error;
        __device__ int code() const { return int(__half2float(number)) * 10 + error; }
    } status;
    both.packed[0] = __floats2half2_rn(in[threadIdx.x], 1.0f);
    both.packed[1] = __hadd2(both.packed[0], both.packed[0]);
    status.number = __high2half(both.packed[1]);
    status.error = cudaErrorInvalidValue;
    float2 copy = both.numbers;
    both.numbers.x = copy.y;
    out[threadIdx.x] = int(__low2float(both.packed[0])) * 100 + status.code();
}

int main()
{
    constexpr int n = 128;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        in[i] = (i * 31 + 5) % 97;
    classify<<<2, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        std::printf("%d\n", out[i]);
    halves<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        std::printf("%d\n", out[i]);
    cudaFree(in);
    cudaFree(out);
}
