// Weights of half precision are constants, however they become floats.
// g2o-verify: by_function<<<2, 16>>>(n = 30, w = [n : 0.5f + 0.1f * i], x = [n], y = [n])
// g2o-verify: by_pairs<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: of_brains<<<2, 16>>>(n = 30, w = [n : 0.25f + i], x = [n], y = [n])
// g2o-verify: by_casts<<<2, 16>>>(n = 30, w = [n : 0.25f + i], x = [n], y = [n])
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void by_function(const __half *w, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __half2float(w[i]) * x[i] * x[i];
}

__global__ void by_pairs(const __half2 *w, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 f = __half22float2(w[i]);
        y[i] = f.x * x[i] * x[i] + f.y * __high2float(w[i]);
    }
}

__global__ void of_brains(const __nv_bfloat16 *w, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __bfloat162float(w[i]) * x[i] * x[i];
}

__global__ void by_casts(const __half *w, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = w[0];
        y[i] = static_cast<float>(w[i]) * x[i] * v + float(w[1]) * (float)w[2];
    }
}
