// What a template is called for is spelled as translations spell it, where its body is moved.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

template <class T> struct Pair {
    T values[2];
    __device__ float sum() const { return (float)values[0] + (float)values[1]; }
};

template <class T> __device__ float crossed(const T *address, float *s)
{
    Pair<T> own{{address[0], address[1]}};
    s[threadIdx.x] = own.sum();
    __syncthreads();
    const T *other = address + 1;
    float result = s[63 - threadIdx.x] + (float)*other;
    __syncthreads();
    return result;
}

__global__ void fill(__nv_bfloat16 *x, half *h)
{
    int i = threadIdx.x;
    x[i] = __float2bfloat16(i % 7);
    h[i] = __float2half(i % 5);
}

__global__ void cross(const __nv_bfloat16 *x, const half *h, float *y)
{
    __shared__ float s[64];
    int i = threadIdx.x * 2;
    y[i] = crossed(x + i, s);
    y[i + 1] = crossed(h + i, s);
}

int main()
{
    __nv_bfloat16 *x;
    half *h;
    float *y;
    cudaMallocManaged(&x, 128 * sizeof(*x));
    cudaMallocManaged(&h, 128 * sizeof(*h));
    cudaMallocManaged(&y, 128 * sizeof(*y));
    fill<<<1, 128>>>(x, h);
    cross<<<1, 64>>>(x, h, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i)
        std::printf("%g\n", y[i]);
    cudaFree(x);
    cudaFree(h);
    cudaFree(y);
    return 0;
}
