// The program counts what it allocates by macros that have names of the C library.
#include <cstdio>
#include <cstdlib>

static int allocations = 0;
inline void *counted(size_t bytes)
{
    ++allocations;
    return calloc(bytes, 1);
}
#define malloc(size) counted(size)
#define free(p) (--allocations, (free)(p))

__global__ void fill(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

int main()
{
    const int n = 100;
    int *h = (int *)malloc(n * sizeof(int)), *d;
    cudaMalloc(&d, n * sizeof(int));
    fill<<<2, 64>>>(d, n);
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", h[n - 1], allocations);
    free(h);
    cudaFree(d);
    std::printf("%d\n", allocations);
}
