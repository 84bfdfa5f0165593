#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>
__global__ void k(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (i < n)
        y[i] = x[n - i];
}
struct Pool {
    float *p;
    void *malloc(size_t) { return p; }
};

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaMalloc(&c, 64);
    Pool pool{a};
    float *x = (float *)pool.malloc(4), *y = (float *)pool.malloc(4);
    k<<<1, 32>>>(x, y, 4);
    return 0;
}
