// Loops over ranges that functions return as lists of what they are made from, and conditions that
// name what only a library declares.
#include <cstdio>

#ifdef WITH_LIBRARY
#include <cublas_v2.h>
#if PRECISION == CUDA_R_16BF
typedef float Number;
#endif
#endif

struct Steps {
    int first, limit, step;

    struct At {
        int index, step;
        __device__ int operator*() const { return index; }
        __device__ At &operator++()
        {
            index += step;
            return *this;
        }
        __device__ bool operator!=(const At &other) const { return index < other.index; }
    };

    __device__ At begin() const { return {first, step}; }
    __device__ At end() const { return {limit, step}; }
};

__device__ Steps all_of(int n)
{
    return {int(blockIdx.x * blockDim.x + threadIdx.x), n, int(gridDim.x * blockDim.x)};
}

struct Pair {
    float low, high;
};

__device__ Pair around(float x) { return {x - threadIdx.x, x + threadIdx.x}; }

__device__ int lane_and(int k) { return {int(threadIdx.x) + k}; }

__device__ float *mine(float *x) { return {x + blockIdx.x * blockDim.x + threadIdx.x}; }

__device__ const Pair ends(float x) { return {float(threadIdx.x), x}; }

__device__ float width(const Pair &pair) { return pair.high - pair.low; }

__global__ void listed(float *x) { *mine(x) += width(ends(3)) + lane_and(2) + ends(4).low; }

__global__ void triangles(int *sums, int n)
{
    for (int i : all_of(n)) {
        int sum = 0;
        for (int k : Steps{1, i + 1, 1})
            sum += k;
        sums[i] = sum;
    }
}

__global__ void widths(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pair pair = around(x[i]);
        x[i] = pair.high - pair.low + around(1).low;
    }
}

int main()
{
    const int n = 50;
    int *sums;
    float *x;
    cudaMallocManaged(&sums, n * sizeof(int));
    cudaMallocManaged(&x, n * sizeof(float));
    for (int i = 0; i < n; ++i)
        x[i] = i;
    triangles<<<2, 8>>>(sums, n);
    widths<<<4, 16>>>(x, n);
    listed<<<3, 16>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%d %g\n", sums[i], x[i]);
    cudaFree(sums);
    cudaFree(x);
}
