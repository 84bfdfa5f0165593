// Operators that take their values by reference, and one that has something of its own
#include <cstdio>
#include <cuda_runtime.h>

__device__ __forceinline__ float plus(const float &x, const float &y) { return x + y; }

template <typename T> struct Larger {
    __device__ T operator()(const T &x, const T &y) const { return x > y ? x : y; }
};

struct Add {
    __device__ float operator()(const float &x, const float &y) const { return x + y; }
};

struct Weighted {
    float weight;
    __device__ float operator()(const float &x, const float &y) const { return weight * x + y; }
};

struct Counting {
    float offset;
    __device__ float operator()(const float &x, const float &y) const { return x + y + offset; }
};

__global__ void by_function(const float *x, float *y)
{
    float val = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset >>= 1) {
        float other = __shfl_xor_sync(0xffffffff, val, offset);
        val = plus(other, val);
    }
    if (threadIdx.x % 32 == 0)
        y[blockIdx.x * 8 + threadIdx.x / 32] = val;
}

template <typename Op> __device__ float reduced(float val, Op op)
{
    for (int offset = 16; offset > 0; offset >>= 1) {
        float other = __shfl_xor_sync(0xffffffff, val, offset);
        val = op(other, val);
    }
    return val;
}

__global__ void by_object(const float *x, float *y)
{
    Add add;
    float val = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset >>= 1) {
        float other = __shfl_xor_sync(0xffffffff, val, offset);
        val = add(other, val);
    }
    if (threadIdx.x % 32 == 0)
        y[blockIdx.x * 8 + threadIdx.x / 32] = val;
}

__global__ void by_others(const float *x, float *y)
{
    Weighted weighted = {0.5f + 0.125f * threadIdx.x};
    Counting counting = {0.25f};
    float val = x[blockIdx.x * blockDim.x + threadIdx.x];
    float sum = val;
    for (int offset = 16; offset > 0; offset >>= 1) {
        float other = __shfl_xor_sync(0xffffffff, val, offset);
        val = weighted(other, val);
        float more = __shfl_xor_sync(0xffffffff, sum, offset);
        sum = counting(more, sum);
    }
    float most = reduced(x[blockIdx.x * blockDim.x + threadIdx.x], Larger<float>());
    if (threadIdx.x % 32 == 0)
        y[blockIdx.x * 8 + threadIdx.x / 32] = val + sum + most;
}

int main()
{
    const int n = 1024;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, 32 * sizeof(float));
    for (int i = 0; i < n; ++i)
        x[i] = (i * 37 % 101) * 0.25f;
    for (int round = 0; round < 3; ++round) {
        if (round == 0)
            by_function<<<4, 256>>>(x, y);
        if (round == 1)
            by_object<<<4, 256>>>(x, y);
        if (round == 2)
            by_others<<<4, 256>>>(x, y);
        cudaDeviceSynchronize();
        for (int i = 0; i < 32; i += 3)
            printf("%g ", y[i]);
        printf("\n");
    }
    cudaFree(x);
    cudaFree(y);
    return 0;
}
