// Methods that give their object back, one called on what the other gives: one object, no copies.
#include <cstdio>
#include <cuda_runtime.h>
struct Counter {
    int total;
    __device__ Counter &add_index() { total += threadIdx.x; return *this; }
    __device__ Counter &doubled() { total *= blockDim.x; return *this; }
};
__global__ void chained(int *out)
{
    Counter counter = {3};
    counter.add_index().doubled().add_index();
    out[blockIdx.x * blockDim.x + threadIdx.x] = counter.total;
}
int main()
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    chained<<<2, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) std::printf("%d\n", out[i]);
    cudaFree(out);
    return 0;
}
