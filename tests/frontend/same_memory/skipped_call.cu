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
static void run(float *x, float *y) { k<<<1, 32>>>(x, y, 4); }

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaMalloc(&c, 64);

#ifdef IN_PLACE
    run(a, a);
#else
    run(a, b);
#endif

    return 0;
}
