#define ulong4 uint4
#include <cstdio>
#include <ctime>
#include <cuda.h>
#define BLOCKS(count, CUDA_N_THREADS) (((count) - 1) / CUDA_N_THREADS + 1)
__host__ __device__ inline long long now() { return clock(); }
__device__ long long ticks() { return clock64(); }
__global__ void k(long long *x) { long long clock0 = now(); x[threadIdx.x] = now() >= clock0 && ticks() > 0; }
__global__ void renamed(int *x, int threadfence)
{
    int popc = __popc(x[threadIdx.x]);
    int min = threadfence;
    x[threadIdx.x] = popc + min + max(popc, 2);
}
// Macros that end with the function that defines them.
__device__ void rotate(unsigned *x, unsigned *s)
{
    unsigned i = threadIdx.x;
#define ROTATED(x, n) ((x << n) | (x >> (32 - n)))
#define AT(index) (4 * (index) + 1)
    s[i] = x[i];
    __syncthreads();
    x[i] = ROTATED(s[i ^ 1], 5) + AT(i);
#undef AT
}
__global__ void rotated(unsigned *x)
{
    __shared__ unsigned s[8];
    rotate(x, s);
}
int main()
{
    if (cuInit(0) != CUDA_SUCCESS)
        return 1;
    ulong4 four = make_uint4(1, 2, 3, 4);
    long long *x;
    int *y;
    cudaMallocManaged(&x, 8 * sizeof *x);
    cudaMallocManaged(&y, 8 * sizeof *y);
    for (int i = 0; i < 8; ++i)
        y[i] = i;
    k<<<1, 8>>>(x);
    renamed<<<1, 8>>>(y, 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i)
        std::printf("%lld %d\n", x[i], y[i]);
    rotated<<<BLOCKS(8, 8), 8>>>((unsigned *)y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i)
        std::printf("%d ", y[i]);
    std::printf("%d %u\n", now() >= 0, four.w);
}
