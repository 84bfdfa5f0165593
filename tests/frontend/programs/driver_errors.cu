// Results of the driver API, which programs give names to.

#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static const char *name(CUresult result)
{
    switch (result) {
#define NAMED(one) case one: return #one;
        NAMED(CUDA_SUCCESS)
        NAMED(CUDA_ERROR_INVALID_VALUE)
        NAMED(CUDA_ERROR_DEINITIALIZED)
        NAMED(CUDA_ERROR_CONTEXT_ALREADY_CURRENT)
        NAMED(CUDA_ERROR_MPS_RPC_FAILURE)
        NAMED(CUDA_ERROR_KEY_ROTATION)
    default:
        return "another one";
    }
}

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
    int *x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    const CUresult all[] = {CUDA_SUCCESS, CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_KEY_ROTATION,
                            CUDA_ERROR_CONTEXT_ALREADY_CURRENT, CUDA_ERROR_MPS_RPC_FAILURE};
    for (const CUresult one : all)
        std::printf("%d %s %d\n", int(one), name(one), x[31]);
    cudaFree(x);
    return 0;
}
