// Memory pools, occupancy by a function, and properties of the device that few programs ask for.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

std::size_t bytes_of(int threads) { return threads * sizeof(int); }

int main() {
    const int n = 100;
    int *x, host[n];
    cudaStream_t stream;
    cudaMemPool_t pool;
    unsigned long long threshold = ~0ull, read = 0;
    cudaStreamCreate(&stream);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read);
    for (int i = 0; i < n; ++i)
        host[i] = i;
    cudaMallocFromPoolAsync(&x, n * sizeof(int), pool, stream);
    cudaMemcpyAsync(x, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    int grid, block;
    std::size_t bytes;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, twice, bytes_of);
    cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, twice, 2, 128);
    twice<<<(n + block - 1) / block, block, 0, stream>>>(x, n);
    cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    cudaMemPoolTrimTo(pool, 0);
    cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout,
                         cudaSharedmemCarveoutMaxShared);
    cudaMemPoolProps wanted = {};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t own;
    cudaMemAccessDesc access = {wanted.location, cudaMemAccessFlagsProtReadWrite};
    void *memory;
    const bool is_made = cudaMemPoolCreate(&own, &wanted) == cudaSuccess;
    cudaMemPoolSetAccess(own, &access, 1);
    cudaMallocFromPoolAsync(&memory, 64, own, stream);
    cudaMemAdvise(memory, 64, cudaMemAdviseSetReadMostly, wanted.location);
    cudaFreeAsync(memory, stream);
    const bool is_gone = cudaMemPoolDestroy(own) == cudaSuccess;
    int links = 7;
    const bool is_peer =
        cudaDeviceGetP2PAttribute(&links, cudaDevP2PAttrAccessSupported, 0, 0) == cudaSuccess;
    cudaHostRegister(host, sizeof host, CU_MEMHOSTALLOC_DEVICEMAP);
    cudaHostUnregister(host);
    printf("%d %d %d\n", is_made, is_gone, is_peer);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    char id[32];
    int device = -1;
    cudaDeviceGetPCIBusId(id, 32, 0);
    cudaDeviceGetByPCIBusId(&device, id);
    cudaInitDevice(0, 0, 0);
    printf("%d %d %d %d %d\n", host[99], read == threshold, bytes > 0, device,
           properties.maxTexture2DLayered[2] >= 0);
    return 0;
}
