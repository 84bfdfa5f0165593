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
static void run(float *x, std::vector<float> &g)
{
    std::vector<float> v = std::move(g);
    k<<<1, 32>>>(x, v.data(), 4);
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaMalloc(&c, 64);
    std::vector<float> g(64);
    run(g.data(), g);
    return 0;
}
