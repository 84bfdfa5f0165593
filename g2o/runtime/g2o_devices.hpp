// g2o_devices.hpp: what programs ask about a device and set on it.
#ifndef G2O_DEVICES_HPP
#define G2O_DEVICES_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "g2o_runtime.hpp"

namespace g2o {

namespace types {

enum SharedMemConfig {
    SharedMemBankSizeDefault = 0,
    SharedMemBankSizeFourByte = 1,
    SharedMemBankSizeEightByte = 2
};

enum FuncCache {
    FuncCachePreferNone = 0,
    FuncCachePreferShared = 1,
    FuncCachePreferL1 = 2,
    FuncCachePreferEqual = 3
};

enum DeviceP2PAttr {
    DevP2PAttrPerformanceRank = 1,
    DevP2PAttrAccessSupported = 2,
    DevP2PAttrNativeAtomicSupported = 3,
    DevP2PAttrCudaArrayAccessSupported = 4
};

enum Limit {
    LimitStackSize = 0,
    LimitPrintfFifoSize = 1,
    LimitMallocHeapSize = 2,
    LimitDevRuntimeSyncDepth = 3,
    LimitDevRuntimePendingLaunchCount = 4,
    LimitMaxL2FetchGranularity = 5,
    LimitPersistingL2CacheSize = 6
};

enum ComputeMode {
    ComputeModeDefault = 0,
    ComputeModeExclusive = 1,
    ComputeModeProhibited = 2,
    ComputeModeExclusiveProcess = 3
};

// clang-format off
// Every device attribute: name, CUDA's number, and the member of DeviceProp that has its value.
#define G2O_DEVICE_ATTRIBUTES(attribute)                                                           \
    attribute(MaxThreadsPerBlock, 1, maxThreadsPerBlock)                                           \
    attribute(MaxBlockDimX, 2, maxThreadsDim[0])                                                   \
    attribute(MaxBlockDimY, 3, maxThreadsDim[1])                                                   \
    attribute(MaxBlockDimZ, 4, maxThreadsDim[2])                                                   \
    attribute(MaxGridDimX, 5, maxGridSize[0])                                                      \
    attribute(MaxGridDimY, 6, maxGridSize[1])                                                      \
    attribute(MaxGridDimZ, 7, maxGridSize[2])                                                      \
    attribute(MaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                                       \
    attribute(TotalConstantMemory, 9, totalConstMem)                                               \
    attribute(WarpSize, 10, warpSize)                                                              \
    attribute(MaxPitch, 11, memPitch)                                                              \
    attribute(MaxRegistersPerBlock, 12, regsPerBlock)                                              \
    attribute(ClockRate, 13, clockRate)                                                            \
    attribute(TextureAlignment, 14, textureAlignment)                                              \
    attribute(GpuOverlap, 15, deviceOverlap)                                                       \
    attribute(MultiProcessorCount, 16, multiProcessorCount)                                        \
    attribute(KernelExecTimeout, 17, kernelExecTimeoutEnabled)                                     \
    attribute(Integrated, 18, integrated)                                                          \
    attribute(CanMapHostMemory, 19, canMapHostMemory)                                              \
    attribute(ComputeMode, 20, computeMode)                                                        \
    attribute(ConcurrentKernels, 31, concurrentKernels)                                            \
    attribute(EccEnabled, 32, ECCEnabled)                                                          \
    attribute(PciBusId, 33, pciBusID)                                                              \
    attribute(PciDeviceId, 34, pciDeviceID)                                                        \
    attribute(TccDriver, 35, tccDriver)                                                            \
    attribute(MemoryClockRate, 36, memoryClockRate)                                                \
    attribute(GlobalMemoryBusWidth, 37, memoryBusWidth)                                            \
    attribute(L2CacheSize, 38, l2CacheSize)                                                        \
    attribute(MaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)                        \
    attribute(AsyncEngineCount, 40, asyncEngineCount)                                              \
    attribute(UnifiedAddressing, 41, unifiedAddressing)                                            \
    attribute(PciDomainId, 50, pciDomainID)                                                        \
    attribute(TexturePitchAlignment, 51, texturePitchAlignment)                                    \
    attribute(ComputeCapabilityMajor, 75, major)                                                   \
    attribute(ComputeCapabilityMinor, 76, minor)                                                   \
    attribute(StreamPrioritiesSupported, 78, streamPrioritiesSupported)                            \
    attribute(GlobalL1CacheSupported, 79, globalL1CacheSupported)                                  \
    attribute(LocalL1CacheSupported, 80, localL1CacheSupported)                                    \
    attribute(MaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor)                    \
    attribute(MaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)                            \
    attribute(ManagedMemory, 83, managedMemory)                                                    \
    attribute(IsMultiGpuBoard, 84, isMultiGpuBoard)                                                \
    attribute(MultiGpuBoardGroupID, 85, multiGpuBoardGroupID)                                      \
    attribute(HostNativeAtomicSupported, 86, hostNativeAtomicSupported)                            \
    attribute(SingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio)              \
    attribute(PageableMemoryAccess, 88, pageableMemoryAccess)                                      \
    attribute(ConcurrentManagedAccess, 89, concurrentManagedAccess)                                \
    attribute(ComputePreemptionSupported, 90, computePreemptionSupported)                          \
    attribute(CanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem)            \
    attribute(CooperativeLaunch, 95, cooperativeLaunch)                                            \
    attribute(MaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)                            \
    attribute(HostRegisterSupported, 99, hostRegisterSupported)                                    \
    attribute(PageableMemoryAccessUsesHostPageTables, 100, pageableMemoryAccessUsesHostPageTables) \
    attribute(DirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost)                 \
    attribute(MaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)                         \
    attribute(ReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock)                        \
    attribute(MemoryPoolsSupported, 115, memoryPoolsSupported)
// clang-format on

enum DeviceAttr {
#define G2O_ENUMERATOR(name, number, member) DevAttr##name = number,
    G2O_DEVICE_ATTRIBUTES(G2O_ENUMERATOR)
#undef G2O_ENUMERATOR
};

constexpr unsigned DeviceScheduleAuto = 0, DeviceScheduleSpin = 1, DeviceScheduleYield = 2,
                   DeviceScheduleBlockingSync = 4, DeviceBlockingSync = 4, DeviceMapHost = 8,
                   DeviceLmemResizeToMax = 16;

constexpr unsigned PeerAccessDefault = 0;

struct UUID {
    char bytes[16];
};

// What the program can ask about the device, that is: about the CPU.
struct DeviceProp {
    char name[256];
    UUID uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem;
    std::size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate; // kHz, of g2o::clock()
    std::size_t totalConstMem;
    int major;
    int minor;
    std::size_t textureAlignment;
    std::size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D;
    int maxTexture1DMipmap;
    int maxTexture1DLinear;
    int maxTexture2D[2];
    int maxTexture2DMipmap[2];
    int maxTexture2DLinear[3];
    int maxTexture2DGather[2];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTextureCubemap;
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface2D[2];
    int maxSurface3D[3];
    int maxSurface1DLayered[2];
    int maxSurface2DLayered[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    std::size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate; // kHz, nominal
    int memoryBusWidth;  // bits, nominal
    int l2CacheSize;     // bytes, nominal
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseCudaArraySupported;
    int memoryPoolsSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
};

} // namespace types

namespace detail {

// The processor's name as the operating system reports it.
inline void read_cpu_name(char *name, std::size_t capacity)
{
    std::snprintf(name, capacity, "CPU");
    std::FILE *file = std::fopen("/proc/cpuinfo", "r");
    if (file == nullptr)
        return;
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
        const char *value = std::strchr(line, ':');
        if (value != nullptr && std::strncmp(line, "model name", 10) == 0) {
            line[std::strcspn(line, "\n")] = '\0';
            std::snprintf(name, capacity, "%s", value + 2);
            break;
        }
    }
    std::fclose(file);
}

// Limits that generated code does not have are those of a common GPU, so that programs which adapt
// to the device take their usual path.
inline DeviceProp describe_cpu()
{
    DeviceProp cpu{};
    read_cpu_name(cpu.name, sizeof cpu.name);
    cpu.totalGlobalMem = total_memory();
    cpu.sharedMemPerBlock = 48 * 1024;
    cpu.sharedMemPerBlockOptin = 163 * 1024;
    cpu.sharedMemPerMultiprocessor = 164 * 1024;
    cpu.reservedSharedMemPerBlock = 1024;
    cpu.regsPerBlock = 65536;
    cpu.regsPerMultiprocessor = 65536;
    cpu.warpSize = 32;
    cpu.memPitch = INT_MAX;
    cpu.maxThreadsPerBlock = 1024;
    cpu.maxThreadsPerMultiProcessor = 2048;
    cpu.maxBlocksPerMultiProcessor = 32;
    cpu.maxThreadsDim[0] = 1024;
    cpu.maxThreadsDim[1] = 1024;
    cpu.maxThreadsDim[2] = 64;
    cpu.maxGridSize[0] = INT_MAX;
    cpu.maxGridSize[1] = 65535;
    cpu.maxGridSize[2] = 65535;
    cpu.clockRate = 1000000;
    cpu.totalConstMem = 64 * 1024;
    cpu.major = 8;
    cpu.minor = 0;
    cpu.textureAlignment = 512;
    cpu.texturePitchAlignment = 32;
    cpu.surfaceAlignment = 512;
    cpu.multiProcessorCount = processors();
    cpu.integrated = 1;
    cpu.canMapHostMemory = 1;
    cpu.deviceOverlap = 1;
    cpu.computeMode = ComputeModeDefault;
    cpu.maxTexture1D = 131072;
    cpu.maxTexture1DLinear = 1 << 28;
    cpu.maxTexture2D[0] = 131072;
    cpu.maxTexture2D[1] = 65536;
    cpu.maxTexture2DLinear[0] = 131072;
    cpu.maxTexture2DLinear[1] = 65000;
    cpu.maxTexture2DLinear[2] = 2097120;
    cpu.maxTexture3D[0] = 16384;
    cpu.maxTexture3D[1] = 16384;
    cpu.maxTexture3D[2] = 16384;
    cpu.concurrentKernels = 1;
    cpu.asyncEngineCount = 1;
    cpu.unifiedAddressing = 1;
    cpu.memoryClockRate = 1600000;
    cpu.memoryBusWidth = 128;
    cpu.l2CacheSize = 32 * 1024 * 1024;
    cpu.streamPrioritiesSupported = 1;
    cpu.globalL1CacheSupported = 1;
    cpu.localL1CacheSupported = 1;
    cpu.managedMemory = 1;
    cpu.hostNativeAtomicSupported = 1;
    cpu.singleToDoublePrecisionPerfRatio = 2;
    cpu.pageableMemoryAccess = 1;
    cpu.pageableMemoryAccessUsesHostPageTables = 1;
    cpu.directManagedMemAccessFromHost = 1;
    cpu.concurrentManagedAccess = 1;
    cpu.canUseHostPointerForRegisteredMem = 1;
    cpu.computePreemptionSupported = 1;
    cpu.cooperativeLaunch = 1;
    cpu.hostRegisterSupported = 1;
    cpu.memoryPoolsSupported = 1;
#ifdef G2O_OFFLOAD
    std::snprintf(cpu.name, sizeof cpu.name, "OpenMP device"); // which tells nothing about itself
    cpu.integrated = 0;
    cpu.managedMemory = llvm_omp_target_alloc_shared != nullptr;
    cpu.concurrentManagedAccess = 0;
    cpu.pageableMemoryAccess = cpu.pageableMemoryAccessUsesHostPageTables = 0;
    cpu.directManagedMemAccessFromHost = cpu.hostNativeAtomicSupported = 0;
    cpu.canUseHostPointerForRegisteredMem = cpu.hostRegisterSupported = 0;
#endif
    return cpu;
}

inline const DeviceProp &cpu()
{
    static const DeviceProp properties = describe_cpu();
    return properties;
}

} // namespace detail

inline Error choose_device(int *device, const DeviceProp * /*wanted*/)
{
    return get_device(device);
}

inline Error get_device_properties(DeviceProp *properties, int device)
{
    *properties = detail::cpu();
    return detail::check_device(device);
}

inline Error device_get_attribute(int *value, DeviceAttr attribute, int device)
{
    *value = 0;
    if (detail::check_device(device) != Success)
        return ErrorInvalidDevice;
    const DeviceProp &cpu = detail::cpu();
    switch (attribute) {
#define G2O_VALUE(name, number, member)                                                            \
    case DevAttr##name: *value = int(cpu.member); return Success;
        G2O_DEVICE_ATTRIBUTES(G2O_VALUE)
#undef G2O_VALUE
    }
    return detail::report(ErrorInvalidValue);
}
#undef G2O_DEVICE_ATTRIBUTES

namespace detail {

// Limits are remembered for device_get_limit; no code depends on them.
inline std::size_t *device_limits()
{
    static std::size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
    return limits;
}

} // namespace detail

inline Error device_set_limit(Limit limit, std::size_t value)
{
    if (limit < LimitStackSize || limit > LimitPersistingL2CacheSize)
        return detail::report(ErrorUnsupportedLimit);
    detail::device_limits()[limit] = value;
    return Success;
}

inline Error device_get_limit(std::size_t *value, Limit limit)
{
    *value = 0;
    if (limit < LimitStackSize || limit > LimitPersistingL2CacheSize)
        return detail::report(ErrorUnsupportedLimit);
    *value = detail::device_limits()[limit];
    return Success;
}

inline Error thread_set_limit(Limit limit, std::size_t value)
{
    return device_set_limit(limit, value);
}

// Settings of the hardware that a CPU does not have: accepted, without effect.
inline Error set_device_flags(unsigned /*flags*/) { return Success; }
inline Error device_set_cache_config(FuncCache /*config*/) { return Success; }
inline Error thread_set_cache_config(FuncCache /*config*/) { return Success; }
inline Error device_set_shared_mem_config(SharedMemConfig /*config*/) { return Success; }

inline Error get_device_flags(unsigned *flags)
{
    *flags = DeviceScheduleAuto;
    return Success;
}

inline Error device_get_cache_config(FuncCache *config)
{
    *config = FuncCachePreferNone;
    return Success;
}

inline Error device_get_shared_mem_config(SharedMemConfig *config)
{
    *config = SharedMemBankSizeFourByte;
    return Success;
}

inline Error device_get_stream_priority_range(int *least, int *greatest)
{
    if (least != nullptr)
        *least = 0;
    if (greatest != nullptr)
        *greatest = 0;
    return Success;
}

inline Error device_get_pci_bus_id(char *id, int capacity, int device)
{
    if (id == nullptr || capacity <= 0)
        return detail::report(ErrorInvalidValue);
    std::snprintf(id, std::size_t(capacity), "0000:00:00.0");
    return detail::check_device(device);
}

inline Error device_get_by_pci_bus_id(int *device, const char *id)
{
    if (device == nullptr || id == nullptr || std::strcmp(id, "0000:00:00.0") != 0)
        return detail::report(ErrorInvalidValue);
    *device = 0;
    return Success;
}

inline Error init_device(int device, unsigned /*device_flags*/ = 0, unsigned /*flags*/ = 0)
{
    return detail::check_device(device);
}

// There is one device, so there is no peer.
inline Error device_can_access_peer(int *can_access, int device, int peer)
{
    *can_access = 0;
    return detail::report(device == 0 && peer == 0 ? Success : ErrorInvalidDevice);
}

inline Error device_get_p2p_attribute(int * /*value*/, DeviceP2PAttr /*attribute*/, int /*device*/,
                                      int /*peer*/)
{
    return detail::report(ErrorInvalidDevice);
}

inline Error device_enable_peer_access(int /*peer*/, unsigned /*flags*/)
{
    return detail::report(ErrorInvalidDevice);
}

inline Error device_disable_peer_access(int /*peer*/)
{
    return detail::report(ErrorPeerAccessNotEnabled);
}

// The driver API's: there is nothing to set up.
inline Error init(unsigned flags) { return flags == 0 ? Success : ErrorInvalidValue; }

// The CUDA version whose behaviour this header follows.
inline Error driver_get_version(int *version)
{
    *version = 12000;
    return Success;
}

inline Error runtime_get_version(int *version)
{
    *version = 12000;
    return Success;
}

inline Error profiler_start() { return Success; }
inline Error profiler_stop() { return Success; }

} // namespace g2o

} // extern "C++"

#endif // G2O_DEVICES_HPP
