// Devices, streams and events. There is one device; streams run in order, at once.
#pragma once

#include "errors.hpp"
#include "launch.hpp"

#include <cstdint>
#include <cstring>
#include <ctime>

#define cudaStreamDefault 0u
#define cudaStreamNonBlocking 1u
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(2))
#define cudaEventDefault 0u
#define cudaEventBlockingSync 1u
#define cudaEventDisableTiming 2u
#define cudaEventInterprocess 4u
#define cudaDeviceScheduleAuto 0u
#define cudaDeviceScheduleSpin 1u
#define cudaDeviceScheduleYield 2u
#define cudaDeviceScheduleBlockingSync 4u
#define cudaDeviceBlockingSync 4u
#define cudaDeviceMapHost 8u
#define cudaDeviceLmemResizeToMax 16u
#define cudaEventRecordDefault 0u
#define cudaEventWaitDefault 0u
#define cudaOccupancyDefault 0u

// ---- device properties -------------------------------------------------------------------------

struct cudaUUID_t {
    char bytes[16];
};
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    std::size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    std::size_t totalConstMem;
    int major, minor;
    std::size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
        computeMode, maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2],
        maxTexture2DLinear[3], maxTexture3D[3], maxTextureCubemap, maxTexture1DLayered[2],
        maxTexture2DLayered[3], maxSurface1D, maxSurface2D[2], maxSurface3D[3],
        maxTexture2DMipmap[2], maxTexture2DGather[2], maxTexture3DAlt[3],
        maxTextureCubemapLayered[2], maxSurface1DLayered[2], maxSurface2DLayered[3],
        maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
        asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
        persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
        globalL1CacheSupported, localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess,
        concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
        cooperativeLaunch, cooperativeMultiDeviceLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, memoryPoolsSupported, clusterLaunch,
        unifiedFunctionPointers;
};

enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3,
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMemoryPoolsSupported = 115,
};

#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif

namespace g2o_emulator {

constexpr int processors = 16;

inline cudaDeviceProp device_properties() {
    cudaDeviceProp p;
    std::memset(&p, 0, sizeof p);
    std::strcpy(p.name, "g2o emulated device");
    p.totalGlobalMem = std::size_t{16} << 30;
    p.sharedMemPerBlock = 48 << 10;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = 1000000;
    p.totalConstMem = 64 << 10;
    p.major = 8;
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
    p.multiProcessorCount = processors;
    p.maxTexture1D = p.maxTexture2D[0] = p.maxTexture2D[1] = 131072;
    p.maxTexture1DLinear = 1 << 28;
    p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
    p.asyncEngineCount = 1;
    p.memoryClockRate = 1000000;
    p.memoryBusWidth = 256;
    p.l2CacheSize = 4 << 20;
    p.maxThreadsPerMultiProcessor = 2048;
    p.sharedMemPerMultiprocessor = 228 << 10;
    p.managedMemory = p.pageableMemoryAccess = p.concurrentManagedAccess = 1;
    p.cooperativeLaunch = p.memoryPoolsSupported = 1;
    p.sharedMemPerBlockOptin = max_shared_bytes;
    p.maxBlocksPerMultiProcessor = 32;
    return p;
}

inline int attribute(cudaDeviceAttr which) {
    cudaDeviceProp p = device_properties();
    switch (which) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
        return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimZ:
        return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
        return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        return p.maxGridSize[1];
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrTotalConstantMemory:
        return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize:
        return p.warpSize;
    case cudaDevAttrMaxPitch:
        return static_cast<int>(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return p.regsPerBlock;
    case cudaDevAttrClockRate:
        return p.clockRate;
    case cudaDevAttrTextureAlignment:
        return static_cast<int>(p.textureAlignment);
    case cudaDevAttrMultiProcessorCount:
        return p.multiProcessorCount;
    case cudaDevAttrMemoryClockRate:
        return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth:
        return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize:
        return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrComputeCapabilityMajor:
        return p.major;
    case cudaDevAttrComputeCapabilityMinor:
        return p.minor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrIntegrated:
    case cudaDevAttrComputeMode:
    case cudaDevAttrEccEnabled:
        return 0;
    default:
        return 1;
    }
}

} // namespace g2o_emulator

inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
    return g2o_emulator::status(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    *flags = 0;
    return cudaSuccess;
}
inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
    return cudaGetDevice(device);
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    if (!properties)
        return g2o_emulator::status(cudaErrorInvalidValue);
    *properties = g2o_emulator::device_properties();
    return cudaSetDevice(device);
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    *value = g2o_emulator::attribute(attribute);
    return cudaSetDevice(device);
}
inline cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int) {
    std::snprintf(text, static_cast<std::size_t>(length), "0000:00:00.0");
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
    if (std::strcmp(text, "0000:00:00.0") != 0)
        return g2o_emulator::status(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaInitDevice(int device, unsigned = 0, unsigned = 0) {
    return cudaSetDevice(device);
}
inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = 12000;
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
inline cudaError_t cudaDeviceSynchronize() { return g2o_emulator::last_error(); }
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaThreadExit() { return cudaSuccess; }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
    *can = 0;
    return cudaSuccess;
}
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4,
};
inline cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int) {
    return g2o_emulator::status(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return g2o_emulator::status(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceDisablePeerAccess(int) {
    return g2o_emulator::status(cudaErrorPeerAccessNotEnabled);
}

enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3,
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2,
};
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
};
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaThreadSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetLimit(std::size_t *value, cudaLimit) {
    *value = 8 << 20;
    return cudaSuccess;
}

// ---- functions and occupancy -------------------------------------------------------------------

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100,
};
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
        maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
template <typename K>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, K) {
    *attributes = {0, 0, 0, 1024, 32, 80, 80, 0, 48 << 10, -1};
    return cudaSuccess;
}
template <typename K>
cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute, int) {
    return cudaSuccess;
}
template <typename K>
cudaError_t cudaFuncSetCacheConfig(K, cudaFuncCache) {
    return cudaSuccess;
}
template <typename K>
cudaError_t cudaFuncSetSharedMemConfig(K, cudaSharedMemConfig) {
    return cudaSuccess;
}
template <typename K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K, int threads,
                                                          std::size_t) {
    int fit = threads > 0 ? 2048 / threads : 0;
    *blocks = fit < 32 ? fit : 32;
    return cudaSuccess;
}
template <typename K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, K kernel,
                                                                   int threads, std::size_t bytes,
                                                                   unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, bytes);
}
template <typename K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, K, std::size_t = 0,
                                               int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = g2o_emulator::processors * (2048 / *block);
    return cudaSuccess;
}
template <typename K>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, K kernel,
                                                        std::size_t bytes = 0, int limit = 0,
                                                        unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, bytes, limit);
}
template <typename K>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t *bytes, K, int blocks, int) {
    *bytes = std::size_t{65536} / static_cast<std::size_t>(blocks > 0 ? blocks : 1);
    return cudaSuccess;
}
template <typename Size, typename K>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, K kernel, Size,
                                                           int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, 0, limit);
}

// ---- streams -----------------------------------------------------------------------------------

using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void *);
using cudaHostFn_t = void (*)(void *);

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                                int priority) {
    *stream = new CUstream_st{flags, priority, nullptr, {}};
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!stream)
        return g2o_emulator::status(cudaErrorInvalidResourceHandle);
    delete stream;
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return g2o_emulator::last_error(); }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    *flags = stream ? stream->flags : 0;
    return cudaSuccess;
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    *priority = stream ? stream->priority : 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                         void *data, unsigned) {
    g2o_emulator::not_captured(stream, "cudaStreamAddCallback in a captured stream");
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeHost, [=] {
        function(data);
        return cudaSuccess;
    });
}

// ---- events ------------------------------------------------------------------------------------

struct CUevent_st {
    unsigned flags;
    bool recorded;
    std::timespec time;
    CUgraph_st *graph = nullptr; // of the stream, while that is captured
    std::vector<CUgraphNode_st *> last = {};
};
using cudaEvent_t = CUevent_st *;

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    *event = new CUevent_st{flags, false, {}, nullptr, {}};
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = cudaEventDefault) {
    return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!event)
        return g2o_emulator::status(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
    if (!event)
        return g2o_emulator::status(cudaErrorInvalidResourceHandle);
    event->graph = nullptr;
    if (g2o_emulator::is_captured(stream)) {
        event->graph = stream->graph;
        event->last = stream->last;
    }
    event->recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    return cudaSuccess;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return event ? g2o_emulator::last_error()
                 : g2o_emulator::status(cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (!start || !end || !start->recorded || !end->recorded)
        return g2o_emulator::status(cudaErrorInvalidResourceHandle);
    double seconds = static_cast<double>(end->time.tv_sec - start->time.tv_sec);
    double nanoseconds = static_cast<double>(end->time.tv_nsec - start->time.tv_nsec);
    *milliseconds = static_cast<float>(seconds * 1e3 + nanoseconds * 1e-6);
    return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
    if (!event || !event->graph)
        return cudaSuccess;
    g2o_emulator::capture_behind(stream, event->graph, event->last);
    return cudaSuccess;
}
