// Nothing says how long the rows of a block are, and whether a warp has all its lanes.
#include <cstdio>
__global__ void rows(const float *x, float *y)
{
    float v = x[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0)
        atomicAdd(&y[blockIdx.x], v);
}
__global__ void part(const int *x, int *y, int n)
{
    int v = threadIdx.x < n ? x[threadIdx.x] : 0;
    int most = v;
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_xor_sync(0xffffffffu, v, d);
        most = max(most, __shfl_xor_sync(0xffffffffu, most, d));
    }
    y[threadIdx.x] = v + most * 1000;
}
int main()
{
    float *x, *y; int *a, *b;
    cudaMallocManaged(&x, 4096);
    cudaMallocManaged(&y, 64);
    cudaMallocManaged(&a, 4096);
    cudaMallocManaged(&b, 4096);
    for (int i = 0; i < 1024; ++i) { x[i] = 1.0f / (i + 1); a[i] = i * 7 % 31 - 40; b[i] = 0; }
    y[0] = y[1] = 0;
    dim3 block(x[0] > 0 ? 8 : 32, x[1] > 0 ? 3 : 2);
    rows<<<2, block>>>(x, y);
    cudaDeviceSynchronize();
    printf("%.6f %.6f\n", y[0], y[1]);
    int threads = x[0] > 0 ? 1 : 96;
    part<<<1, threads>>>(a, b, 70);
    cudaDeviceSynchronize();
    long s = 0;
    for (int i = 0; i < 96; ++i)
        s += b[i] * (i + 1L);
    printf("%ld\n", s);
    return 0;
}
