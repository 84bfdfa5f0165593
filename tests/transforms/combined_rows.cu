// Rows that blocks and warps combine: softmax and two kinds of normalisation, with adjoints.
#include <cfloat>
#include <cstdio>
#include <cuda_runtime.h>
#define WARPS 8
__device__ float block_max(float v)
{
    __shared__ float part[WARPS];
    for (int offset = 16; offset > 0; offset /= 2)
        v = fmaxf(v, __shfl_down_sync(0xffffffff, v, offset));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < WARPS; ++w)
        v = fmaxf(v, part[w]);
    return v;
}
__device__ float block_sum(float v)
{
    __shared__ float part[WARPS];
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_xor_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < WARPS; ++w)
        sum += part[w];
    return sum;
}
#pragma g2o grad
__global__ void softmax_rows(const float *in, float *out, int cols)
{
    const float *x = in + (size_t)blockIdx.x * cols;
    float *y = out + (size_t)blockIdx.x * cols;
    float largest = -FLT_MAX;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        largest = fmaxf(largest, x[c]);
    largest = block_max(largest);
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        float e = expf(x[c] - largest);
        y[c] = e;
        sum += e;
    }
    const float scale = 1.0f / block_sum(sum);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        y[c] *= scale;
}
#pragma g2o grad
__global__ void norm(const float *x, float *y, int n)
{
    __shared__ float a[32], b[32];
    int row = blockIdx.x, t = threadIdx.x, lane = t % 32, warp = t / 32;
    float s = 0, q = 0;
    for (int i = t; i < n; i += blockDim.x) {
        float v = x[row * n + i];
        s += v;
        q += v * v;
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_down_sync(0xffffffff, s, d);
        q += __shfl_down_sync(0xffffffff, q, d);
    }
    if (lane == 0) {
        a[warp] = s;
        b[warp] = q;
    }
    __syncthreads();
    if (warp == 0) {
        s = lane < blockDim.x / 32 ? a[lane] : 0.0f;
        q = lane < blockDim.x / 32 ? b[lane] : 0.0f;
        for (int d = 16; d > 0; d >>= 1) {
            s += __shfl_xor_sync(0xffffffff, s, d);
            q += __shfl_xor_sync(0xffffffff, q, d);
        }
        if (lane == 0) {
            a[0] = s;
            b[0] = q;
        }
    }
    __syncthreads();
    float mean = a[0] / n, var = b[0] / n - mean * mean;
    for (int i = t; i < n; i += blockDim.x)
        y[row * n + i] = (x[row * n + i] - mean) * rsqrtf(var + 1e-5f);
}

// A warp for each row.
#pragma g2o grad
__global__ void norm_rows(const float *x, float *y, int n, int m)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int r = blockIdx.x * 8 + warp;
    if (r >= m)
        return;
    const float *row = x + r * n;
    float *out = y + r * n;
    float s = 0;
    for (int i = lane; i < n; i += 32)
        s += row[i];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_xor_sync(0xffffffff, s, d);
    float mean = s / n;
    float q = 0;
    for (int i = lane; i < n; i += 32) {
        float e = row[i] - mean;
        q += e * e;
    }
    for (int d = 16; d > 0; d /= 2)
        q += __shfl_xor_sync(0xffffffff, q, d);
    float scale = rsqrtf(q / n + 1e-5f);
    for (int i = lane; i < n; i += 32)
        out[i] = (row[i] - mean) * scale;
}

int main()
{
    const int n = 1000;
    float *x, *y;
    cudaMallocManaged(&x, 4 * n * 4);
    cudaMallocManaged(&y, 4 * n * 4);
    for (int i = 0; i < 4 * n; ++i)
        x[i] = (i * 37 % 1013) * 0.01f;
    softmax_rows<<<4, 32 * WARPS>>>(x, y, n);
    cudaDeviceSynchronize();
    double s = 0;
    for (int i = 0; i < 4 * n; ++i)
        s += (i % 11 + 1) * y[i];
    printf("%.5f\n", s);
    norm<<<4, 256>>>(x, y, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4 * n; ++i)
        s += (i % 11 + 1) * y[i];
    printf("%.2f\n", s);
    norm_rows<<<1, 256>>>(x, y, n, 4);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4 * n; ++i)
        s += (i % 11 + 1) * y[i];
    printf("%.2f\n", s);
}
