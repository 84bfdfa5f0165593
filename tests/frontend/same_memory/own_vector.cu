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
namespace own
{
struct vector {
    float *p;
    float *data() const { return p; }
};
} // namespace own

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaMalloc(&c, 64);
    own::vector v{a}, w{a};
    k<<<1, 32>>>(v.data(), w.data(), 4);
    return 0;
}
