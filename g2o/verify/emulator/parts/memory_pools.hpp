// Memory pools, which keep nothing back.
#pragma once

#include "memory.hpp"

struct CUmemPoolHandle_st {
    int reuse[3];
    std::uint64_t threshold;
};
using cudaMemPool_t = CUmemPoolHandle_st *;
enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,
    cudaMemAllocationTypePinned = 1,
    cudaMemAllocationTypeMax = 0x7fffffff,
};
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3,
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    std::size_t maxSize;
    unsigned char reserved[56];
};
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8,
};
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int) {
    static CUmemPoolHandle_st only = {{1, 1, 1}, 0};
    *pool = &only;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return cudaDeviceGetDefaultMemPool(pool, device);
}
inline cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value) {
    if (which <= cudaMemPoolReuseAllowInternalDependencies)
        std::memcpy(&pool->reuse[which - 1], value, sizeof(int));
    else if (which == cudaMemPoolAttrReleaseThreshold)
        std::memcpy(&pool->threshold, value, sizeof(std::uint64_t));
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value) {
    std::uint64_t none = 0;
    if (which <= cudaMemPoolReuseAllowInternalDependencies)
        std::memcpy(value, &pool->reuse[which - 1], sizeof(int));
    else if (which == cudaMemPoolAttrReleaseThreshold)
        std::memcpy(value, &pool->threshold, sizeof(std::uint64_t));
    else
        std::memcpy(value, &none, sizeof none);
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0)
        return g2o_emulator::status(cudaErrorInvalidValue);
    *pool = new CUmemPoolHandle_st{{1, 1, 1}, 0};
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    cudaMemPool_t only;
    cudaDeviceGetDefaultMemPool(&only, 0);
    if (!pool || pool == only)
        return g2o_emulator::status(cudaErrorInvalidValue);
    delete pool;
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *access,
                                        std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id != 0)
            return g2o_emulator::status(cudaErrorInvalidDevice);
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t,
                                        cudaMemLocation *location) {
    *flags = cudaMemAccessFlagsProtReadWrite;
    return location->id == 0 ? cudaSuccess : g2o_emulator::status(cudaErrorInvalidDevice);
}
template <typename T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
    return cudaMalloc(reinterpret_cast<void **>(pointer), bytes);
}
