// Macros with the names that lowering would give its own variables.
#include <cstdio>
#define lane (threadIdx.x & 31)
#define base 7
#define inside 3
#define other 9

__global__ void kernel(const float *x, float *y, int n)
{
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += x[i];
    for (int d = 16; d; d >>= 1)
        s += __shfl_down_sync(~0u, s, d);
    if (lane == 0)
        y[threadIdx.x / 32] = s + base + inside + other;
    float v = threadIdx.x < n - 40 ? x[threadIdx.x] : 1.0f;
    v = __shfl_up_sync(~0u, v, 1);
    y[64 + threadIdx.x] = v;
}

int main()
{
    float *x, *y;
    cudaMallocManaged(&x, 200 * sizeof(float));
    cudaMallocManaged(&y, 200 * sizeof(float));
    for (int i = 0; i < 200; ++i) {
        x[i] = i % 7;
        y[i] = 0;
    }
    kernel<<<1, 64>>>(x, y, 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i)
        printf("%g ", y[i]);
    printf("\n");
    return 0;
}
