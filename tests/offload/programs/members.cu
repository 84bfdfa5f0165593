// Members of what has no name: of values that functions return, and of memory seen as another type.
// Returns of the only thread.
#include <cstdio>

struct Pair {
    float first;
    float second;
};

namespace of_device { __device__ float half = 0.5f; }

__device__ Pair swapped(float a, float b)
{
    return {b, a};
}

__global__ void flat(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        ((float4 *)y)[i].x = reinterpret_cast<const float4 *>(x)[i].w;
        y[4 * i + 1] = swapped(x[i], x[i + 1]).first;
        (*(float4 *)(y + 4 * i)).z = make_float4(1.0f, 2.0f, 3.0f, x[i]).w;
        ((float4 *)y)[i].w = of_device::half;
    }
}

__global__ void in_blocks(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 32 + t];
    __syncthreads();
    float second = swapped(s[0], s[1]).first;
    __syncthreads();
    s[t] += second + swapped(x[31 - t], 0.0f).second;
    __syncthreads();
    y[blockIdx.x * 32 + t] += s[31 - t] + ((float4 *)s)[t / 4].y;
}

__global__ void one_block(const float *x, float *y)
{
    __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] += swapped(s[31 - threadIdx.x], 2.0f).second;
    __syncthreads();
    if (threadIdx.x == 0)
        ((float4 *)y)[0].x += s[3];
}

// One thread, which leaves early.
__global__ void first_large(float *y, int n)
{
    if (n < 1)
        return;
    for (int i = 0; i < n; i++) {
        if (y[i] > 5.0f) {
            y[0] = y[i] + i;
            return;
        }
    }
    y[0] = -1.0f;
    return;
}

int main()
{
    const int n = 128;
    float x[n], y[n], *d_x, *d_y;
    for (int i = 0; i < n; ++i)
        x[i] = float((i * 37) % 64) / 8;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    flat<<<2, 16>>>(d_x, d_y, n);
    in_blocks<<<4, 32>>>(d_x, d_y);
    one_block<<<1, 32>>>(d_x, d_y);
    first_large<<<1, 1>>>(d_y, n);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        printf("%g%c", y[i], i % 8 == 7 ? '\n' : ' ');
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
