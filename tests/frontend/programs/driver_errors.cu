// Results of the driver API, which programs give names to.

#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static const char *name(CUresult result)
{
    switch (result) {
    case CUDA_SUCCESS:
        return "success";
    case CUDA_ERROR_INVALID_VALUE:
        return "error_invalid_value";
    case CUDA_ERROR_DEINITIALIZED:
        return "error_deinitialized";
    case CUDA_ERROR_CONTEXT_ALREADY_CURRENT:
        return "error_context_already_current";
    case CUDA_ERROR_MPS_RPC_FAILURE:
        return "error_mps_rpc_failure";
    case CUDA_ERROR_KEY_ROTATION:
        return "error_key_rotation";
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
