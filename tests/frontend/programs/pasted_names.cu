// Names of CUDA that a macro puts together.

#include <cstdio>
#include <cuda_runtime.h>
#ifdef OF_ANOTHER_PLATFORM
#define cuda(fn) do { (status) = (other##fn); } while (0)
#elif defined(QUIET)
#define cuda(fn) do { (status) = (cuda##fn); if (status != cudaSuccess) goto Error; } while (0)
#else
#define cuda(fn) do { (status) = (cuda##fn); if (status != cudaSuccess) { printf("%s: %s\n", #fn, cudaGetErrorString(status)); goto Error; } } while (0)
#endif
#define TWICE(x) cuda(Memset(x, 0, 64)); cuda(DeviceSynchronize())
__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x * 3; }
int main()
{
    cudaError_t status;
    int *device, host[16];
    cuda(Malloc(&device, sizeof host));
    int grid, block;
    cuda(OccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0));
    TWICE(device);
    fill<<<1, 16>>>(device);
    cuda(Memcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[1], host[15]);
    cuda(Free(device));
    return 0;
Error:
    return 1;
}
