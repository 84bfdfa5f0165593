#include <cstdio>

// What all threads of a block get is computed once, not by every warp for every lane.
#define THREADS 128
#define WARPS (THREADS / 32)

__device__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

__device__ float block_sum(float value, float *part)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0)
        part[warp] = value;
    __syncthreads();
    value = lane < WARPS ? part[lane] : 0.0f;
    value = warp_sum(value);
    __syncthreads();
    return value;
}

// Mean and variance of a row: the first sum is needed to form the second one.
__global__ void normalise(const float *x, float *y, int n)
{
    __shared__ float part[WARPS];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS)
        sum += x[blockIdx.x * n + i];
    float mean = block_sum(sum, part) / n;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        float d = x[blockIdx.x * n + i] - mean;
        squares += d * d;
    }
    float scale = rsqrtf(block_sum(squares, part) / n + 1e-5f);
    for (int i = threadIdx.x; i < n; i += THREADS)
        y[blockIdx.x * n + i] = (x[blockIdx.x * n + i] - mean) * scale;
}

// Each warp changes what the next one would read.
__global__ void in_turns(const float *x, float *y)
{
    __shared__ float part[32];
    int t = threadIdx.x, lane = t % 32;
    if (t < 32)
        part[t] = x[t];
    __syncthreads();
    float sum = warp_sum(part[lane]);
    if (t / 32 == 1)
        y[t] = sum;
    __syncthreads();
    if (t < 32)
        part[t] = sum * x[t];
    __syncthreads();
    float again = warp_sum(part[lane]) + sum;
    y[THREADS + t] = again - x[t];
}

// The warp decides, or the lane does.
__global__ void not_common(const float *x, float *y)
{
    int t = threadIdx.x, lane = t % 32;
    float of_warp = warp_sum(x[t]);
    float of_lane = x[lane];
    float both = warp_sum(of_warp * of_lane);
    y[t] = of_warp;
    y[THREADS + t] = both * of_lane;
    of_warp = lane == 3 ? -1.0f : of_warp;
    y[2 * THREADS + t] = of_warp;
}

int main()
{
    const int n = 1000, rows = 3;
    float *x, *y;
    cudaMallocManaged(&x, rows * n * sizeof(float));
    cudaMallocManaged(&y, rows * n * sizeof(float));
    for (int i = 0; i < rows * n; ++i)
        x[i] = (i * 7919) % 1009 / 1009.0f;
    for (int kernel = 0; kernel < 3; ++kernel) {
        cudaMemset(y, 0, rows * n * sizeof(float));
        switch (kernel) {
        case 0: normalise<<<rows, THREADS>>>(x, y, n); break;
        case 1: in_turns<<<1, THREADS>>>(x, y); break;
        case 2: not_common<<<1, THREADS>>>(x, y); break;
        }
        cudaDeviceSynchronize();
        for (int i = 0; i < 3 * THREADS; i += 7)
            printf("%.9g ", y[i]);
        printf("\n");
    }
    return 0;
}
