// Numbers of half precision have no derivatives; they are refused where they would be lost.
#include <cuda_fp16.h>

__global__ void squared(const float *x, float *y)
{
    half v = __float2half(x[threadIdx.x]);
    half w = __hmul(v, v); // refused: '__hmul'
    y[threadIdx.x] = __half2float(w);
}

__global__ void rounded(const float *x, float *y)
{
    half2 v = __floats2half2_rn(x[threadIdx.x], 1.0f);
    y[threadIdx.x] = __low2float(v) + __high2float(v); // refused: '__low2float'
}

__global__ void kept(const float *x, float *y, half *z) // refused: 'z'
{
    z[threadIdx.x] = __float2half(x[threadIdx.x]);
    y[threadIdx.x] = __half2float(z[threadIdx.x]) * 2.0f;
}

__global__ void doubled(const half *x, half *y) // refused: 'y'
{
    y[threadIdx.x] = __hadd(x[threadIdx.x], x[threadIdx.x]);
}

// Numbers that an operator of the class adds up.
__global__ void of_a_sum(const float *x, float *y, int n)
{
    __half sum = __float2half(0.0f);
    for (int i = 0; i < n; ++i)
        sum += __float2half(x[i]) * __float2half(x[i]); // refused: call of 'operator+='
    y[threadIdx.x] = __half2float(sum);
}
