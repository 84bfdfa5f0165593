// out: 1344 816 5 128 64 128 12
// Sizes of launches from macros: of both dimensions, of memory and stream as well, of several uses.
#include <cstdio>
#define CONFIG(w, h) dim3(((w) + 15) / 16, ((h) + 7) / 8), dim3(16, 8)
#define LINE(n) ((n) + 63) / 64, 64
#define NESTED(n) LINE(2 * (n))
#define FIXED 2, 32
#define WITH_STREAM(n, s) LINE(n), 0, s
#define WITH_BYTES(n, T) (n), 64, 64 * sizeof(T)
#define LAUNCH(kernel, config, ...) kernel<<<config>>>(__VA_ARGS__)
#if __cplusplus > 100
#define GRID(a, b) dim3(a, b), dim3(4, 4)
#else
#define GRID(a, b) dim3(b, a), dim3(2, 2), 0
#endif

__global__ void plane(int *y, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < w && j < h)
        atomicAdd(y, 1 + i % 2);
}
__global__ void line(int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(y, 1);
}
__global__ void turned(int *y)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(y, s[63] + 1);
}

int main()
{
    int *y;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocManaged(&y, 7 * sizeof(int));
    for (int i = 0; i < 7; ++i)
        y[i] = 0;
    plane<<<CONFIG(28, 32)>>>(y, 28, 32);
    LAUNCH(plane, CONFIG(32, 17), y + 1, 32, 17);
    line<<<WITH_STREAM(5, stream)>>>(y + 2, 5);
    line<<<NESTED(50)>>>(y + 3, 1000);
    line<<<FIXED>>>(y + 4, 1000);
    turned<<<WITH_BYTES(2, int), stream>>>(y + 5);
    plane<<<GRID(2, 1)>>>(y + 6, 8, 1);
    cudaDeviceSynchronize();
    printf("%d %d %d %d %d %d %d\n", y[0], y[1], y[2], y[3], y[4], y[5], y[6]);
    cudaFree(y);
}
