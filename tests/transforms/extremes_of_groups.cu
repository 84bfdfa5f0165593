// Maxima and minima of blocks and warps, with derivatives: by place, by arithmetic, in loops.
#include <cfloat>
#define RED(v, op) for (int d = 16; d > 0; d /= 2) v = op(v, __shfl_xor_sync(~0u, v, d)); \
    if (t % 32 == 0) s[t / 32] = v; __syncthreads(); v = op(op(s[0], s[1]), op(s[2], s[3])); __syncthreads();
#pragma g2o grad
__global__ void m1(const float *x, float *y, int n)
{
    __shared__ float s[4];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * n;
    float v = -FLT_MAX;
    for (int i = t; i < n; i += 128) v = fmaxf(v, row[i]);
    RED(v, fmaxf)
    for (int i = t; i < n; i += 128) y[blockIdx.x * n + i] = row[i] * v;
}
#pragma g2o grad
__global__ void m2(const float *x, float *y, int n)
{
    __shared__ float s[4];
    int t = threadIdx.x;
    float v = 0;
    for (int i = t; i < n; i += 128) v = fmaxf(v, fabsf(x[blockIdx.x * n + i]));
    RED(v, fmaxf)
    if (t == 0) y[blockIdx.x] = v * v;
}
#pragma g2o grad
__global__ void m3(const float *x, float *y, int n, float a)
{
    __shared__ float s[4];
    int t = threadIdx.x;
    float v = FLT_MAX;
    for (unsigned i = t; i < n; i += 128) { float w = x[blockIdx.x * n + i] * a; v = fminf(v, w); }
    RED(v, fminf)
    if (t == 0) y[blockIdx.x] = sinf(v);
}
#pragma g2o grad
__global__ void m4(const float *x, float *y)
{
    __shared__ float s[4];
    int t = threadIdx.x;
    float v = x[blockIdx.x * 128 + t];
    float w = v;
    RED(v, fmaxf)
    y[blockIdx.x * 128 + t] = expf(w - v);
}
#pragma g2o grad
__global__ void m5(const float *x, float *y, int n)
{
    int t = threadIdx.x, lane = t % 32, r = blockIdx.x * 4 + t / 32;
    float v = -FLT_MAX;
    for (int i = lane; i < n; i += 32) { float e = x[r * n + i]; if (e > v) v = e; }
    for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    float q = 0;
    for (int i = lane; i < n; i += 32) q += expf(x[r * n + i] - v);
    for (int d = 16; d > 0; d /= 2) q += __shfl_xor_sync(~0u, q, d);
    for (int i = lane; i < n; i += 32) y[r * n + i] = expf(x[r * n + i] - v) / q;
}
#pragma g2o grad
__global__ void m6(const float *x, float *y, int n)
{
    int t = threadIdx.x, lane = t % 32, r = blockIdx.x * 4 + t / 32;
    float v = -FLT_MAX;
    for (int i = lane; i < n; i += 32) v = fmaxf(v, x[r * n + i] * 1.5f + 0.1f);
    for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    float q = 0;
    for (int i = lane; i < n; i += 32) q += expf(x[r * n + i] - v);
    for (int d = 16; d > 0; d /= 2) q += __shfl_xor_sync(~0u, q, d);
    for (int i = lane; i < n; i += 32) y[r * n + i] = expf(x[r * n + i] - v) / q;
}
#pragma g2o grad
__global__ void m7(const float *x, float *y, int n, int rows)
{
    __shared__ float s[4];
    int t = threadIdx.x;
    for (int r = 0; r < rows; ++r) {
        float v = -FLT_MAX;
        for (int i = t; i < n; i += 128) v = fmaxf(v, x[r * n + i]);
        RED(v, fmaxf)
        for (int i = t; i < n; i += 128) y[r * n + i] = x[r * n + i] * v;
    }
}
int main()
{
    float *x, *y;
    cudaMallocManaged(&x, 8000);
    cudaMallocManaged(&y, 8000);
    for (int i = 0; i < 2000; ++i) { x[i] = ((i * 37) % 1999) * 0.001f - 1.0f; y[i] = 0; }
    m1<<<2, 128>>>(x, y, 200);
    m2<<<3, 128>>>(x, y, 150);
    m3<<<3, 128>>>(x, y, 90, 0.7f);
    m4<<<2, 128>>>(x, y);
    m5<<<2, 128>>>(x, y, 70);
    m6<<<2, 128>>>(x, y, 70);
    m7<<<1, 128>>>(x, y, 70, 3);
    cudaDeviceSynchronize();
}
