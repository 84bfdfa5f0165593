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
#include <thread>
static void run(int n, float *x, float *y) { k<<<1, 32>>>(x, y, n); }

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaMalloc(&c, 64);
    int n = 32;
    std::thread t(run, n, a, a);
    t.join();
    return 0;
}
