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
template <typename T> T *raw_pointer_cast(T *p) { return p; }

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaMalloc(&c, 64);
    std::vector<float *> v{a, b}, w{a};
    k<<<1, 32>>>(raw_pointer_cast(v[0]), raw_pointer_cast(w[0]), 4);
    return 0;
}
