#include <cstdio>
#include <ctime>
__host__ __device__ inline long long now() { return clock(); }
__device__ long long ticks() { return clock64(); }
__global__ void k(long long *x) { long long clock0 = now(); x[threadIdx.x] = now() >= clock0 && ticks() > 0; }
__global__ void renamed(int *x, int threadfence)
{
    int popc = __popc(x[threadIdx.x]);
    int min = threadfence;
    x[threadIdx.x] = popc + min + max(popc, 2);
}
int main()
{
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
    std::printf("%d\n", now() >= 0);
}
