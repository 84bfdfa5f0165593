// g2o_runtime.hpp: what programs translated by g2o from CUDA to OpenMP need at run time.
//
// One header, no dependency but the C++17 library and (when enabled) OpenMP. It has
//
//    1. dim3 and the vector types, at global scope
//    2. the types, enumerations and flags of the runtime API
//    3. the runtime API: errors, devices, memory, streams, events, launches
//    4. atomic operations
//    5. arithmetic that CUDA has and the C library has not
//    6. memory and warp operations for kernels that became loops
//    7. arrays and textures
//    8. random numbers for kernels
//    9. half precision
//
// The "device" is the CPU the program runs on. Host and device share one memory, every operation is
// complete when its function returns, and streams therefore order nothing.
#ifndef G2O_RUNTIME_HPP
#define G2O_RUNTIME_HPP

#include <math.h>

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

// ================================================================================================
// 1. dim3 and the vector types
// ================================================================================================

// For a type T: structures T1 ... T4 with members x, y, z, w, aligned as CUDA aligns them (2 and 4
// components as one unit of at most 16 bytes, otherwise as their component), and make_T1, ...
// make_T4.
// clang-format off
#define G2O_VECTOR_TYPES(T, Component)                                                             \
    struct T##1 {                                                                                  \
        Component x;                                                                               \
    };                                                                                             \
    struct alignas(2 * sizeof(Component)) T##2 {                                                   \
        Component x, y;                                                                            \
    };                                                                                             \
    struct T##3 {                                                                                  \
        Component x, y, z;                                                                         \
    };                                                                                             \
    struct alignas(sizeof(Component) < 4 ? 4 * sizeof(Component) : 16) T##4 {                      \
        Component x, y, z, w;                                                                      \
    };                                                                                             \
    constexpr T##1 make_##T##1(Component x) { return {x}; }                                        \
    constexpr T##2 make_##T##2(Component x, Component y) { return {x, y}; }                        \
    constexpr T##3 make_##T##3(Component x, Component y, Component z) { return {x, y, z}; }        \
    constexpr T##4 make_##T##4(Component x, Component y, Component z, Component w)                 \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
// clang-format on

G2O_VECTOR_TYPES(char, signed char)
G2O_VECTOR_TYPES(uchar, unsigned char)
G2O_VECTOR_TYPES(short, short)
G2O_VECTOR_TYPES(ushort, unsigned short)
G2O_VECTOR_TYPES(int, int)
G2O_VECTOR_TYPES(uint, unsigned)
G2O_VECTOR_TYPES(long, long)
G2O_VECTOR_TYPES(ulong, unsigned long)
G2O_VECTOR_TYPES(longlong, long long)
G2O_VECTOR_TYPES(ulonglong, unsigned long long)
G2O_VECTOR_TYPES(float, float)
G2O_VECTOR_TYPES(double, double)
#undef G2O_VECTOR_TYPES

// Extent of a grid or a block; what is not given is 1.
struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

// ================================================================================================
// 2. Types, enumerations and flags of the runtime API
// ================================================================================================

