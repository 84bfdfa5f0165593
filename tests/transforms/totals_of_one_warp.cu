// Totals that the threads under a condition work out: of a norm and of the largest element, and of the
// scale of rows.
// g2o-verify: norms<<<4, 256>>>(x = [n], y = [4], m = [4], n = 3000)
// g2o-verify: rows<<<3, 256>>>(x = [3 * n], y = [3 * n], n = 500)
#include <cstdio>

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

__device__ float warp_max(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, d));
    return v;
}

#pragma g2o grad (y, m)/(x)
__global__ void norms(const float *x, float *y, float *m, int n)
{
    __shared__ float part[8], most[8];
    float sum = 0.0f, largest = -1e30f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum += x[i] * x[i];
        largest = fmaxf(largest, x[i]);
    }
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    sum = warp_sum(sum);
    largest = warp_max(largest);
    if (lane == 0) {
        part[warp] = sum;
        most[warp] = largest;
    }
    __syncthreads();
    if (warp == 0) {
        const float total = warp_sum(lane < 8 ? part[lane] : 0.0f);
        const float top = warp_max(lane < 8 ? most[lane] : -1e30f);
        if (lane == 0) {
            y[blockIdx.x] = sqrtf(total);
            m[blockIdx.x] = top * total;
        }
    }
}

#pragma g2o grad (y)/(x)
__global__ void rows(const float *x, float *y, int n)
{
    __shared__ float part[8];
    __shared__ float scale;
    const float *row = x + blockIdx.x * n;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += row[i] * row[i];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    sum = warp_sum(sum);
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < 8 ? part[lane] : 0.0f);
        if (lane == 0)
            scale = rsqrtf(sum / n + 1e-3f);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = row[i] * scale;
}

int main()
{
    const int n = 3000;
    float *x, *y, *m;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&m, 4 * sizeof(float));
    for (int i = 0; i < n; ++i)
        x[i] = (i * 37 % 1013) * 0.01f;
    norms<<<4, 256>>>(x, y, m, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i)
        printf("%.3f %.1f\n", y[i], m[i]);
    rows<<<3, 256>>>(x, y, n / 3);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += (i % 11 + 1) * y[i];
    printf("%.3f\n", sum);
    return 0;
}