// They live in a namespace of their own: an unqualified call such as free(streams) must not find
// g2o::free by way of the type of its argument.
namespace g2o::types {

// clang-format off
// Every error: name, CUDA's number, CUDA's text.
#define G2O_ERRORS(error)                                                                          \
    error(Success, 0, "no error")                                                                  \
    error(ErrorInvalidValue, 1, "invalid argument")                                                \
    error(ErrorMemoryAllocation, 2, "out of memory")                                               \
    error(ErrorInitializationError, 3, "initialization error")                                     \
    error(ErrorCudartUnloading, 4, "driver shutting down")                                         \
    error(ErrorInvalidConfiguration, 9, "invalid configuration argument")                          \
    error(ErrorInvalidPitchValue, 12, "invalid pitch argument")                                    \
    error(ErrorInvalidSymbol, 13, "invalid device symbol")                                         \
    error(ErrorInvalidHostPointer, 16, "invalid host pointer")                                     \
    error(ErrorInvalidDevicePointer, 17, "invalid device pointer")                                 \
    error(ErrorInvalidTexture, 18, "invalid texture reference")                                    \
    error(ErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                     \
    error(ErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                         \
    error(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                    \
    error(ErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")      \
    error(ErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")     \
    error(ErrorNotYetImplemented, 31, "feature not yet implemented")                               \
    error(ErrorInsufficientDriver, 35,                                                             \
          "CUDA driver version is insufficient for CUDA runtime version")                          \
    error(ErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")        \
    error(ErrorMissingConfiguration, 52, "__global__ function call is not configured")             \
    error(ErrorInvalidDeviceFunction, 98, "invalid device function")                               \
    error(ErrorNoDevice, 100, "no CUDA-capable device is detected")                                \
    error(ErrorInvalidDevice, 101, "invalid device ordinal")                                       \
    error(ErrorStartupFailure, 127, "startup failure in cuda runtime")                             \
    error(ErrorInvalidKernelImage, 200, "device kernel image is invalid")                          \
    error(ErrorNoKernelImageForDevice, 209,                                                        \
          "no kernel image is available for execution on the device")                              \
    error(ErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                       \
    error(ErrorUnsupportedLimit, 215, "limit is not supported on this architecture")               \
    error(ErrorPeerAccessUnsupported, 217,                                                         \
          "peer access is not supported between these two devices")                                \
    error(ErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                    \
    error(ErrorFileNotFound, 301, "file not found")                                                \
    error(ErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")       \
    error(ErrorInvalidResourceHandle, 400, "invalid resource handle")                              \
    error(ErrorIllegalState, 401, "the operation cannot be performed in the present state")        \
    error(ErrorSymbolNotFound, 500, "named symbol not found")                                      \
    error(ErrorNotReady, 600, "device not ready")                                                  \
    error(ErrorIllegalAddress, 700, "an illegal memory access was encountered")                    \
    error(ErrorLaunchOutOfResources, 701, "too many resources requested for launch")               \
    error(ErrorLaunchTimeout, 702, "the launch timed out and was terminated")                      \
    error(ErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                    \
    error(ErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                      \
    error(ErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")       \
    error(ErrorAssert, 710, "device-side assert triggered")                                        \
    error(ErrorHostMemoryAlreadyRegistered, 712,                                                   \
          "part or all of the requested memory range is already mapped")                           \
    error(ErrorHostMemoryNotRegistered, 713,                                                       \
          "pointer does not correspond to a registered memory region")                             \
    error(ErrorIllegalInstruction, 715, "an illegal instruction was encountered")                  \
    error(ErrorMisalignedAddress, 716, "misaligned address")                                       \
    error(ErrorLaunchFailure, 719, "unspecified launch failure")                                   \
    error(ErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")            \
    error(ErrorNotPermitted, 800, "operation not permitted")                                       \
    error(ErrorNotSupported, 801, "operation not supported")                                       \
    error(ErrorUnknown, 999, "unknown error")
// clang-format on

enum Error {
#define G2O_ENUMERATOR(name, number, text) name = number,
    G2O_ERRORS(G2O_ENUMERATOR)
#undef G2O_ENUMERATOR
};

enum MemcpyKind {
    MemcpyHostToHost = 0,
    MemcpyHostToDevice = 1,
    MemcpyDeviceToHost = 2,
    MemcpyDeviceToDevice = 3,
    MemcpyDefault = 4
};

enum MemoryType {
    MemoryTypeUnregistered = 0,
    MemoryTypeHost = 1,
    MemoryTypeDevice = 2,
    MemoryTypeManaged = 3
};

enum MemoryAdvise {
    MemAdviseSetReadMostly = 1,
    MemAdviseUnsetReadMostly = 2,
    MemAdviseSetPreferredLocation = 3,
    MemAdviseUnsetPreferredLocation = 4,
    MemAdviseSetAccessedBy = 5,
    MemAdviseUnsetAccessedBy = 6
};

enum FuncCache {
    FuncCachePreferNone = 0,
    FuncCachePreferShared = 1,
    FuncCachePreferL1 = 2,
    FuncCachePreferEqual = 3
};

enum SharedMemConfig {
    SharedMemBankSizeDefault = 0,
    SharedMemBankSizeFourByte = 1,
    SharedMemBankSizeEightByte = 2
};

enum FuncAttribute {
    FuncAttributeMaxDynamicSharedMemorySize = 8,
    FuncAttributePreferredSharedMemoryCarveout = 9
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

// Flags of functions that take an unsigned integer.
constexpr unsigned HostAllocDefault = 0, HostAllocPortable = 1, HostAllocMapped = 2,
                   HostAllocWriteCombined = 4;
constexpr unsigned HostRegisterDefault = 0, HostRegisterPortable = 1, HostRegisterMapped = 2,
                   HostRegisterIoMemory = 4, HostRegisterReadOnly = 8;
constexpr unsigned MemAttachGlobal = 1, MemAttachHost = 2, MemAttachSingle = 4;
constexpr unsigned StreamDefault = 0, StreamNonBlocking = 1;
constexpr unsigned EventDefault = 0, EventBlockingSync = 1, EventDisableTiming = 2,
                   EventInterprocess = 4;
constexpr unsigned EventRecordDefault = 0, EventWaitDefault = 0;
constexpr unsigned DeviceScheduleAuto = 0, DeviceScheduleSpin = 1, DeviceScheduleYield = 2,
                   DeviceScheduleBlockingSync = 4, DeviceBlockingSync = 4, DeviceMapHost = 8,
                   DeviceLmemResizeToMax = 16;
constexpr unsigned OccupancyDefault = 0, OccupancyDisableCachingOverride = 1;
constexpr unsigned PeerAccessDefault = 0;
constexpr int CpuDeviceId = -1, InvalidDeviceId = -2;

struct StreamState {
    unsigned flags;
    int priority;
};

struct EventState {
    unsigned flags;
    bool recorded;
    std::chrono::steady_clock::time_point time;
};

using Stream = StreamState *; // null: the default stream
using Event = EventState *;
using StreamCallback = void (*)(Stream, Error, void *);
using HostFn = void (*)(void *);

inline const Stream StreamLegacy = reinterpret_cast<Stream>(1);
inline const Stream StreamPerThread = reinterpret_cast<Stream>(2);

struct UUID {
    char bytes[16];
};

// What the program can ask about the device, that is: about the CPU.
struct DeviceProp {
    char name[256];
    UUID uuid;
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
    int maxTexture1DLinear;
    int maxTexture2D[2];
    int maxTexture2DLinear[3];
    int maxTexture3D[3];
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
    int memoryPoolsSupported;
};

struct FuncAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

struct PointerAttributes {
    MemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
};

} // namespace g2o::types

namespace g2o {

using namespace types;

// ================================================================================================
// 3. The runtime API
// ================================================================================================

// ---- errors ------------------------------------------------------------------------------------

namespace detail {

inline Error &last_error()
{
    thread_local Error error = Success;
    return error;
}

// Remembers a failure for get_last_error; hands the error on to the caller.
inline Error report(Error error)
{
    if (error != Success)
        last_error() = error;
    return error;
}

} // namespace detail

// The last failure since the previous call, which it forgets.
inline Error get_last_error() { return std::exchange(detail::last_error(), Success); }

// The last failure since get_last_error, which it keeps.
inline Error peek_at_last_error() { return detail::last_error(); }

// The text CUDA prints for this error.
inline const char *get_error_string(Error error)
{
    switch (error) {
#define G2O_TEXT(name, number, text)                                                               \
    case name: return text;
        G2O_ERRORS(G2O_TEXT)
#undef G2O_TEXT
    }
    return "unrecognized error code";
}

// The name CUDA has for this error.
inline const char *get_error_name(Error error)
{
    switch (error) {
#define G2O_NAME(name, number, text)                                                               \
    case name: return "cuda" #name;
        G2O_ERRORS(G2O_NAME)
#undef G2O_NAME
    }
    return "unrecognized error code";
}
#undef G2O_ERRORS

// ---- memory ------------------------------------------------------------------------------------

namespace detail {

constexpr std::size_t allocation_alignment = 256; // bytes; CUDA promises as much

constexpr std::size_t round_up(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

// A line such as "MemTotal:  24684084 kB" of the kernel's memory report, in bytes; 0 if there is
// none.
inline std::size_t memory_report(const char *entry)
{
    unsigned long long kibibytes = 0;
    if (std::FILE *file = std::fopen("/proc/meminfo", "r")) {
        char line[128];
        const std::size_t length = std::strlen(entry);
        while (std::fgets(line, sizeof line, file)) {
            if (std::strncmp(line, entry, length) == 0 && line[length] == ':')
                kibibytes = std::strtoull(line + length + 1, nullptr, 10);
        }
        std::fclose(file);
    }
    return std::size_t(kibibytes) * 1024;
}

// Physical memory in bytes; where the system does not tell, as much as can be addressed.
inline std::size_t total_memory()
{
    static const std::size_t reported = memory_report("MemTotal");
    return reported != 0 ? reported : std::size_t(PTRDIFF_MAX);
}

// Uninitialised memory. More than physical memory is refused, as a device does; a pointer that gets
// no memory becomes null.
template <class T> Error allocate(T **pointer, std::size_t bytes)
{
    if (pointer == nullptr)
        return ErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0)
        return Success;
    if (bytes > total_memory() - allocation_alignment)
        return ErrorMemoryAllocation;
    void *memory = std::aligned_alloc(allocation_alignment, round_up(bytes, allocation_alignment));
    if (memory == nullptr)
        return ErrorMemoryAllocation;
    *pointer = static_cast<T *>(memory);
    return Success;
}

inline bool is_memcpy_kind(MemcpyKind kind)
{
    return int(kind) >= MemcpyHostToHost && int(kind) <= MemcpyDefault;
}

// One row of bytes after another; a pitch is the distance between the beginnings of two rows.
inline Error copy_rows(void *target, std::size_t target_pitch, const void *source,
                       std::size_t source_pitch, std::size_t width, std::size_t height,
                       MemcpyKind kind)
{
    if (!is_memcpy_kind(kind))
        return ErrorInvalidMemcpyDirection;
    if (width == 0 || height == 0)
        return Success;
    if (width > target_pitch || width > source_pitch)
        return ErrorInvalidPitchValue;
    if (target == nullptr || source == nullptr)
        return ErrorInvalidValue;
    for (std::size_t row = 0; row < height; ++row) {
        std::memmove(static_cast<char *>(target) + row * target_pitch,
                     static_cast<const char *>(source) + row * source_pitch, width);
    }
    return Success;
}

} // namespace detail

template <class T> Error malloc(T **pointer, std::size_t bytes)
{
    return detail::report(detail::allocate(pointer, bytes));
}

template <class T>
Error malloc_managed(T **pointer, std::size_t bytes, unsigned /*flags*/ = MemAttachGlobal)
{
    return malloc(pointer, bytes);
}

template <class T> Error malloc_host(T **pointer, std::size_t bytes, unsigned /*flags*/ = 0)
{
    return malloc(pointer, bytes);
}

template <class T> Error host_alloc(T **pointer, std::size_t bytes, unsigned /*flags*/ = 0)
{
    return malloc(pointer, bytes);
}

template <class T> Error malloc_async(T **pointer, std::size_t bytes, Stream /*stream*/ = nullptr)
{
    return malloc(pointer, bytes);
}

// Rows of `width` bytes, each aligned for vector loads; `pitch` receives their distance.
template <class T>
Error malloc_pitch(T **pointer, std::size_t *pitch, std::size_t width, std::size_t height)
{
    if (pitch == nullptr)
        return detail::report(ErrorInvalidValue);
    *pitch = detail::round_up(width, 128);
    const bool overflows = height != 0 && *pitch > std::size_t(-1) / height;
    return malloc(pointer, overflows ? std::size_t(-1) : *pitch * height);
}

inline Error free(void *pointer)
{
    std::free(pointer);
    return Success;
}

inline Error free_host(void *pointer) { return g2o::free(pointer); }
inline Error free_async(void *pointer, Stream /*stream*/ = nullptr) { return g2o::free(pointer); }

inline Error memcpy(void *target, const void *source, std::size_t bytes, MemcpyKind kind)
{
    return detail::report(detail::copy_rows(target, bytes, source, bytes, bytes, 1, kind));
}

inline Error memcpy_async(void *target, const void *source, std::size_t bytes, MemcpyKind kind,
                          Stream /*stream*/ = nullptr)
{
    return g2o::memcpy(target, source, bytes, kind);
}

inline Error memcpy_2d(void *target, std::size_t target_pitch, const void *source,
                       std::size_t source_pitch, std::size_t width, std::size_t height,
                       MemcpyKind kind)
{
    return detail::report(
        detail::copy_rows(target, target_pitch, source, source_pitch, width, height, kind));
}

inline Error memcpy_2d_async(void *target, std::size_t target_pitch, const void *source,
                             std::size_t source_pitch, std::size_t width, std::size_t height,
                             MemcpyKind kind, Stream /*stream*/ = nullptr)
{
    return memcpy_2d(target, target_pitch, source, source_pitch, width, height, kind);
}

inline Error memcpy_peer(void *target, int target_device, const void *source, int source_device,
                         std::size_t bytes)
{
    if (target_device != 0 || source_device != 0)
        return detail::report(ErrorInvalidDevice);
    return g2o::memcpy(target, source, bytes, MemcpyDeviceToDevice);
}

inline Error memcpy_peer_async(void *target, int target_device, const void *source,
                               int source_device, std::size_t bytes, Stream /*stream*/ = nullptr)
{
    return memcpy_peer(target, target_device, source, source_device, bytes);
}

// Sets every byte of `height` rows of `width` bytes.
inline Error memset_2d(void *target, std::size_t pitch, int value, std::size_t width,
                       std::size_t height)
{
    if (width == 0 || height == 0)
        return Success;
    if (width > pitch)
        return detail::report(ErrorInvalidPitchValue);
    if (target == nullptr)
        return detail::report(ErrorInvalidValue);
    for (std::size_t row = 0; row < height; ++row)
        std::memset(static_cast<char *>(target) + row * pitch, value, width);
    return Success;
}

inline Error memset_2d_async(void *target, std::size_t pitch, int value, std::size_t width,
                             std::size_t height, Stream /*stream*/ = nullptr)
{
    return memset_2d(target, pitch, value, width, height);
}

inline Error memset(void *target, int value, std::size_t bytes)
{
    return memset_2d(target, bytes, value, bytes, 1);
}

inline Error memset_async(void *target, int value, std::size_t bytes, Stream /*stream*/ = nullptr)
{
    return g2o::memset(target, value, bytes);
}

// Free and total memory of the machine in bytes.
inline Error mem_get_info(std::size_t *available, std::size_t *total)
{
    if (available == nullptr || total == nullptr)
        return detail::report(ErrorInvalidValue);
    *total = detail::total_memory();
    const std::size_t reported = detail::memory_report("MemAvailable");
    *available = reported != 0 ? reported : *total;
    return Success;
}

// A symbol is a variable that was __device__ or __constant__; it is passed by reference.
template <class T>
Error memcpy_to_symbol(T &symbol, const void *source, std::size_t bytes, std::size_t offset = 0,
                       MemcpyKind kind = MemcpyHostToDevice)
{
    static_assert(!std::is_const_v<std::remove_all_extents_t<T>>, "the symbol must be writable");
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return detail::report(ErrorInvalidValue);
    return g2o::memcpy(reinterpret_cast<char *>(&symbol) + offset, source, bytes, kind);
}

template <class T>
Error memcpy_to_symbol_async(T &symbol, const void *source, std::size_t bytes,
                             std::size_t offset = 0, MemcpyKind kind = MemcpyHostToDevice,
                             Stream /*stream*/ = nullptr)
{
    return memcpy_to_symbol(symbol, source, bytes, offset, kind);
}

template <class T>
Error memcpy_from_symbol(void *target, const T &symbol, std::size_t bytes, std::size_t offset = 0,
                         MemcpyKind kind = MemcpyDeviceToHost)
{
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return detail::report(ErrorInvalidValue);
    return g2o::memcpy(target, reinterpret_cast<const char *>(&symbol) + offset, bytes, kind);
}

template <class T>
Error memcpy_from_symbol_async(void *target, const T &symbol, std::size_t bytes,
                               std::size_t offset = 0, MemcpyKind kind = MemcpyDeviceToHost,
                               Stream /*stream*/ = nullptr)
{
    return memcpy_from_symbol(target, symbol, bytes, offset, kind);
}

template <class P, class T> Error get_symbol_address(P **pointer, T &symbol)
{
    *pointer = reinterpret_cast<P *>(&symbol);
    return Success;
}

template <class T> Error get_symbol_size(std::size_t *bytes, const T &symbol)
{
    *bytes = sizeof symbol;
    return Success;
}

// Host memory is device memory already.
inline Error host_register(void *pointer, std::size_t /*bytes*/, unsigned /*flags*/ = 0)
{
    return detail::report(pointer != nullptr ? Success : ErrorInvalidValue);
}

inline Error host_unregister(void *pointer)
{
    return detail::report(pointer != nullptr ? Success : ErrorInvalidValue);
}

template <class P>
Error host_get_device_pointer(P **device_pointer, void *host_pointer, unsigned /*flags*/ = 0)
{
    *device_pointer = static_cast<P *>(host_pointer);
    return Success;
}

inline Error host_get_flags(unsigned *flags, void * /*pointer*/)
{
    *flags = HostAllocMapped;
    return Success;
}

inline Error pointer_get_attributes(PointerAttributes *attributes, const void *pointer)
{
    void *address = const_cast<void *>(pointer);
    *attributes = {MemoryTypeManaged, 0, address, address};
    return Success;
}

// Hints for managed memory: nothing moves on a CPU.
inline Error mem_prefetch_async(const void *pointer, std::size_t bytes, int /*device*/,
                                Stream /*stream*/ = nullptr)
{
    return detail::report(pointer != nullptr || bytes == 0 ? Success : ErrorInvalidValue);
}

inline Error mem_advise(const void *pointer, std::size_t bytes, MemoryAdvise /*advice*/,
                        int /*device*/)
{
    return detail::report(pointer != nullptr || bytes == 0 ? Success : ErrorInvalidValue);
}

// ---- devices -----------------------------------------------------------------------------------

namespace detail {

// How many threads the machine runs at the same time.
inline int processors()
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

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
    return cpu;
}

inline const DeviceProp &cpu()
{
    static const DeviceProp properties = describe_cpu();
    return properties;
}

inline Error check_device(int device) { return report(device == 0 ? Success : ErrorInvalidDevice); }

} // namespace detail

inline Error get_device_count(int *count)
{
    *count = 1;
    return Success;
}

inline Error get_device(int *device)
{
    *device = 0;
    return Success;
}

inline Error set_device(int device) { return detail::check_device(device); }

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
    if (device != 0)
        return detail::report(ErrorInvalidDevice);
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

// Nothing is ever outstanding, so there is nothing to wait for.
inline Error device_synchronize() { return Success; }
inline Error thread_synchronize() { return Success; }

inline Error device_reset()
{
    detail::last_error() = Success;
    return Success;
}

inline Error thread_exit() { return device_reset(); }

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

// There is one device, so there is no peer.
inline Error device_can_access_peer(int *can_access, int device, int peer)
{
    *can_access = 0;
    return detail::report(device == 0 && peer == 0 ? Success : ErrorInvalidDevice);
}

inline Error device_enable_peer_access(int /*peer*/, unsigned /*flags*/)
{
    return detail::report(ErrorInvalidDevice);
}

inline Error device_disable_peer_access(int /*peer*/)
{
    return detail::report(ErrorPeerAccessNotEnabled);
}

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

// ---- streams and events ------------------------------------------------------------------------

namespace detail {

// The default streams are no objects; nothing may be read through their handles.
inline bool is_default_stream(Stream stream)
{
    return stream == nullptr || stream == StreamLegacy || stream == StreamPerThread;
}

} // namespace detail

inline Error stream_create_with_priority(Stream *stream, unsigned flags, int priority)
{
    if (stream == nullptr)
        return detail::report(ErrorInvalidValue);
    *stream = new StreamState{flags, priority};
    return Success;
}

inline Error stream_create_with_flags(Stream *stream, unsigned flags)
{
    return stream_create_with_priority(stream, flags, 0);
}

inline Error stream_create(Stream *stream)
{
    return stream_create_with_flags(stream, StreamDefault);
}

inline Error stream_destroy(Stream stream)
{
    if (detail::is_default_stream(stream))
        return detail::report(ErrorInvalidResourceHandle);
    delete stream;
    return Success;
}

inline Error stream_synchronize(Stream /*stream*/) { return Success; }
inline Error stream_query(Stream /*stream*/) { return Success; }

inline Error stream_wait_event(Stream /*stream*/, Event event, unsigned /*flags*/ = 0)
{
    return detail::report(event != nullptr ? Success : ErrorInvalidResourceHandle);
}

inline Error stream_get_flags(Stream stream, unsigned *flags)
{
    *flags = detail::is_default_stream(stream) ? StreamDefault : stream->flags;
    return Success;
}

inline Error stream_get_priority(Stream stream, int *priority)
{
    *priority = detail::is_default_stream(stream) ? 0 : stream->priority;
    return Success;
}

inline Error stream_attach_mem_async(Stream /*stream*/, void * /*pointer*/,
                                     std::size_t /*bytes*/ = 0,
                                     unsigned /*flags*/ = MemAttachSingle)
{
    return Success;
}

inline Error stream_add_callback(Stream stream, StreamCallback callback, void *data,
                                 unsigned /*flags*/ = 0)
{
    if (callback == nullptr)
        return detail::report(ErrorInvalidValue);
    callback(stream, Success, data);
    return Success;
}

inline Error launch_host_func(Stream /*stream*/, HostFn function, void *data)
{
    if (function == nullptr)
        return detail::report(ErrorInvalidValue);
    function(data);
    return Success;
}

inline Error event_create_with_flags(Event *event, unsigned flags)
{
    if (event == nullptr)
        return detail::report(ErrorInvalidValue);
    *event = new EventState{flags, false, {}};
    return Success;
}

inline Error event_create(Event *event, unsigned flags = EventDefault)
{
    return event_create_with_flags(event, flags);
}

inline Error event_record(Event event, Stream /*stream*/ = nullptr)
{
    if (event == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    event->time = std::chrono::steady_clock::now();
    event->recorded = true;
    return Success;
}

inline Error event_record_with_flags(Event event, Stream stream = nullptr, unsigned /*flags*/ = 0)
{
    return event_record(event, stream);
}

inline Error event_synchronize(Event event)
{
    return detail::report(event != nullptr ? Success : ErrorInvalidResourceHandle);
}

inline Error event_query(Event event)
{
    return detail::report(event != nullptr ? Success : ErrorInvalidResourceHandle);
}

// Wall-clock time between two recorded events in milliseconds.
inline Error event_elapsed_time(float *milliseconds, Event start, Event end)
{
    if (milliseconds == nullptr)
        return detail::report(ErrorInvalidValue);
    *milliseconds = 0;
    if (start == nullptr || end == nullptr || !start->recorded || !end->recorded)
        return detail::report(ErrorInvalidResourceHandle);
    if ((start->flags | end->flags) & EventDisableTiming)
        return detail::report(ErrorInvalidResourceHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return Success;
}

inline Error event_destroy(Event event)
{
    if (event == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    delete event;
    return Success;
}

// ---- functions and launches --------------------------------------------------------------------

template <class F> Error func_set_cache_config(F /*kernel*/, FuncCache /*config*/)
{
    return Success;
}

template <class F> Error func_set_shared_mem_config(F /*kernel*/, SharedMemConfig /*config*/)
{
    return Success;
}

template <class F>
Error func_set_attribute(F /*kernel*/, FuncAttribute /*attribute*/, int /*value*/)
{
    return Success;
}

template <class F> Error func_get_attributes(FuncAttributes *attributes, F /*kernel*/)
{
    const DeviceProp &cpu = detail::cpu();
    *attributes = {};
    attributes->maxThreadsPerBlock = cpu.maxThreadsPerBlock;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 10 * cpu.major + cpu.minor;
    attributes->maxDynamicSharedSizeBytes = int(cpu.sharedMemPerBlock);
    return Success;
}

// How many blocks the described device keeps resident on one multiprocessor.
template <class F>
Error occupancy_max_active_blocks_per_multiprocessor(int *blocks, F /*kernel*/, int block_size,
                                                     std::size_t shared_bytes)
{
    *blocks = 0;
    const DeviceProp &cpu = detail::cpu();
    if (block_size <= 0 || shared_bytes > cpu.sharedMemPerBlockOptin)
        return detail::report(ErrorInvalidValue);
    std::size_t limit = std::size_t(cpu.maxBlocksPerMultiProcessor);
    limit = std::min(limit, std::size_t(cpu.maxThreadsPerMultiProcessor / block_size));
    if (shared_bytes > 0)
        limit = std::min(limit, cpu.sharedMemPerMultiprocessor / shared_bytes);
    *blocks = int(limit);
    return Success;
}

template <class F>
Error occupancy_max_active_blocks_per_multiprocessor_with_flags(int *blocks, F kernel,
                                                                int block_size,
                                                                std::size_t shared_bytes,
                                                                unsigned /*flags*/)
{
    return occupancy_max_active_blocks_per_multiprocessor(blocks, kernel, block_size, shared_bytes);
}

// Blocks that are large enough to vectorise, and enough of them to balance the processors.
template <class F>
Error occupancy_max_potential_block_size(int *grid_size, int *block_size, F kernel,
                                         std::size_t shared_bytes = 0, int block_size_limit = 0)
{
    *block_size = block_size_limit > 0 ? std::min(256, block_size_limit) : 256;
    const Error error = occupancy_max_active_blocks_per_multiprocessor(grid_size, kernel,
                                                                       *block_size, shared_bytes);
    if (error == Success)
        *grid_size *= detail::cpu().multiProcessorCount;
    return error;
}

namespace detail {

template <class P> std::remove_reference_t<P> &launch_argument(void *argument)
{
    return *static_cast<std::remove_cv_t<std::remove_reference_t<P>> *>(argument);
}

inline bool is_launchable(dim3 grid, dim3 block)
{
    const std::size_t threads = std::size_t(block.x) * block.y * block.z;
    return grid.x > 0 && grid.y > 0 && grid.z > 0 && threads > 0 && threads <= 1024;
}

template <class... P, std::size_t... I>
Error launch_unpacked(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block, void **arguments,
                      std::index_sequence<I...>)
{
    if (!is_launchable(grid, block))
        return report(ErrorInvalidConfiguration);
    kernel(grid, block, launch_argument<P>(arguments[I])...);
    return Success;
}

template <class... P, std::size_t... I>
Error launch_unpacked_shared(void (*kernel)(dim3, dim3, std::size_t, P...), dim3 grid, dim3 block,
                             std::size_t shared_bytes, void **arguments, std::index_sequence<I...>)
{
    if (!is_launchable(grid, block))
        return report(ErrorInvalidConfiguration);
    kernel(grid, block, shared_bytes, launch_argument<P>(arguments[I])...);
    return Success;
}

} // namespace detail

// Launches a kernel without dynamic shared memory: `arguments` points to one argument after
// another.
template <class... P>
Error launch_static_kernel(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block,
                           void **arguments, std::size_t /*shared_bytes*/ = 0,
                           Stream /*stream*/ = nullptr)
{
    return detail::launch_unpacked(kernel, grid, block, arguments, std::index_sequence_for<P...>());
}

template <class... P>
Error launch_kernel(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block, void **arguments,
                    std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_static_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}

// The same for a kernel with dynamic shared memory. The types cannot tell it from a kernel without,
// whose own first parameter is a std::size_t: that one is launched by launch_static_kernel.
template <class... P>
Error launch_kernel(void (*kernel)(dim3, dim3, std::size_t, P...), dim3 grid, dim3 block,
                    void **arguments, std::size_t shared_bytes = 0, Stream /*stream*/ = nullptr)
{
    return detail::launch_unpacked_shared(kernel, grid, block, shared_bytes, arguments,
                                          std::index_sequence_for<P...>());
}

// A kernel that synchronises its grid became one function as well.
template <class Kernel>
Error launch_cooperative_kernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}

// ================================================================================================
// 4. Atomic operations
// ================================================================================================

// Each returns the value that was there before. They order nothing but the location itself, as in
// CUDA; exchange and compare-and-swap also acquire and release, because locks are built from them.

namespace detail {

// Replaces a value by a function of it.
template <class T, class Update> auto atomic_update(T *address, Update update)
{
    std::remove_cv_t<T> old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    std::remove_cv_t<T> desired = update(old);
    while (!__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        desired = update(old);
    return old;
}

// Replaces a value while `improves(old)` holds.
template <class T, class Improves>
auto atomic_replace(T *address, std::remove_cv_t<T> value, Improves improves)
{
    std::remove_cv_t<T> old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    while (improves(old) && !__atomic_compare_exchange(address, &old, &value, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}

} // namespace detail

template <class T, class U> std::remove_cv_t<T> atomic_add(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value summand = Value(value);
    if constexpr (std::is_integral_v<Value>)
        return __atomic_fetch_add(address, summand, __ATOMIC_RELAXED);
    else
        return detail::atomic_update(address, [=](Value old) { return Value(old + summand); });
}

template <class T, class U> std::remove_cv_t<T> atomic_sub(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value subtrahend = Value(value);
    if constexpr (std::is_integral_v<Value>)
        return __atomic_fetch_sub(address, subtrahend, __ATOMIC_RELAXED);
    else
        return detail::atomic_update(address, [=](Value old) { return Value(old - subtrahend); });
}

template <class T, class U> std::remove_cv_t<T> atomic_min(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value candidate = Value(value);
    return detail::atomic_replace(address, candidate, [=](Value old) { return candidate < old; });
}

template <class T, class U> std::remove_cv_t<T> atomic_max(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value candidate = Value(value);
    return detail::atomic_replace(address, candidate, [=](Value old) { return old < candidate; });
}

template <class T, class U> std::remove_cv_t<T> atomic_exch(T *address, U value)
{
    std::remove_cv_t<T> desired = std::remove_cv_t<T>(value);
    std::remove_cv_t<T> old;
    __atomic_exchange(address, &desired, &old, __ATOMIC_ACQ_REL);
    return old;
}

template <class T, class U, class V> std::remove_cv_t<T> atomic_cas(T *address, U compare, V value)
{
    std::remove_cv_t<T> old = std::remove_cv_t<T>(compare);
    std::remove_cv_t<T> desired = std::remove_cv_t<T>(value);
    __atomic_compare_exchange(address, &old, &desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
}

template <class T, class U> std::remove_cv_t<T> atomic_and(T *address, U value)
{
    return __atomic_fetch_and(address, std::remove_cv_t<T>(value), __ATOMIC_RELAXED);
}

template <class T, class U> std::remove_cv_t<T> atomic_or(T *address, U value)
{
    return __atomic_fetch_or(address, std::remove_cv_t<T>(value), __ATOMIC_RELAXED);
}

template <class T, class U> std::remove_cv_t<T> atomic_xor(T *address, U value)
{
    return __atomic_fetch_xor(address, std::remove_cv_t<T>(value), __ATOMIC_RELAXED);
}

// Counts 0, 1, ..., limit, 0, ...
template <class T, class U> std::remove_cv_t<T> atomic_inc(T *address, U limit)
{
    using Value = std::remove_cv_t<T>;
    const Value last = Value(limit);
    return detail::atomic_update(
        address, [=](Value old) { return old >= last ? Value(0) : Value(old + 1); });
}

// Counts limit, ..., 1, 0, limit, ...
template <class T, class U> std::remove_cv_t<T> atomic_dec(T *address, U limit)
{
    using Value = std::remove_cv_t<T>;
    const Value first = Value(limit);
    return detail::atomic_update(
        address, [=](Value old) { return old == 0 || old > first ? first : Value(old - 1); });
}

// Everything written before is visible to other threads before anything that follows.
inline void threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void threadfence_block() { threadfence(); }
inline void threadfence_system() { threadfence(); }

// ================================================================================================
// 6. Memory and warp operations for kernels that became loops
// ================================================================================================

// ---- arrays of a block -------------------------------------------------------------------------

namespace detail {

constexpr std::size_t arena_alignment = 128; // bytes: two cache lines, as prefetchers pair them

// A thread's stack of memory for the arrays of the block it executes. It only ever grows, and goes
// with the thread, so that a block costs no allocation once the largest one was seen.
class Arena {
  public:
    // Where the stack ended before something was taken.
    struct Mark {
        std::size_t chunk;
        std::size_t used;
    };

    Mark mark() const { return {current_, chunks_.empty() ? 0 : chunks_[current_].used}; }

    void *take(std::size_t bytes)
    {
        bytes = round_up(bytes, arena_alignment);
        if (chunks_.empty() || chunks_[current_].size - chunks_[current_].used < bytes)
            advance(bytes);
        Chunk &chunk = chunks_[current_];
        void *memory = chunk.memory.get() + chunk.used;
        chunk.used += bytes;
        return memory;
    }

    // Returns everything taken since `mark`.
    void release(Mark mark)
    {
        chunks_[current_].used = 0;
        current_ = mark.chunk;
        chunks_[current_].used = mark.used;
    }

  private:
    struct Release {
        void operator()(char *memory) const
        {
            ::operator delete[](memory, std::align_val_t(arena_alignment));
        }
    };

    struct Chunk {
        std::unique_ptr<char[], Release> memory;
        std::size_t size;
        std::size_t used;
    };

    static Chunk make_chunk(std::size_t bytes)
    {
        const std::size_t size = std::max(bytes, std::size_t(256 * 1024));
        void *memory = ::operator new[](size, std::align_val_t(arena_alignment));
        return {std::unique_ptr<char[], Release>(static_cast<char *>(memory)), size, 0};
    }

    // Makes the next chunk, which is empty, the current one; replaces it if it is too small.
    void advance(std::size_t bytes)
    {
        const std::size_t next =
            chunks_.empty() || chunks_[current_].used == 0 ? current_ : current_ + 1;
        if (next == chunks_.size())
            chunks_.push_back(make_chunk(bytes));
        else if (chunks_[next].size < bytes)
            chunks_[next] = make_chunk(bytes);
        current_ = next;
    }

    std::vector<Chunk> chunks_;
    std::size_t current_ = 0;
};

inline Arena &arena()
{
    thread_local Arena memory;
    return memory;
}

// A piece of the arena for the life of one variable. Converts to a pointer as an array does.
template <class T> class ArenaArray {
  public:
    operator T *() const { return data_; }
    template <class U> explicit operator U *() const { return reinterpret_cast<U *>(data_); }
    T *data() const { return data_; }

    ArenaArray(const ArenaArray &) = delete;
    ArenaArray &operator=(const ArenaArray &) = delete;

  protected:
    explicit ArenaArray(std::size_t bytes)
        : mark_(arena().mark()), data_(static_cast<T *>(arena().take(bytes)))
    {
        static_assert(alignof(T) <= arena_alignment, "over-aligned element");
    }
    ~ArenaArray() { arena().release(mark_); }

  private:
    Arena::Mark mark_;
    T *data_;
};

} // namespace detail

namespace types {

// Shared memory of one block, sized in bytes when the kernel is launched; zero at first.
// Used as the array it was: buf[t], &buf[n], buf + n, (float4 *)buf.
template <class T> class shared_array : public detail::ArenaArray<T> {
  public:
    explicit shared_array(std::size_t bytes) : detail::ArenaArray<T>(bytes)
    {
        std::memset(static_cast<void *>(this->data()), 0, bytes);
    }
};

// One value per thread of a block, for a variable that lives across a barrier: sum[t].
// thread_array<T[N]> has an array per thread: sum[t][k]. Like the variable it stands for, the
// values of types without a constructor are not initialised.
template <class T> class thread_array : public detail::ArenaArray<T> {
    using Element = std::remove_all_extents_t<T>;

  public:
    explicit thread_array(std::size_t threads)
        : detail::ArenaArray<T>(threads * sizeof(T)),
          elements_(threads * sizeof(T) / sizeof(Element))
    {
        std::uninitialized_default_construct_n(first(), elements_);
    }
    ~thread_array() { std::destroy_n(first(), elements_); }

  private:
    Element *first() const { return reinterpret_cast<Element *>(this->data()); }

    std::size_t elements_;
};

// One value per thread of a grid, for a variable that lives across a synchronisation of the grid.
template <class T> class grid_array {
  public:
    explicit grid_array(std::size_t threads) : data_(new T[threads]) {}

    operator T *() const { return data_.get(); }
    T *data() const { return data_.get(); }

  private:
    std::unique_ptr<T[]> data_;
};

// What a forward sweep records and the reverse sweep reads back, last in first out.
template <class T> class Tape {
  public:
    void push(const T &value) { values_.push_back(value); }

    T pop()
    {
        assert(!values_.empty());
        T value = std::move(values_.back());
        values_.pop_back();
        return value;
    }

    bool empty() const { return values_.empty(); }
    std::size_t size() const { return values_.size(); }
    void reserve(std::size_t count) { values_.reserve(count); }

  private:
    std::vector<T> values_;
};

} // namespace types

// ---- warps -------------------------------------------------------------------------------------

constexpr int warp_size = 32;

// A thread's place in its warp, and its warp's place in the block.
constexpr int lane_of(int thread) { return thread % warp_size; }
constexpr int warp_of(int thread) { return thread / warp_size; }

// The lane that a lane reads from. A warp falls into segments of `width` lanes (a power of two); a
// lane that would read from outside its segment reads from itself, but shfl wraps around.
constexpr int shfl_lane(int lane, int source, int width = warp_size)
{
    return (lane & ~(width - 1)) | (source & (width - 1));
}

constexpr int shfl_up_lane(int lane, unsigned delta, int width = warp_size)
{
    return unsigned(lane & (width - 1)) >= delta ? lane - int(delta) : lane;
}

constexpr int shfl_down_lane(int lane, unsigned delta, int width = warp_size)
{
    return unsigned(lane & (width - 1)) + delta < unsigned(width) ? lane + int(delta) : lane;
}

// Reads from an earlier segment are allowed, reads from a later one are not.
constexpr int shfl_xor_lane(int lane, int mask, int width = warp_size)
{
    const int source = lane ^ mask;
    return source < (lane & ~(width - 1)) + width ? source : lane;
}

// One bit per lane whose predicate holds.
template <class P> unsigned ballot(const P *predicates, int lanes = warp_size)
{
    unsigned bits = 0;
    for (int lane = 0; lane < lanes; ++lane)
        bits |= unsigned(predicates[lane] != 0) << lane;
    return bits;
}

template <class P> bool any(const P *predicates, int lanes = warp_size)
{
    return std::any_of(predicates, predicates + lanes, [](P p) { return p != 0; });
}

template <class P> bool all(const P *predicates, int lanes = warp_size)
{
    return std::all_of(predicates, predicates + lanes, [](P p) { return p != 0; });
}

// One bit per lane that has the value of `lane`.
template <class T> unsigned match_any(const T *values, int lane, int lanes = warp_size)
{
    unsigned bits = 0;
    for (int other = 0; other < lanes; ++other)
        bits |= unsigned(values[other] == values[lane]) << other;
    return bits;
}

namespace detail {

template <class T, class Combine> T reduce(const T *values, int lanes, Combine combine)
{
    T result = values[0];
    for (int lane = 1; lane < lanes; ++lane)
        result = combine(result, values[lane]);
    return result;
}

} // namespace detail

template <class T> T reduce_add(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a + b); });
}

template <class T> T reduce_min(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return b < a ? b : a; });
}

template <class T> T reduce_max(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return a < b ? b : a; });
}

template <class T> T reduce_and(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a & b); });
}

template <class T> T reduce_or(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a | b); });
}

template <class T> T reduce_xor(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a ^ b); });
}

} // namespace g2o

#endif // G2O_RUNTIME_HPP
