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
//    9. floats of 16 and 8 bits
//   10. complex numbers
//
// The "device" is the CPU the program runs on, or with G2O_OFFLOAD OpenMP's default device, which may
// have memory of its own. Every operation is complete when its function returns, and streams
// therefore order nothing.
#ifndef G2O_RUNTIME_HPP
#define G2O_RUNTIME_HPP

#include <math.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cfenv>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef G2O_OFFLOAD
#include <map>
#include <mutex>
#include <optional>
#endif
#if defined(__linux__) && __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

// A program's macros of these names are not meant for what follows.
#pragma push_macro("A")
#undef A
#pragma push_macro("B")
#undef B
#pragma push_macro("D")
#undef D
#pragma push_macro("F")
#undef F
#pragma push_macro("G")
#undef G
#pragma push_macro("I")
#undef I
#pragma push_macro("P")
#undef P
#pragma push_macro("T")
#undef T
#pragma push_macro("U")
#undef U
#pragma push_macro("V")
#undef V

// For conditions of the preprocessor, in place of __CUDACC__ and CUDA's version numbers. Where the
// source was read without OpenMP, G2O_SOURCE_OPENMP, never defined, stands for _OPENMP.
#define G2O 1
#define G2O_CUDA_VERSION 12000
#define G2O_CUDA_VERSION_MAJOR 12
#define G2O_CUDA_VERSION_MINOR 0
#define G2O_CUDA_VERSION_BUILD 0

// Stands in files that read memory as another type than it was written as, which kernels do to move
// several values at once. GCC, unlike CUDA's compiler, takes such pointers for pointers apart.
#if defined(__GNUC__) && !defined(__clang__)
#define G2O_TYPE_PUNNING _Pragma("GCC optimize(\"no-strict-aliasing\")")
#else
#define G2O_TYPE_PUNNING
#endif

// What a source for CPUs and devices (--target portable) does on each of them:
//     #pragma omp G2O_CPU(simd) G2O_DEVICE(parallel for)
// Where one of them needs no directive, that of the other stands alone in G2O_..._PRAGMA(omp ...).
#ifdef G2O_OFFLOAD
#define G2O_CPU(...)
#define G2O_DEVICE(...) __VA_ARGS__
#define G2O_CPU_PRAGMA(...)
#define G2O_DEVICE_PRAGMA(...) G2O_PRAGMA(__VA_ARGS__)
#else
#define G2O_CPU(...) __VA_ARGS__
#define G2O_DEVICE(...)
#define G2O_CPU_PRAGMA(...) G2O_PRAGMA(__VA_ARGS__)
#define G2O_DEVICE_PRAGMA(...)
#endif
#define G2O_PRAGMA(...) _Pragma(#__VA_ARGS__)

// The directives of a loop that stores prefix sums, where the compiler computes these in vectors:
// Clang does not, and warns that it does not.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 10
#define G2O_SCAN_PRAGMA(...) G2O_PRAGMA(__VA_ARGS__)
#else
#define G2O_SCAN_PRAGMA(...)
#endif

// Code for a graphics processor, which compilers translate beside that for the host.
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define G2O_GPU 1
#endif

// A clause of target constructs that asks for the shared memory of a block by its size in bytes,
// where the compiler has such a clause.
#if defined(__clang__) && __clang_major__ >= 17
#define G2O_DYNAMIC_SHARED(bytes) ompx_dyn_cgroup_mem(bytes)
#else
#define G2O_DYNAMIC_SHARED(bytes)
#endif

// ================================================================================================
// 1. dim3 and the vector types
// ================================================================================================

// For a type T: structures T1 to T4 with the members x, y, z, w and functions make_T1 to make_T4.
// Aligned as in CUDA: 2 and 4 components as one unit of at most 16 bytes, others as a component.
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
    error(ErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")       \
    error(ErrorProfilerNotInitialized, 6, "profiler is not initialized")                           \
    error(ErrorProfilerAlreadyStarted, 7, "profiler already started")                              \
    error(ErrorProfilerAlreadyStopped, 8, "profiler already stopped")                              \
    error(ErrorInvalidConfiguration, 9, "invalid configuration argument")                          \
    error(ErrorInvalidPitchValue, 12, "invalid pitch argument")                                    \
    error(ErrorInvalidSymbol, 13, "invalid device symbol")                                         \
    error(ErrorInvalidHostPointer, 16, "invalid host pointer")                                     \
    error(ErrorInvalidDevicePointer, 17, "invalid device pointer")                                 \
    error(ErrorInvalidTexture, 18, "invalid texture reference")                                    \
    error(ErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                     \
    error(ErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                         \
    error(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                    \
    error(ErrorAddressOfConstant, 22, "address of constant memory was taken")                      \
    error(ErrorTextureFetchFailed, 23, "fetch from texture failed")                                \
    error(ErrorTextureNotBound, 24, "texture is not bound")                                        \
    error(ErrorSynchronizationError, 25, "synchronization error")                                  \
    error(ErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")      \
    error(ErrorInvalidNormSetting, 27,                                                             \
          "read as normalized float not supported for 32-bit non float type")                      \
    error(ErrorMixedDeviceExecution, 28, "device emulation is mixed with execution on a device")   \
    error(ErrorNotYetImplemented, 31, "feature not yet implemented")                               \
    error(ErrorMemoryValueTooLarge, 32,                                                            \
          "memory size or pointer value too large to fit in 32 bit")                               \
    error(ErrorInsufficientDriver, 35,                                                             \
          "CUDA driver version is insufficient for CUDA runtime version")                          \
    error(ErrorInvalidSurface, 37, "invalid surface reference")                                    \
    error(ErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")    \
    error(ErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")             \
    error(ErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")             \
    error(ErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")        \
    error(ErrorIncompatibleDriverContext, 49, "incompatible driver context")                       \
    error(ErrorMissingConfiguration, 52, "__global__ function call is not configured")             \
    error(ErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")               \
    error(ErrorInvalidDeviceFunction, 98, "invalid device function")                               \
    error(ErrorNoDevice, 100, "no CUDA-capable device is detected")                                \
    error(ErrorInvalidDevice, 101, "invalid device ordinal")                                       \
    error(ErrorStartupFailure, 127, "startup failure in cuda runtime")                             \
    error(ErrorInvalidKernelImage, 200, "device kernel image is invalid")                          \
    error(ErrorDeviceUninitialized, 201, "invalid device context")                                 \
    error(ErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                      \
    error(ErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                  \
    error(ErrorNoKernelImageForDevice, 209,                                                        \
          "no kernel image is available for execution on the device")                              \
    error(ErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                       \
    error(ErrorUnsupportedLimit, 215, "limit is not supported on this architecture")               \
    error(ErrorDeviceAlreadyInUse, 216,                                                            \
          "exclusive-thread device already in use by a different thread")                          \
    error(ErrorPeerAccessUnsupported, 217,                                                         \
          "peer access is not supported between these two devices")                                \
    error(ErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                    \
    error(ErrorInvalidSource, 300, "device kernel image is invalid")                               \
    error(ErrorFileNotFound, 301, "file not found")                                                \
    error(ErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                  \
    error(ErrorSharedObjectInitFailed, 303, "shared object initialization failed")                 \
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
    error(ErrorContextIsDestroyed, 709, "context is destroyed")                                    \
    error(ErrorAssert, 710, "device-side assert triggered")                                        \
    error(ErrorTooManyPeers, 711, "peer mapping resources exhausted")                              \
    error(ErrorHostMemoryAlreadyRegistered, 712,                                                   \
          "part or all of the requested memory range is already mapped")                           \
    error(ErrorHostMemoryNotRegistered, 713,                                                       \
          "pointer does not correspond to a registered memory region")                             \
    error(ErrorHardwareStackError, 714, "hardware stack error")                                    \
    error(ErrorIllegalInstruction, 715, "an illegal instruction was encountered")                  \
    error(ErrorMisalignedAddress, 716, "misaligned address")                                       \
    error(ErrorInvalidAddressSpace, 717,                                                           \
          "operation not supported on global/shared address space")                                \
    error(ErrorInvalidPc, 718, "invalid program counter")                                          \
    error(ErrorLaunchFailure, 719, "unspecified launch failure")                                   \
    error(ErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")            \
    error(ErrorNotPermitted, 800, "operation not permitted")                                       \
    error(ErrorNotSupported, 801, "operation not supported")                                       \
    error(ErrorGraphExecUpdateFailure, 910, "the graph update was not performed because it "       \
          "included changes which violated constraints specific to instantiated graph update")     \
    error(ErrorUnknown, 999, "unknown error")                                                      \
    error(ErrorApiFailureBase, 10000, "api failure base")
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

enum SharedCarveout {
    SharedmemCarveoutDefault = -1,
    SharedmemCarveoutMaxL1 = 0,
    SharedmemCarveoutMaxShared = 100
};

enum MemPoolAttr {
    MemPoolReuseFollowEventDependencies = 1,
    MemPoolReuseAllowOpportunistic = 2,
    MemPoolReuseAllowInternalDependencies = 3,
    MemPoolAttrReleaseThreshold = 4,
    MemPoolAttrReservedMemCurrent = 5,
    MemPoolAttrReservedMemHigh = 6,
    MemPoolAttrUsedMemCurrent = 7,
    MemPoolAttrUsedMemHigh = 8
};

enum MemLocationType {
    MemLocationTypeInvalid = 0,
    MemLocationTypeDevice = 1,
    MemLocationTypeHost = 2
};

enum MemAllocationType {
    MemAllocationTypeInvalid = 0,
    MemAllocationTypePinned = 1,
    MemAllocationTypeMax = 0x7fffffff
};

enum MemAllocationHandleType {
    MemHandleTypeNone = 0,
    MemHandleTypePosixFileDescriptor = 1,
    MemHandleTypeWin32 = 2,
    MemHandleTypeWin32Kmt = 4
};

enum MemAccessFlags {
    MemAccessFlagsProtNone = 0,
    MemAccessFlagsProtRead = 1,
    MemAccessFlagsProtReadWrite = 3
};

enum DeviceP2PAttr {
    DevP2PAttrPerformanceRank = 1,
    DevP2PAttrAccessSupported = 2,
    DevP2PAttrNativeAtomicSupported = 3,
    DevP2PAttrCudaArrayAccessSupported = 4
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

struct GraphState;

struct StreamState {
    unsigned flags;
    int priority;
    GraphState *capture; // the graph that takes what is enqueued; mostly null
};

struct EventState {
    unsigned flags;
    bool recorded;
    std::chrono::steady_clock::time_point time;
    GraphState *capture;
};

using Stream = StreamState *; // null: the default stream
using Event = EventState *;
using StreamCallback = void (*)(Stream, Error, void *);
using HostFn = void (*)(void *);

inline const Stream StreamLegacy = reinterpret_cast<Stream>(1);
inline const Stream StreamPerThread = reinterpret_cast<Stream>(2);

struct GraphOperation {
    virtual ~GraphOperation() = default;
    virtual void run() = 0;
    virtual std::shared_ptr<GraphOperation> copy() const = 0;

    std::vector<GraphOperation *> needs; // what has to run first
};

struct GraphState {
    std::vector<std::shared_ptr<GraphOperation>> operations;
    std::vector<Stream> streams; // that are captured
    // Of what it is a copy of: its own operations by those.
    std::unordered_map<const GraphOperation *, GraphOperation *> copies;
};

using Graph = GraphState *;
using GraphExec = GraphState *;
using GraphNode = GraphOperation *;

enum GraphNodeType {
    GraphNodeTypeKernel = 0,
    GraphNodeTypeMemcpy = 1,
    GraphNodeTypeMemset = 2,
    GraphNodeTypeHost = 3,
    GraphNodeTypeGraph = 4,
    GraphNodeTypeEmpty = 5
};
enum GraphExecUpdateResult {
    GraphExecUpdateSuccess = 0,
    GraphExecUpdateError = 1,
    GraphExecUpdateErrorTopologyChanged = 2,
    GraphExecUpdateErrorNodeTypeChanged = 3
};
struct GraphExecUpdateResultInfo {
    GraphExecUpdateResult result;
    GraphNode errorNode, errorFromNode;
};
struct KernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams;
    void **extra;
};
struct MemsetParams {
    void *dst;
    std::size_t pitch;
    unsigned value, elementSize;
    std::size_t width, height;
};
struct HostNodeParams {
    HostFn fn;
    void *userData;
};

enum StreamCaptureMode {
    StreamCaptureModeGlobal = 0,
    StreamCaptureModeThreadLocal = 1,
    StreamCaptureModeRelaxed = 2
};
enum StreamCaptureStatus {
    StreamCaptureStatusNone = 0,
    StreamCaptureStatusActive = 1,
    StreamCaptureStatusInvalidated = 2
};

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

enum LaunchAttributeID {
    LaunchAttributeIgnore = 0,
    LaunchAttributeAccessPolicyWindow = 1,
    LaunchAttributeCooperative = 2,
    LaunchAttributeSynchronizationPolicy = 3,
    LaunchAttributeClusterDimension = 4,
    LaunchAttributeProgrammaticStreamSerialization = 6,
    LaunchAttributePriority = 8,
};

union LaunchAttributeValue {
    char pad[64];
    int cooperative;
    int priority;
    int programmaticStreamSerializationAllowed;
    struct {
        unsigned x, y, z;
    } clusterDim;
};

struct LaunchAttribute {
    LaunchAttributeID id;
    LaunchAttributeValue val;
};

struct LaunchConfig {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    Stream stream = nullptr;
    LaunchAttribute *attrs = nullptr;
    unsigned numAttrs = 0;
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

// ---- arrays and textures ------------------------------------------------------------------------

enum ChannelFormatKind {
    ChannelFormatKindSigned = 0,
    ChannelFormatKindUnsigned = 1,
    ChannelFormatKindFloat = 2,
    ChannelFormatKindNone = 3
};

enum ResourceType {
    ResourceTypeArray = 0,
    ResourceTypeMipmappedArray = 1,
    ResourceTypeLinear = 2,
    ResourceTypePitch2D = 3
};

enum TextureAddressMode {
    AddressModeWrap = 0,
    AddressModeClamp = 1,
    AddressModeMirror = 2,
    AddressModeBorder = 3
};

enum TextureFilterMode { FilterModePoint = 0, FilterModeLinear = 1 };
enum TextureReadMode { ReadModeElementType = 0, ReadModeNormalizedFloat = 1 };

// What an access outside of a surface does; a trap ends the program.
enum SurfaceBoundaryMode { BoundaryModeZero = 0, BoundaryModeClamp = 1, BoundaryModeTrap = 2 };

constexpr unsigned ArrayDefault = 0, ArrayLayered = 1, ArraySurfaceLoadStore = 2, ArrayCubemap = 4,
                   ArrayTextureGather = 8;
constexpr int TextureType1D = 1, TextureType2D = 2, TextureType3D = 3;

// Bits of each component of an element; 0 for components that it has not.
struct ChannelFormatDesc {
    int x, y, z, w;
    ChannelFormatKind f;
};

struct Extent {
    std::size_t width, height, depth;
};

struct Pos {
    std::size_t x, y, z;
};

struct PitchedPtr {
    void *ptr;
    std::size_t pitch, xsize, ysize;
};

// Elements in rows without gaps; an extent of 0 means that the array has not that dimension.
struct ArrayStorage {
    ChannelFormatDesc desc;
    Extent extent;
    unsigned flags;
    unsigned char *data;
};

using Array = ArrayStorage *;
using ArrayConst = const ArrayStorage *;

struct Memcpy3DParms {
    Array srcArray;
    Pos srcPos;
    PitchedPtr srcPtr;
    Array dstArray;
    Pos dstPos;
    PitchedPtr dstPtr;
    Extent extent;
    MemcpyKind kind;
};

struct ResourceDesc {
    ResourceType resType;
    union {
        struct {
            Array array;
        } array;
        struct {
            void *devPtr;
            ChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            ChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

struct TextureDesc {
    TextureAddressMode addressMode[3];
    TextureFilterMode filterMode;
    TextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    TextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

using TextureObject = unsigned long long;
using SurfaceObject = unsigned long long;

} // namespace g2o::types

namespace g2o {

using namespace types;

// ================================================================================================
// 3. The runtime API
// ================================================================================================

// ---- errors -------------------------------------------------------------------------------------

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

// ---- what is enqueued ---------------------------------------------------------------------------

namespace detail {

// The default streams are no objects; nothing may be read through their handles.
inline bool is_default_stream(Stream stream)
{
    return stream == nullptr || stream == StreamLegacy || stream == StreamPerThread;
}

inline Graph capture_of(Stream stream)
{
    return is_default_stream(stream) ? nullptr : stream->capture;
}

template <class F> struct GraphOperationOf final : GraphOperation {
    explicit GraphOperationOf(F operation) : operation(std::move(operation)) {}
    void run() override { operation(); }
    std::shared_ptr<GraphOperation> copy() const override
    {
        return std::make_shared<GraphOperationOf>(operation);
    }
    F operation;
};

// Puts an operation behind others into a graph.
inline GraphNode append(GraphState &graph, std::shared_ptr<GraphOperation> operation,
                        const GraphNode *needs, std::size_t count)
{
    operation->needs.assign(needs, needs + count);
    graph.operations.push_back(std::move(operation));
    return graph.operations.back().get();
}

// Does an operation, or leaves it to the graph that the stream is captured into.
template <class F> Error enqueue(Stream stream, F operation)
{
    const Graph graph = capture_of(stream);
    if (graph == nullptr)
        return operation();
    const GraphNode last = graph->operations.empty() ? nullptr : graph->operations.back().get();
    append(*graph, std::make_shared<GraphOperationOf<F>>(std::move(operation)), &last,
           last != nullptr);
    return Success;
}

// Ends a program that captures what graphs here cannot hold.
inline void not_captured(Stream stream, const char *function)
{
    if (capture_of(stream) == nullptr)
        return;
    std::fprintf(stderr, "g2o: %s cannot be captured into a graph\n", function);
    std::abort();
}

} // namespace detail

// A launch in a stream that may be captured: the arguments are those of now, as in CUDA.
template <class... P, class... A>
void enqueue(Stream stream, void (*kernel)(P...), A &&...arguments)
{
    std::tuple<std::decay_t<P>...> values(std::forward<A>(arguments)...);
    detail::enqueue(stream, [kernel, values] {
        std::apply(kernel, values);
        return Success;
    });
}

// ---- memory -------------------------------------------------------------------------------------

namespace detail {

constexpr std::size_t allocation_alignment = 256; // bytes; CUDA promises as much

constexpr std::size_t round_up(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

// The bytes in a line such as "MemTotal: 24684084 kB" of the system report; 0 without such a line.
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

// Large memory gets large pages where the system has them on request: kernels that walk through many
// arrays at once, or across the rows of a matrix, find their addresses faster.
constexpr std::size_t large_page = std::size_t(2) << 20;

inline std::size_t alignment_of(std::size_t bytes)
{
    return bytes < 2 * large_page ? allocation_alignment : large_page;
}

inline void ask_for_large_pages([[maybe_unused]] void *memory, [[maybe_unused]] std::size_t bytes)
{
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE); // small pages will do where it is refused
#endif
}

// Systems make a page when it is first written to. That is done here, where a GPU makes its memory
// too, instead of in the first kernel, and by the threads that share out the work of kernels.
inline void make_pages(void *memory, std::size_t bytes)
{
    constexpr std::ptrdiff_t page = 4096;
    char *first = static_cast<char *>(memory);
#pragma omp parallel for
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(bytes) / page; ++i)
        first[i * page] = 0;
}

// Uninitialised memory of the host, or null.
inline void *allocate_on_host(std::size_t bytes)
{
    const std::size_t alignment = alignment_of(bytes);
    const std::size_t size = round_up(bytes, alignment);
    void *memory = std::aligned_alloc(alignment, size);
    if (memory != nullptr && alignment == large_page) {
        ask_for_large_pages(memory, size);
        if (size <= total_memory() / 16)
            make_pages(memory, size);
    }
    return memory;
}

// Who may look at memory: the device, the host and the device, or the device by the host's address.
enum class Space { device, managed, pinned };

#ifdef G2O_OFFLOAD

extern "C" {
// Memory that host and device share, where LLVM's OpenMP has it; null with other compilers.
[[gnu::weak]] void *llvm_omp_target_alloc_shared(std::size_t bytes, int device);
[[gnu::weak]] void *llvm_omp_target_alloc_host(std::size_t bytes, int device);
[[gnu::weak]] void llvm_omp_target_free_shared(void *memory, int device);
[[gnu::weak]] void llvm_omp_target_free_host(void *memory, int device);
}

// The device that kernels run on; the host itself where there is no other.
inline int device()
{
    return omp_get_num_devices() > 0 ? omp_get_default_device() : omp_get_initial_device();
}

// CUDA's number of it; a host without devices counts as device 0.
inline int device_count() { return std::max(1, omp_get_num_devices()); }
inline int current_device() { return omp_get_num_devices() > 0 ? omp_get_default_device() : 0; }

inline void make_current(int device)
{
    if (omp_get_num_devices() > 0)
        omp_set_default_device(device);
}

struct Allocation {
    std::size_t bytes;
    int device;
    Space space;
};

// What was allocated, by address: OpenMP does not tell whose memory an address belongs to.
class Allocations {
  public:
    void add(const void *memory, Allocation allocation)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        by_address_[static_cast<const char *>(memory)] = allocation;
    }

    // The allocation that `address` points into.
    std::optional<Allocation> find(const void *address)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto place = static_cast<const char *>(address);
        auto next = by_address_.upper_bound(place);
        if (next == by_address_.begin())
            return std::nullopt;
        const auto &[begin, allocation] = *--next;
        if (place >= begin + allocation.bytes)
            return std::nullopt;
        return allocation;
    }

    // Forgets the allocation that begins at `memory`.
    std::optional<Allocation> remove(const void *memory)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = by_address_.find(static_cast<const char *>(memory));
        if (found == by_address_.end())
            return std::nullopt;
        const Allocation allocation = found->second;
        by_address_.erase(found);
        return allocation;
    }

  private:
    std::mutex mutex_;
    std::map<const char *, Allocation> by_address_;
};

inline Allocations &allocations()
{
    static Allocations known;
    return known;
}

// Memory of CUDA comes in pieces of 256 bytes at least: threads of a last warp that has no elements
// of its own write there.
inline void *allocate_in(Space space, std::size_t bytes, int device)
{
    const bool is_host = device == omp_get_initial_device();
    switch (space) {
    case Space::device: break;
    case Space::managed:
        if (llvm_omp_target_alloc_shared != nullptr && !is_host)
            return llvm_omp_target_alloc_shared(bytes, device);
        return is_host ? allocate_on_host(bytes) : nullptr;
    case Space::pinned:
        if (llvm_omp_target_alloc_host != nullptr && !is_host)
            return llvm_omp_target_alloc_host(bytes, device);
        return allocate_on_host(bytes);
    }
    return is_host ? allocate_on_host(bytes) : omp_target_alloc(round_up(bytes, 256), device);
}

// Uninitialised memory; a pointer that gets no memory becomes null. Managed memory is refused where
// host and device do not share any.
template <class T> Error allocate(T **pointer, std::size_t bytes, Space space = Space::device)
{
    if (pointer == nullptr)
        return ErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0)
        return Success;
    if (bytes > std::size_t(PTRDIFF_MAX))
        return ErrorMemoryAllocation;
    void *memory = allocate_in(space, bytes, device());
    if (memory == nullptr)
        return space == Space::managed ? ErrorNotSupported : ErrorMemoryAllocation;
    allocations().add(memory, {bytes, device(), space});
    *pointer = static_cast<T *>(memory);
    return Success;
}

inline Error release(void *memory)
{
    if (memory == nullptr)
        return Success;
    const std::optional<Allocation> found = allocations().remove(memory);
    if (!found)
        return ErrorInvalidValue;
    const auto [bytes, device, space] = *found;
    if (device == omp_get_initial_device())
        std::free(memory);
    else if (space == Space::device)
        omp_target_free(memory, device);
    else if (space == Space::managed)
        llvm_omp_target_free_shared(memory, device);
    else if (llvm_omp_target_free_host != nullptr)
        llvm_omp_target_free_host(memory, device);
    else
        std::free(memory);
    return Success;
}

// The OpenMP device whose memory an address is in; what was not allocated here is variables, of which
// the kind of a copy tells whether they are the device's.
inline int owner(const void *address, bool is_device)
{
    if (const std::optional<Allocation> found = allocations().find(address))
        return found->space == Space::device ? found->device : omp_get_initial_device();
    return is_device ? device() : omp_get_initial_device();
}

// Does the device take the host's address of this memory?
inline bool device_reads(const void *host_memory)
{
    if (device() == omp_get_initial_device())
        return true;
    const std::optional<Allocation> found = allocations().find(host_memory);
    return found && llvm_omp_target_alloc_host != nullptr;
}

inline void copy_bytes(void *target, const void *source, std::size_t bytes, MemcpyKind kind)
{
    const int to = owner(target, kind == MemcpyHostToDevice || kind == MemcpyDeviceToDevice);
    const int from = owner(source, kind == MemcpyDeviceToHost || kind == MemcpyDeviceToDevice);
    const int host = omp_get_initial_device();
    if (to == host && from == host)
        std::memmove(target, source, bytes);
    else
        omp_target_memcpy(target, source, bytes, 0, 0, to, from);
}

inline void fill_bytes(void *target, int value, std::size_t bytes)
{
    const int place = owner(target, true);
    if (place == omp_get_initial_device()) {
        std::memset(target, value, bytes);
        return;
    }
    const bool by_words = (reinterpret_cast<std::uintptr_t>(target) | bytes) % 8 == 0;
    const auto byte = static_cast<unsigned char>(value);
    auto *const bytes_of = static_cast<unsigned char *>(target);
    auto *const words_of = static_cast<std::uint64_t *>(target);
    const std::uint64_t word = byte * UINT64_C(0x0101010101010101);
    if (by_words) {
#pragma omp target teams distribute parallel for is_device_ptr(words_of) device(place)
        for (std::size_t i = 0; i < bytes / 8; ++i)
            words_of[i] = word;
    } else {
#pragma omp target teams distribute parallel for is_device_ptr(bytes_of) device(place)
        for (std::size_t i = 0; i < bytes; ++i)
            bytes_of[i] = byte;
    }
}

// Where the device has a variable of `declare target`; OpenMP says null where host and device share it.
template <class T> void *symbol_address(T &symbol)
{
    T *address = std::addressof(symbol);
    const void *found = nullptr;
#pragma omp target data use_device_ptr(address)
    found = address;
    const void *const result = found != nullptr ? found : std::addressof(symbol);
    return const_cast<void *>(result);
}

#else

inline int device_count() { return 1; }
inline int current_device() { return 0; }
inline void make_current(int /*device*/) {}

// Uninitialised memory. More than physical memory is refused, as a device does; a pointer that gets
// no memory becomes null.
template <class T> Error allocate(T **pointer, std::size_t bytes, Space /*space*/ = Space::device)
{
    if (pointer == nullptr)
        return ErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0)
        return Success;
    if (bytes > total_memory() - large_page)
        return ErrorMemoryAllocation;
    void *memory = allocate_on_host(bytes);
    if (memory == nullptr)
        return ErrorMemoryAllocation;
    *pointer = static_cast<T *>(memory);
    return Success;
}

inline Error release(void *memory)
{
    std::free(memory);
    return Success;
}

inline void copy_bytes(void *target, const void *source, std::size_t bytes, MemcpyKind /*kind*/)
{
    std::memmove(target, source, bytes);
}

inline void fill_bytes(void *target, int value, std::size_t bytes)
{
    std::memset(target, value, bytes);
}

template <class T> void *symbol_address(T &symbol)
{
    return const_cast<std::remove_cv_t<T> *>(std::addressof(symbol));
}

#endif

inline bool is_memcpy_kind(MemcpyKind kind)
{
    return int(kind) >= MemcpyHostToHost && int(kind) <= MemcpyDefault;
}

// One row of bytes after another; a pitch is the distance between the beginnings of two rows.
// (Functions that read into a variable of the caller are not inlined: seeing their failures, the
// compiler would warn that the variable may be used uninitialised.)
[[gnu::noinline]] inline Error copy_rows(void *target, std::size_t target_pitch, const void *source,
                                         std::size_t source_pitch, std::size_t width,
                                         std::size_t height, MemcpyKind kind)
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
        copy_bytes(static_cast<char *>(target) + row * target_pitch,
                   static_cast<const char *>(source) + row * source_pitch, width, kind);
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
    return detail::report(detail::allocate(pointer, bytes, detail::Space::managed));
}

template <class T> Error malloc_host(T **pointer, std::size_t bytes, unsigned /*flags*/ = 0)
{
    return detail::report(detail::allocate(pointer, bytes, detail::Space::pinned));
}

template <class T> Error host_alloc(T **pointer, std::size_t bytes, unsigned /*flags*/ = 0)
{
    return malloc_host(pointer, bytes);
}

template <class T> Error malloc_async(T **pointer, std::size_t bytes, Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMallocAsync");
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

inline Error free(void *pointer) { return detail::report(detail::release(pointer)); }

inline Error free_host(void *pointer) { return g2o::free(pointer); }
inline Error free_async(void *pointer, Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaFreeAsync");
    return g2o::free(pointer);
}

inline Error memcpy(void *target, const void *source, std::size_t bytes, MemcpyKind kind)
{
    return detail::report(detail::copy_rows(target, bytes, source, bytes, bytes, 1, kind));
}

inline Error memcpy_async(void *target, const void *source, std::size_t bytes, MemcpyKind kind,
                          Stream stream = nullptr)
{
    return detail::enqueue(stream, [=] { return g2o::memcpy(target, source, bytes, kind); });
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
                             MemcpyKind kind, Stream stream = nullptr)
{
    return detail::enqueue(stream, [=] {
        return memcpy_2d(target, target_pitch, source, source_pitch, width, height, kind);
    });
}

inline Error memcpy_peer(void *target, int target_device, const void *source, int source_device,
                         std::size_t bytes)
{
    const int count = detail::device_count();
    if (std::min(target_device, source_device) < 0 || std::max(target_device, source_device) >= count)
        return detail::report(ErrorInvalidDevice);
    return g2o::memcpy(target, source, bytes, MemcpyDeviceToDevice);
}

inline Error memcpy_peer_async(void *target, int target_device, const void *source,
                               int source_device, std::size_t bytes, Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpyPeerAsync");
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
        detail::fill_bytes(static_cast<char *>(target) + row * pitch, value, width);
    return Success;
}

inline Error memset_2d_async(void *target, std::size_t pitch, int value, std::size_t width,
                             std::size_t height, Stream stream = nullptr)
{
    return detail::enqueue(stream, [=] { return memset_2d(target, pitch, value, width, height); });
}

inline Error memset(void *target, int value, std::size_t bytes)
{
    return memset_2d(target, bytes, value, bytes, 1);
}

inline Error memset_async(void *target, int value, std::size_t bytes, Stream stream = nullptr)
{
    return detail::enqueue(stream, [=] { return g2o::memset(target, value, bytes); });
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
    auto *const begin = static_cast<char *>(detail::symbol_address(symbol));
    return g2o::memcpy(begin + offset, source, bytes, kind);
}

template <class T>
Error memcpy_to_symbol_async(T &symbol, const void *source, std::size_t bytes,
                             std::size_t offset = 0, MemcpyKind kind = MemcpyHostToDevice,
                             Stream stream = nullptr)
{
    return detail::enqueue(stream, [=, &symbol] {
        return memcpy_to_symbol(symbol, source, bytes, offset, kind);
    });
}

template <class T>
[[gnu::noinline]] Error memcpy_from_symbol(void *target, const T &symbol, std::size_t bytes,
                                           std::size_t offset = 0,
                                           MemcpyKind kind = MemcpyDeviceToHost)
{
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return detail::report(ErrorInvalidValue);
    const auto *const begin = static_cast<const char *>(detail::symbol_address(symbol));
    return g2o::memcpy(target, begin + offset, bytes, kind);
}

template <class T>
Error memcpy_from_symbol_async(void *target, const T &symbol, std::size_t bytes,
                               std::size_t offset = 0, MemcpyKind kind = MemcpyDeviceToHost,
                               Stream stream = nullptr)
{
    return detail::enqueue(stream, [=, &symbol] {
        return memcpy_from_symbol(target, symbol, bytes, offset, kind);
    });
}

template <class P, class T> Error get_symbol_address(P **pointer, T &symbol)
{
    *pointer = static_cast<P *>(detail::symbol_address(symbol));
    return Success;
}

template <class T> Error get_symbol_size(std::size_t *bytes, const T &symbol)
{
    *bytes = sizeof symbol;
    return Success;
}

// Host memory that a kernel may look at: all of it on a CPU, on another device what host_alloc made,
// as far as OpenMP has such memory.
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
#ifdef G2O_OFFLOAD
    *device_pointer = nullptr;
    if (!detail::device_reads(host_pointer))
        return detail::report(ErrorNotSupported);
#endif
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
#ifdef G2O_OFFLOAD
    const std::optional<detail::Allocation> found = detail::allocations().find(pointer);
    if (!found)
        *attributes = {MemoryTypeUnregistered, 0, nullptr, address};
    else if (found->space == detail::Space::device)
        *attributes = {MemoryTypeDevice, found->device, address, nullptr};
    else if (found->space == detail::Space::pinned)
        *attributes = {MemoryTypeHost, found->device, address, address};
    else
        *attributes = {MemoryTypeManaged, found->device, address, address};
#else
    *attributes = {MemoryTypeManaged, 0, address, address};
#endif
    return Success;
}

// Hints for managed memory: nothing moves on a CPU.
struct MemLocation {
    MemLocationType type;
    int id;
};

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

// As since CUDA 12.2.
inline Error mem_prefetch_async(const void *pointer, std::size_t bytes, MemLocation location,
                                unsigned /*flags*/, Stream stream = nullptr)
{
    return mem_prefetch_async(pointer, bytes, location.id, stream);
}

inline Error mem_advise(const void *pointer, std::size_t bytes, MemoryAdvise advice,
                        MemLocation location)
{
    return mem_advise(pointer, bytes, advice, location.id);
}

// ---- devices ------------------------------------------------------------------------------------

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

inline Error check_device(int device)
{
    return report(device >= 0 && device < device_count() ? Success : ErrorInvalidDevice);
}

} // namespace detail

inline Error get_device_count(int *count)
{
    *count = detail::device_count();
    return Success;
}

inline Error get_device(int *device)
{
    *device = detail::current_device();
    return Success;
}

inline Error set_device(int device)
{
    const Error error = detail::check_device(device);
    if (error == Success)
        detail::make_current(device);
    return error;
}

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

// Memory pools keep nothing back.
struct MemAccessDesc {
    MemLocation location;
    MemAccessFlags flags;
};

struct MemPoolProps {
    MemAllocationType allocType;
    MemAllocationHandleType handleTypes;
    MemLocation location;
    void *win32SecurityAttributes;
    std::size_t maxSize;
    unsigned char reserved[56];
};

struct MemPoolState {
    int reuse[3];
    std::uint64_t release_threshold;
};
using MemPool = MemPoolState *;

inline Error device_get_default_mem_pool(MemPool *pool, int device)
{
    static MemPoolState only = {{1, 1, 1}, 0};
    *pool = &only;
    return detail::check_device(device);
}

inline Error device_get_mem_pool(MemPool *pool, int device)
{
    return device_get_default_mem_pool(pool, device);
}

inline Error device_set_mem_pool(int device, MemPool /*pool*/)
{
    return detail::check_device(device);
}

inline Error mem_pool_set_attribute(MemPool pool, MemPoolAttr attribute, void *value)
{
    if (attribute <= MemPoolReuseAllowInternalDependencies)
        std::memcpy(&pool->reuse[attribute - 1], value, sizeof(int));
    else if (attribute == MemPoolAttrReleaseThreshold)
        std::memcpy(&pool->release_threshold, value, sizeof(std::uint64_t));
    return Success;
}

// The amounts of memory are those of a pool that is empty.
inline Error mem_pool_get_attribute(MemPool pool, MemPoolAttr attribute, void *value)
{
    const std::uint64_t none = 0;
    if (attribute <= MemPoolReuseAllowInternalDependencies)
        std::memcpy(value, &pool->reuse[attribute - 1], sizeof(int));
    else if (attribute == MemPoolAttrReleaseThreshold)
        std::memcpy(value, &pool->release_threshold, sizeof(std::uint64_t));
    else
        std::memcpy(value, &none, sizeof none);
    return Success;
}

inline Error mem_pool_trim_to(MemPool /*pool*/, std::size_t /*bytes*/) { return Success; }

inline Error mem_pool_create(MemPool *pool, const MemPoolProps *properties)
{
    if (pool == nullptr || properties == nullptr ||
        properties->allocType != MemAllocationTypePinned ||
        properties->location.type != MemLocationTypeDevice || properties->location.id != 0)
        return detail::report(ErrorInvalidValue);
    *pool = new MemPoolState{{1, 1, 1}, 0};
    return Success;
}

inline Error mem_pool_destroy(MemPool pool)
{
    MemPool only;
    device_get_default_mem_pool(&only, 0);
    if (pool == nullptr || pool == only)
        return detail::report(ErrorInvalidValue);
    delete pool;
    return Success;
}

inline Error mem_pool_set_access(MemPool /*pool*/, const MemAccessDesc *access, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        if (access[i].location.type != MemLocationTypeDevice || access[i].location.id != 0)
            return detail::report(ErrorInvalidDevice);
    return Success;
}

inline Error mem_pool_get_access(MemAccessFlags *flags, MemPool /*pool*/, MemLocation *location)
{
    *flags = MemAccessFlagsProtReadWrite;
    return detail::check_device(location->id);
}

template <class T>
Error malloc_from_pool_async(T **pointer, std::size_t bytes, MemPool /*pool*/,
                             Stream /*stream*/ = nullptr)
{
    return malloc(pointer, bytes);
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

// ---- ranges for profilers -----------------------------------------------------------------------

// NVTX, version 3: nobody listens. As without a profiler, handles are null and functions that
// number a range return nothing of use.
constexpr int NVTX_VERSION = 3, NVTX_NO_PUSH_POP_TRACKING = -2;
constexpr int NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1;
constexpr int NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2,
              NVTX_MESSAGE_TYPE_REGISTERED = 3;
constexpr int NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
              NVTX_PAYLOAD_TYPE_INT64 = 2, NVTX_PAYLOAD_TYPE_DOUBLE = 3,
              NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4, NVTX_PAYLOAD_TYPE_INT32 = 5,
              NVTX_PAYLOAD_TYPE_FLOAT = 6;

using NvtxRangeId = std::uint64_t;
using NvtxDomainHandle = struct NvtxDomainState *;
using NvtxStringHandle = struct NvtxStringState *;
struct NvtxEventAttributes {
    std::uint16_t version, size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType, reserved0;
    union Payload {
        std::uint64_t ullValue;
        std::int64_t llValue;
        double dValue;
        std::uint32_t uiValue;
        std::int32_t iValue;
        float fValue;
    } payload;
    std::int32_t messageType;
    union Message {
        const char *ascii;
        const wchar_t *unicode;
        NvtxStringHandle registered;
    } message;
};
constexpr std::uint16_t NVTX_EVENT_ATTRIB_STRUCT_SIZE = sizeof(NvtxEventAttributes);

inline void nvtx_initialize(const void * /*reserved*/) {}
inline void nvtx_mark_a(const char * /*message*/) {}
inline void nvtx_mark_w(const wchar_t * /*message*/) {}
inline void nvtx_mark_ex(const NvtxEventAttributes * /*event*/) {}
inline NvtxRangeId nvtx_range_start_a(const char * /*message*/) { return 0; }
inline NvtxRangeId nvtx_range_start_w(const wchar_t * /*message*/) { return 0; }
inline NvtxRangeId nvtx_range_start_ex(const NvtxEventAttributes * /*event*/) { return 0; }
inline void nvtx_range_end(NvtxRangeId /*range*/) {}
inline int nvtx_range_push_a(const char * /*message*/) { return NVTX_NO_PUSH_POP_TRACKING; }
inline int nvtx_range_push_w(const wchar_t * /*message*/) { return NVTX_NO_PUSH_POP_TRACKING; }
inline int nvtx_range_push_ex(const NvtxEventAttributes * /*event*/)
{
    return NVTX_NO_PUSH_POP_TRACKING;
}
inline int nvtx_range_pop() { return NVTX_NO_PUSH_POP_TRACKING; }
inline void nvtx_name_os_thread_a(std::uint32_t /*thread*/, const char * /*name*/) {}
inline void nvtx_name_os_thread_w(std::uint32_t /*thread*/, const wchar_t * /*name*/) {}
inline void nvtx_name_category_a(std::uint32_t /*category*/, const char * /*name*/) {}
inline void nvtx_name_category_w(std::uint32_t /*category*/, const wchar_t * /*name*/) {}
inline NvtxDomainHandle nvtx_domain_create_a(const char * /*name*/) { return nullptr; }
inline NvtxDomainHandle nvtx_domain_create_w(const wchar_t * /*name*/) { return nullptr; }
inline void nvtx_domain_destroy(NvtxDomainHandle /*domain*/) {}
inline void nvtx_domain_mark_ex(NvtxDomainHandle /*domain*/, const NvtxEventAttributes * /*event*/)
{
}
inline NvtxRangeId nvtx_domain_range_start_ex(NvtxDomainHandle /*domain*/,
                                              const NvtxEventAttributes * /*event*/)
{
    return 0;
}
inline void nvtx_domain_range_end(NvtxDomainHandle /*domain*/, NvtxRangeId /*range*/) {}
inline int nvtx_domain_range_push_ex(NvtxDomainHandle /*domain*/,
                                     const NvtxEventAttributes * /*event*/)
{
    return NVTX_NO_PUSH_POP_TRACKING;
}
inline int nvtx_domain_range_pop(NvtxDomainHandle /*domain*/) { return NVTX_NO_PUSH_POP_TRACKING; }
inline NvtxStringHandle nvtx_domain_register_string_a(NvtxDomainHandle /*domain*/,
                                                      const char * /*string*/)
{
    return nullptr;
}
inline NvtxStringHandle nvtx_domain_register_string_w(NvtxDomainHandle /*domain*/,
                                                      const wchar_t * /*string*/)
{
    return nullptr;
}

// ---- streams and events -------------------------------------------------------------------------

inline Error stream_create_with_priority(Stream *stream, unsigned flags, int priority)
{
    if (stream == nullptr)
        return detail::report(ErrorInvalidValue);
    *stream = new StreamState{flags, priority, nullptr};
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

// A stream that waits for what is captured is captured, too.
inline Error stream_wait_event(Stream stream, Event event, unsigned /*flags*/ = 0)
{
    if (event == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    if (event->capture != nullptr && !detail::is_default_stream(stream) &&
        stream->capture == nullptr) {
        stream->capture = event->capture;
        event->capture->streams.push_back(stream);
    }
    return Success;
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
    detail::not_captured(stream, "cudaStreamAddCallback");
    if (callback == nullptr)
        return detail::report(ErrorInvalidValue);
    callback(stream, Success, data);
    return Success;
}

inline Error launch_host_func(Stream stream, HostFn function, void *data)
{
    if (function == nullptr)
        return detail::report(ErrorInvalidValue);
    return detail::enqueue(stream, [=] {
        function(data);
        return Success;
    });
}

inline Error event_create_with_flags(Event *event, unsigned flags)
{
    if (event == nullptr)
        return detail::report(ErrorInvalidValue);
    *event = new EventState{flags, false, {}, nullptr};
    return Success;
}

inline Error event_create(Event *event, unsigned flags = EventDefault)
{
    return event_create_with_flags(event, flags);
}

inline Error event_record(Event event, Stream stream = nullptr)
{
    if (event == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    event->capture = detail::capture_of(stream);
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

// ---- graphs -------------------------------------------------------------------------------------

inline Error stream_begin_capture(Stream stream, StreamCaptureMode /*mode*/)
{
    if (detail::is_default_stream(stream) || stream->capture != nullptr)
        return detail::report(ErrorInvalidValue);
    stream->capture = new GraphState{{}, {stream}, {}};
    return Success;
}

inline Error stream_end_capture(Stream stream, Graph *graph)
{
    *graph = detail::capture_of(stream);
    if (*graph == nullptr)
        return detail::report(ErrorInvalidValue);
    for (const Stream captured : (*graph)->streams)
        captured->capture = nullptr;
    (*graph)->streams.clear();
    return Success;
}

inline Error stream_is_capturing(Stream stream, StreamCaptureStatus *status)
{
    *status = detail::capture_of(stream) != nullptr ? StreamCaptureStatusActive
                                                    : StreamCaptureStatusNone;
    return Success;
}

namespace detail {

// Puts an operation behind those that it needs; false where those need each other.
inline bool put_in_order(GraphNode operation, std::unordered_map<GraphNode, bool> &done,
                         std::vector<GraphNode> &sorted)
{
    const auto known = done.find(operation);
    if (known != done.end())
        return known->second;
    done[operation] = false;
    for (const GraphNode other : operation->needs)
        if (!put_in_order(other, done, sorted))
            return false;
    sorted.push_back(operation);
    return done[operation] = true;
}

// Copies of the operations of a graph, in an order that they allow. Fails where there is none.
inline bool copy_operations(const GraphState &graph, GraphState &target)
{
    std::unordered_map<GraphNode, bool> done;
    std::vector<GraphNode> sorted;
    for (const auto &operation : graph.operations)
        if (!put_in_order(operation.get(), done, sorted))
            return false;
    for (const GraphNode operation : sorted) {
        std::vector<GraphNode> needs;
        for (const GraphNode other : operation->needs)
            needs.push_back(target.copies.at(other));
        target.copies[operation] = append(target, operation->copy(), needs.data(), needs.size());
    }
    return true;
}

} // namespace detail

inline Error graph_instantiate(GraphExec *executable, Graph graph, unsigned long long /*flags*/ = 0)
{
    if (executable == nullptr || graph == nullptr)
        return detail::report(ErrorInvalidValue);
    auto made = std::make_unique<GraphState>();
    if (!detail::copy_operations(*graph, *made))
        return detail::report(ErrorInvalidValue);
    *executable = made.release();
    return Success;
}

inline Error graph_instantiate(GraphExec *executable, Graph graph, GraphNode * /*faulty*/,
                               char * /*log*/, std::size_t /*bytes*/)
{
    return graph_instantiate(executable, graph);
}

inline Error graph_instantiate_with_flags(GraphExec *executable, Graph graph,
                                          unsigned long long /*flags*/ = 0)
{
    return graph_instantiate(executable, graph);
}

inline Error graph_upload(GraphExec executable, Stream /*stream*/ = nullptr)
{
    return detail::report(executable != nullptr ? Success : ErrorInvalidValue);
}

inline Error graph_launch(GraphExec executable, Stream stream)
{
    if (executable == nullptr)
        return detail::report(ErrorInvalidValue);
    return detail::enqueue(stream, [operations = executable->operations] {
        for (const auto &operation : operations)
            operation->run();
        return Success;
    });
}

// How many operations a graph has, and where there is room for them, which.
inline Error graph_get_nodes(Graph graph, GraphNode *nodes, std::size_t *count)
{
    if (nodes != nullptr)
        for (std::size_t i = 0; i < std::min(*count, graph->operations.size()); ++i)
            nodes[i] = graph->operations[i].get();
    *count = graph->operations.size();
    return Success;
}

inline Error graph_exec_destroy(GraphExec executable)
{
    delete executable;
    return Success;
}

inline Error graph_destroy(Graph graph)
{
    delete graph;
    return Success;
}

// ---- functions and launches ---------------------------------------------------------------------

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

template <class F>
Error occupancy_max_potential_block_size_with_flags(int *grid_size, int *block_size, F kernel,
                                                    std::size_t shared_bytes = 0,
                                                    int block_size_limit = 0,
                                                    unsigned /*flags*/ = 0)
{
    return occupancy_max_potential_block_size(grid_size, block_size, kernel, shared_bytes,
                                              block_size_limit);
}

// `bytes_of` gives the shared memory of a block of a size.
template <class F, class G>
Error occupancy_max_potential_block_size_variable_smem(int *grid_size, int *block_size, F kernel,
                                                       G /*bytes_of*/, int block_size_limit = 0)
{
    return occupancy_max_potential_block_size(grid_size, block_size, kernel, 0, block_size_limit);
}

template <class F>
Error occupancy_available_dynamic_smem_per_block(std::size_t *bytes, F /*kernel*/, int blocks,
                                                 int /*block_size*/)
{
    *bytes = detail::cpu().sharedMemPerMultiprocessor / std::size_t(std::max(1, blocks));
    return Success;
}

namespace detail {

inline bool is_launchable(dim3 grid, dim3 block)
{
    const std::size_t threads = std::size_t(block.x) * block.y * block.z;
    return grid.x > 0 && grid.y > 0 && grid.z > 0 && threads > 0 && threads <= 1024;
}

} // namespace detail

// A launch through a function pointer, whose type tells by its number of parameters whether the
// kernel has dynamic shared memory. Fails where a device could not launch that many threads.
template <class... P, class... A>
void launch(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block, std::size_t shared_bytes,
            A &&...arguments)
{
    if (!detail::is_launchable(grid, block))
        detail::report(ErrorInvalidConfiguration);
    else if constexpr (sizeof...(P) == sizeof...(A))
        kernel(grid, block, std::forward<A>(arguments)...);
    else
        kernel(grid, block, shared_bytes, std::forward<A>(arguments)...);
}

namespace detail {

template <class P> std::remove_reference_t<P> &launch_argument(void *argument)
{
    return *static_cast<std::remove_cv_t<std::remove_reference_t<P>> *>(argument);
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
                           Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaLaunchKernel");
    return detail::launch_unpacked(kernel, grid, block, arguments, std::index_sequence_for<P...>());
}

template <class... P>
Error launch_kernel(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block, void **arguments,
                    std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_static_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}

// The same for a kernel with dynamic shared memory. The types cannot tell it from a kernel without,
// whose own first parameter is a std::size_t: that one is launched as without_shared(kernel).
template <class... P>
Error launch_kernel(void (*kernel)(dim3, dim3, std::size_t, P...), dim3 grid, dim3 block,
                    void **arguments, std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaLaunchKernel");
    return detail::launch_unpacked_shared(kernel, grid, block, shared_bytes, arguments,
                                          std::index_sequence_for<P...>());
}

template <class... P> struct StaticKernel {
    void (*function)(dim3, dim3, P...);
};

template <class... P> StaticKernel<P...> without_shared(void (*kernel)(dim3, dim3, P...))
{
    return {kernel};
}

template <class... P>
Error launch_kernel(StaticKernel<P...> kernel, dim3 grid, dim3 block, void **arguments,
                    std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_static_kernel(kernel.function, grid, block, arguments, shared_bytes, stream);
}

template <class... P>
Error launch_cooperative_kernel(StaticKernel<P...> kernel, dim3 grid, dim3 block, void **arguments,
                                std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}

// Launches with everything in a structure. Attributes are hints here: a kernel that synchronises
// its grid is a function as others are, and clusters of blocks that nobody asks for do not show.
template <class Kernel>
Error launch_kernel_ex_c(const LaunchConfig *config, Kernel kernel, void **arguments)
{
    return launch_kernel(kernel, config->gridDim, config->blockDim, arguments,
                         config->dynamicSmemBytes, config->stream);
}

template <class... P, class... A>
std::enable_if_t<sizeof...(P) == sizeof...(A), Error>
launch_kernel_ex(const LaunchConfig *config, void (*kernel)(dim3, dim3, P...), A &&...arguments)
{
    detail::not_captured(config->stream, "cudaLaunchKernelEx");
    if (!detail::is_launchable(config->gridDim, config->blockDim))
        return detail::report(ErrorInvalidConfiguration);
    kernel(config->gridDim, config->blockDim, std::forward<A>(arguments)...);
    return Success;
}

// The same for a kernel with dynamic shared memory, which the number of arguments tells.
template <class... P, class... A>
std::enable_if_t<sizeof...(P) == sizeof...(A), Error>
launch_kernel_ex(const LaunchConfig *config, void (*kernel)(dim3, dim3, std::size_t, P...),
                 A &&...arguments)
{
    detail::not_captured(config->stream, "cudaLaunchKernelEx");
    if (!detail::is_launchable(config->gridDim, config->blockDim))
        return detail::report(ErrorInvalidConfiguration);
    kernel(config->gridDim, config->blockDim, config->dynamicSmemBytes,
           std::forward<A>(arguments)...);
    return Success;
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
#ifdef G2O_OFFLOAD
    else if constexpr (std::is_floating_point_v<Value>) { // devices have an instruction for it
        Value old;
#pragma omp atomic capture
        {
            old = *address;
            *address += summand;
        }
        return old;
    }
#endif
    else
        return detail::atomic_update(address, [=](Value old) { return Value(old + summand); });
}

// Vectors are atomic by component.
inline float2 atomic_add(float2 *address, float2 value)
{
    return {atomic_add(&address->x, value.x), atomic_add(&address->y, value.y)};
}

inline float4 atomic_add(float4 *address, float4 value)
{
    return {atomic_add(&address->x, value.x), atomic_add(&address->y, value.y),
            atomic_add(&address->z, value.z), atomic_add(&address->w, value.w)};
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

namespace detail {

template <class To, class From> To same_bits(const From &value)
{
    static_assert(sizeof(To) == sizeof(From));
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

} // namespace detail

// The same of bits as integers of type Bits, which have the order of numbers that are not negative.
template <class Bits, class T, class U> std::remove_cv_t<T> atomic_min_as(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Bits bits = detail::same_bits<Bits>(Value(value));
    return detail::atomic_replace(
        address, Value(value), [=](Value old) { return bits < detail::same_bits<Bits>(old); });
}

template <class Bits, class T, class U> std::remove_cv_t<T> atomic_max_as(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Bits bits = detail::same_bits<Bits>(Value(value));
    return detail::atomic_replace(
        address, Value(value), [=](Value old) { return detail::same_bits<Bits>(old) < bits; });
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
// 5. Arithmetic that CUDA has and the C library has not
// ================================================================================================

// ---- minimum and maximum ------------------------------------------------------------------------

// For any mix of arithmetic types, in the type C++ computes with. Of a number and a NaN the number
// is taken, as by fmin and fmax, but without a call.
template <class A, class B> constexpr std::common_type_t<A, B> min(A a, B b)
{
    const std::common_type_t<A, B> x = a, y = b;
    return y < x || x != x ? y : x;
}

template <class A, class B> constexpr std::common_type_t<A, B> max(A a, B b)
{
    const std::common_type_t<A, B> x = a, y = b;
    return x < y || x != x ? y : x;
}

// The C library's functions of these names, inline: loops with them can be vectorised.
constexpr float fminf(float a, float b) { return g2o::min(a, b); }
constexpr float fmaxf(float a, float b) { return g2o::max(a, b); }

constexpr float fmin(float a, float b) { return g2o::min(a, b); }
constexpr float fmax(float a, float b) { return g2o::max(a, b); }

// Any other arguments are converted to double.
template <class A, class B> constexpr double fmin(A a, B b) { return g2o::min(double(a), double(b)); }
template <class A, class B> constexpr double fmax(A a, B b) { return g2o::max(double(a), double(b)); }

// The forms with a fixed type.
constexpr unsigned umin(unsigned a, unsigned b) { return g2o::min(a, b); }
constexpr unsigned umax(unsigned a, unsigned b) { return g2o::max(a, b); }
constexpr long long llmin(long long a, long long b) { return g2o::min(a, b); }
constexpr long long llmax(long long a, long long b) { return g2o::max(a, b); }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return g2o::min(a, b);
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return g2o::max(a, b);
}

// An object whose numbers are all 0, whatever its constructors would make of them: how shadows start.
template <class T> T zero()
{
    union Zeros {
        Zeros() : bytes{} {}
        ~Zeros() {}
        unsigned char bytes[sizeof(T)];
        T object;
    };
    return Zeros().object;
}

// ---- bits ---------------------------------------------------------------------------------------

// Number of ones.
inline int popc(unsigned x) { return __builtin_popcount(x); }
inline int popcll(unsigned long long x) { return __builtin_popcountll(x); }

// Number of zeros above the highest one; the width of the type for 0.
inline int clz(unsigned x) { return x != 0 ? __builtin_clz(x) : 32; }
inline int clzll(unsigned long long x) { return x != 0 ? __builtin_clzll(x) : 64; }

// Position of the lowest one counted from 1; 0 for 0.
inline int ffs(unsigned x) { return __builtin_ffs(int(x)); }
inline int ffsll(unsigned long long x) { return __builtin_ffsll((long long)(x)); }

// The bits in opposite order.
constexpr unsigned brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

constexpr unsigned long long brevll(unsigned long long x)
{
    return (unsigned long long)(brev(unsigned(x))) << 32 | brev(unsigned(x >> 32));
}

// Where the offset-th one of the mask is, counted from bit `base` on, downwards for an offset below
// 0; for offset 0 the bit itself. All ones where there is none.
constexpr unsigned fns(unsigned mask, unsigned base, int offset)
{
    const int step = offset < 0 ? -1 : 1;
    int missing = offset == 0 ? 1 : offset * step;
    for (int bit = int(base); bit >= 0 && bit < 32; bit += step) {
        missing -= int(mask >> bit & 1);
        if (missing == 0)
            return unsigned(bit);
        if (offset == 0)
            break;
    }
    return ~0u;
}

// Four of the eight bytes of y:x; digit i (hexadecimal, modulo 8) of the selector names byte i.
constexpr unsigned byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const unsigned long long bytes = (unsigned long long)(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= unsigned(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}

// value << count and value >> count where the count may be the width of the value or more: then
// everything is shifted out, as a GPU does it and C++ does not say.
template <class T> constexpr auto shift_left(T value, unsigned count)
{
    const auto wide = +value;
    return count < 8 * sizeof wide ? decltype(+value)(wide << count) : decltype(+value)(0);
}

template <class T> constexpr auto shift_right(T value, unsigned count)
{
    const auto wide = +value;
    return wide >> (count < 8 * sizeof wide ? count : 8 * sizeof wide - 1) >>
           (count < 8 * sizeof wide ? 0 : 1);
}

// The upper (l) or lower (r) half of hi:lo shifted left or right; the shift counts modulo 32, or up
// to 32 for the c forms.
constexpr unsigned funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)
{
    return unsigned((((unsigned long long)(hi) << 32 | lo) << (shift < 32 ? shift : 32)) >> 32);
}

constexpr unsigned funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)
{
    return unsigned(((unsigned long long)(hi) << 32 | lo) >> (shift < 32 ? shift : 32));
}

constexpr unsigned funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return funnelshift_lc(lo, hi, shift % 32);
}

constexpr unsigned funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return funnelshift_rc(lo, hi, shift % 32);
}

// The same bits as another type.
namespace detail {

template <class To, class From> To bit_cast(From value)
{
    static_assert(sizeof(To) == sizeof(From), "bit_cast needs types of one size");
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

} // namespace detail

inline int float_as_int(float x) { return detail::bit_cast<int>(x); }
inline unsigned float_as_uint(float x) { return detail::bit_cast<unsigned>(x); }
inline float int_as_float(int x) { return detail::bit_cast<float>(x); }
inline float uint_as_float(unsigned x) { return detail::bit_cast<float>(x); }
inline long long double_as_longlong(double x) { return detail::bit_cast<long long>(x); }
inline double longlong_as_double(long long x) { return detail::bit_cast<double>(x); }

// A double as two integers.
inline int double2hiint(double x) { return int(double_as_longlong(x) >> 32); }
inline int double2loint(double x) { return int(double_as_longlong(x)); }
inline double hiloint2double(int hi, int lo)
{
    return detail::bit_cast<double>((unsigned long long)(unsigned(hi)) << 32 | unsigned(lo));
}

// ---- integers -----------------------------------------------------------------------------------

// Product of the lower 24 bits.
constexpr int mul24(int x, int y)
{
    const auto low = [](int v) { return (long long)((v & 0xffffff) ^ 0x800000) - 0x800000; };
    return int(unsigned((unsigned long long)(low(x) * low(y))));
}
constexpr unsigned umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }

// Upper half of the product.
constexpr int mulhi(int x, int y) { return int((long long)(x)*y >> 32); }
constexpr unsigned umulhi(unsigned x, unsigned y)
{
    return unsigned((unsigned long long)(x)*y >> 32);
}
constexpr unsigned long long umul64hi(unsigned long long x, unsigned long long y)
{
    const unsigned long long mask = 0xffffffff;
    const unsigned long long x0 = x & mask, x1 = x >> 32, y0 = y & mask, y1 = y >> 32;
    const unsigned long long middle = (x0 * y0 >> 32) + (x1 * y0 & mask) + x0 * y1;
    return x1 * y1 + (x1 * y0 >> 32) + (middle >> 32);
}
constexpr long long mul64hi(long long x, long long y)
{
    using Unsigned = unsigned long long;
    return (long long)(umul64hi(Unsigned(x), Unsigned(y)) - (x < 0 ? Unsigned(y) : 0) -
                       (y < 0 ? Unsigned(x) : 0));
}

// Average rounded down and up.
constexpr int hadd(int x, int y) { return int(((long long)(x) + y) >> 1); }
constexpr int rhadd(int x, int y) { return int(((long long)(x) + y + 1) >> 1); }
constexpr unsigned uhadd(unsigned x, unsigned y)
{
    return unsigned(((unsigned long long)(x) + y) >> 1);
}
constexpr unsigned urhadd(unsigned x, unsigned y)
{
    return unsigned(((unsigned long long)(x) + y + 1) >> 1);
}

// |x - y| + z.
constexpr unsigned usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }
constexpr unsigned sad(int x, int y, unsigned z)
{
    return (x < y ? unsigned(y) - unsigned(x) : unsigned(x) - unsigned(y)) + z;
}

// c plus the scalar product of four bytes.
constexpr int dp4a(int a, int b, int c)
{
    unsigned sum = unsigned(c); // wraps around
    for (int i = 0; i < 32; i += 8)
        sum += unsigned((signed char)(a >> i) * (signed char)(b >> i));
    return int(sum);
}
constexpr unsigned dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 0xff) * (b >> i & 0xff);
    return c;
}
inline int dp4a(char4 a, char4 b, int c)
{
    return dp4a(detail::bit_cast<int>(a), detail::bit_cast<int>(b), c);
}
inline unsigned dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return dp4a(detail::bit_cast<unsigned>(a), detail::bit_cast<unsigned>(b), c);
}

// c plus the scalar product of the halves of a and the two lower or upper bytes of b.
constexpr int dp2a_lo(int a, int b, int c)
{
    return int(unsigned(c) + unsigned(short(a) * (signed char)(b)) +
               unsigned(short(a >> 16) * (signed char)(b >> 8)));
}
constexpr unsigned dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
constexpr int dp2a_hi(int a, int b, int c) { return dp2a_lo(a, b >> 16, c); }
constexpr unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return dp2a_lo(a, b >> 16, c); }
inline int dp2a_lo(short2 a, char4 b, int c)
{
    return dp2a_lo(detail::bit_cast<int>(a), detail::bit_cast<int>(b), c);
}
inline unsigned dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return dp2a_lo(detail::bit_cast<unsigned>(a), detail::bit_cast<unsigned>(b), c);
}
inline int dp2a_hi(short2 a, char4 b, int c)
{
    return dp2a_hi(detail::bit_cast<int>(a), detail::bit_cast<int>(b), c);
}
inline unsigned dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return dp2a_hi(detail::bit_cast<unsigned>(a), detail::bit_cast<unsigned>(b), c);
}

// ---- loads and stores with cache hints, which a CPU does not take -------------------------------

template <class T> T ldg(const T *address) { return *address; }
template <class T> T ldca(const T *address) { return *address; }
template <class T> T ldcg(const T *address) { return *address; }
template <class T> T ldcs(const T *address) { return *address; }
template <class T> T ldlu(const T *address) { return *address; }
template <class T> T ldcv(const T *address) { return *address; }
template <class T, class U> void stwb(T *address, U value) { *address = T(value); }
template <class T, class U> void stcg(T *address, U value) { *address = T(value); }
template <class T, class U> void stcs(T *address, U value) { *address = T(value); }
template <class T, class U> void stwt(T *address, U value) { *address = T(value); }

// ---- conversions with a rounding mode -----------------------------------------------------------

namespace detail {

// x as an integer; what does not fit becomes the nearest bound, a NaN what the PTX manual says.
template <class To, class From> To saturate(From x)
{
    constexpr From bound = From(std::numeric_limits<To>::max() / 2 + 1) * 2;
    if (x != x) {
        const bool small = sizeof(From) == 4 && sizeof(To) <= 4;
        return small ? To(0) : To(1ull << (CHAR_BIT * sizeof(To) - 1));
    }
    if (x >= bound)
        return std::numeric_limits<To>::max();
    if (x <= From(std::numeric_limits<To>::min()))
        return std::numeric_limits<To>::min();
    return To(x);
}

// Whether the rounded value is above or below the exact one.
template <class F, class T> bool is_above(F rounded, T exact)
{
    if constexpr (std::is_floating_point_v<T>) {
        return T(rounded) > exact;
    } else {
        constexpr double bound = double(std::numeric_limits<T>::max() / 2 + 1) * 2;
        return double(rounded) >= bound || T(rounded) > exact;
    }
}

template <class F, class T> bool is_below(F rounded, T exact)
{
    if constexpr (std::is_floating_point_v<T>) {
        return T(rounded) < exact;
    } else {
        constexpr double bound = double(std::numeric_limits<T>::max() / 2 + 1) * 2;
        if (double(rounded) < double(std::numeric_limits<T>::min()))
            return true;
        return double(rounded) < bound && T(rounded) < exact;
    }
}

// The next number of a format that has its sign in the first of 16 bits.
template <class F> F neighbour(F x, bool away_from_zero)
{
    x.bits = std::uint16_t(away_from_zero ? x.bits + 1 : x.bits - 1);
    return x;
}

inline float neighbour(float x, bool away_from_zero)
{
    return std::nextafter(x, away_from_zero == (x > 0) ? INFINITY : -INFINITY);
}

inline double neighbour(double x, bool away_from_zero)
{
    return std::nextafter(x, away_from_zero == (x > 0) ? HUGE_VAL : -HUGE_VAL);
}

template <class To, class From> To round_down(From x)
{
    const To nearest = To(x);
    return is_above(nearest, x) ? neighbour(nearest, x < 0) : nearest;
}

template <class To, class From> To round_up(From x)
{
    const To nearest = To(x);
    return is_below(nearest, x) ? neighbour(nearest, x > 0) : nearest;
}

template <class To, class From> To round_to_zero(From x)
{
    if constexpr (std::is_signed_v<From>) {
        if (x < 0)
            return round_up<To>(x);
    }
    return round_down<To>(x);
}

// A float that rounds to a shorter format as x does: where it is not x itself, its last bit is 1.
// (Boldo and Melquiond, "When double rounding is odd", 2005.)
template <class From> float round_to_odd(From x)
{
    const float nearest = float(x);
    if constexpr (!std::is_same_v<From, float> && std::numeric_limits<From>::digits > 24) {
        const unsigned bits = float_as_uint(nearest);
        const bool is_low = is_below(nearest, x);
        if (bits % 2 == 0 && (is_low || is_above(nearest, x)))
            return uint_as_float(is_low == (x > 0) ? bits + 1 : bits - 1);
    }
    return nearest;
}

} // namespace detail

// rn: to nearest, rz: towards zero, ru: up, rd: down.
#define G2O_FLOATING_TO_INTEGER(name, From, To)                                                    \
    inline To name##_rn(From x) { return detail::saturate<To>(std::rint(x)); }                     \
    inline To name##_rz(From x) { return detail::saturate<To>(std::trunc(x)); }                    \
    inline To name##_ru(From x) { return detail::saturate<To>(std::ceil(x)); }                     \
    inline To name##_rd(From x) { return detail::saturate<To>(std::floor(x)); }

#define G2O_TO_FLOATING(name, From, To)                                                            \
    inline To name##_rn(From x) { return To(x); }                                                  \
    inline To name##_rz(From x) { return detail::round_to_zero<To>(x); }                           \
    inline To name##_ru(From x) { return detail::round_up<To>(x); }                                \
    inline To name##_rd(From x) { return detail::round_down<To>(x); }

G2O_FLOATING_TO_INTEGER(float2int, float, int)
G2O_FLOATING_TO_INTEGER(float2uint, float, unsigned)
G2O_FLOATING_TO_INTEGER(float2ll, float, long long)
G2O_FLOATING_TO_INTEGER(float2ull, float, unsigned long long)
G2O_FLOATING_TO_INTEGER(double2int, double, int)
G2O_FLOATING_TO_INTEGER(double2uint, double, unsigned)
G2O_FLOATING_TO_INTEGER(double2ll, double, long long)
G2O_FLOATING_TO_INTEGER(double2ull, double, unsigned long long)
G2O_TO_FLOATING(double2float, double, float)
G2O_TO_FLOATING(int2float, int, float)
G2O_TO_FLOATING(uint2float, unsigned, float)
G2O_TO_FLOATING(ll2float, long long, float)
G2O_TO_FLOATING(ull2float, unsigned long long, float)
G2O_TO_FLOATING(ll2double, long long, double)
G2O_TO_FLOATING(ull2double, unsigned long long, double)
#undef G2O_FLOATING_TO_INTEGER
#undef G2O_TO_FLOATING
inline double int2double_rn(int x) { return x; }
inline double uint2double_rn(unsigned x) { return x; }

// ---- floating point -----------------------------------------------------------------------------

namespace detail {

// The value after rounding: no compiler contracts what goes in with what comes out.
template <class T> T rounded(T x)
{
#if defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
    return __builtin_assoc_barrier(x);
#elif __has_builtin(__arithmetic_fence) && !defined(G2O_GPU)
    return __arithmetic_fence(x);
#else
    return x;
#endif
#else
    return x;
#endif
}

} // namespace detail

// Operations rounded to nearest, which are never fused with their neighbours.
inline float fadd_rn(float x, float y) { return detail::rounded(x) + detail::rounded(y); }
inline float fsub_rn(float x, float y) { return detail::rounded(x) - detail::rounded(y); }
inline float fmul_rn(float x, float y) { return detail::rounded(x * y); }
inline float fdiv_rn(float x, float y) { return x / y; }
inline float frcp_rn(float x) { return 1.0f / x; }
inline float fsqrt_rn(float x) { return sqrtf(x); }
inline float frsqrt_rn(float x) { return float(1.0 / sqrt(double(x))); }
inline float fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double dadd_rn(double x, double y) { return detail::rounded(x) + detail::rounded(y); }
inline double dsub_rn(double x, double y) { return detail::rounded(x) - detail::rounded(y); }
inline double dmul_rn(double x, double y) { return detail::rounded(x * y); }
inline double ddiv_rn(double x, double y) { return x / y; }
inline double drcp_rn(double x) { return 1.0 / x; }
inline double dsqrt_rn(double x) { return sqrt(x); }
inline double fma_rn(double x, double y, double z) { return fma(x, y, z); }

// The same rounded towards zero, up and down. Right but slow: the processor's mode is switched.
namespace detail {

// A value that no compiler computes with before the mode is set.
template <class T> T opaque(T x)
{
    volatile T value = x;
    return value;
}

template <class Operation, class... Operands>
auto directed(int mode, Operation operation, Operands... operands)
{
    const int before = std::fegetround();
    std::fesetround(mode);
    const auto result = opaque(operation(opaque(operands)...));
    std::fesetround(before);
    return result;
}

} // namespace detail

#define G2O_DIRECTED(name, T, expression, parameters, ...)                                         \
    inline T name##_rz parameters                                                                  \
    {                                                                                              \
        return detail::directed(FE_TOWARDZERO, [] parameters { return expression; }, __VA_ARGS__); \
    }                                                                                              \
    inline T name##_ru parameters                                                                  \
    {                                                                                              \
        return detail::directed(FE_UPWARD, [] parameters { return expression; }, __VA_ARGS__);     \
    }                                                                                              \
    inline T name##_rd parameters                                                                  \
    {                                                                                              \
        return detail::directed(FE_DOWNWARD, [] parameters { return expression; }, __VA_ARGS__);   \
    }

G2O_DIRECTED(fadd, float, x + y, (float x, float y), x, y)
G2O_DIRECTED(fsub, float, x - y, (float x, float y), x, y)
G2O_DIRECTED(fmul, float, x *y, (float x, float y), x, y)
G2O_DIRECTED(fdiv, float, x / y, (float x, float y), x, y)
G2O_DIRECTED(frcp, float, 1.0f / x, (float x), x)
G2O_DIRECTED(fsqrt, float, sqrtf(x), (float x), x)
G2O_DIRECTED(fmaf, float, fmaf(x, y, z), (float x, float y, float z), x, y, z)
G2O_DIRECTED(dadd, double, x + y, (double x, double y), x, y)
G2O_DIRECTED(dsub, double, x - y, (double x, double y), x, y)
G2O_DIRECTED(dmul, double, x *y, (double x, double y), x, y)
G2O_DIRECTED(ddiv, double, x / y, (double x, double y), x, y)
G2O_DIRECTED(drcp, double, 1.0 / x, (double x), x)
G2O_DIRECTED(dsqrt, double, sqrt(x), (double x), x)
G2O_DIRECTED(fma, double, fma(x, y, z), (double x, double y, double z), x, y, z)
#undef G2O_DIRECTED

// x / y, and x limited to [0, 1] with 0 for a NaN.
inline float fdividef(float x, float y) { return x / y; }
inline float fdivide(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
inline float saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// 1 / sqrt(x) and 1 / cbrt(x).
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }

// 10 to the power of x.
inline float exp10f(float x) { return float(pow(10.0, double(x))); }
inline float exp10(float x) { return exp10f(x); }
inline double exp10(double x) { return pow(10.0, x); }

// Length of a vector and its reciprocal, without overflow on the way.
inline double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
inline double norm4d(double x, double y, double z, double w)
{
    return hypot(hypot(x, y), hypot(z, w));
}
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
inline float norm3df(float x, float y, float z) { return float(norm3d(x, y, z)); }
inline float norm4df(float x, float y, float z, float w) { return float(norm4d(x, y, z, w)); }
inline float rhypotf(float x, float y) { return float(rhypot(double(x), double(y))); }
inline float rhypot(float x, float y) { return rhypotf(x, y); }
inline float rnorm3df(float x, float y, float z) { return float(rnorm3d(x, y, z)); }
inline float rnorm4df(float x, float y, float z, float w) { return float(rnorm4d(x, y, z, w)); }

inline double norm(int count, const double *x)
{
    double length = 0.0;
    for (int i = 0; i < count; ++i)
        length = hypot(length, x[i]);
    return length;
}

inline float normf(int count, const float *x)
{
    double length = 0.0;
    for (int i = 0; i < count; ++i)
        length = hypot(length, double(x[i]));
    return float(length);
}

inline double rnorm(int count, const double *x) { return 1.0 / norm(count, x); }
inline float rnormf(int count, const float *x) { return 1.0f / normf(count, x); }

// Sine and cosine at once.
inline void sincos(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}

inline void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

namespace detail {

constexpr double pi = 3.14159265358979323846;
constexpr double sqrt_pi = 1.77245385090551602730;
constexpr double sqrt_2 = 1.41421356237309504880;

} // namespace detail

// sin(pi x), cos(pi x) and tan(pi x), exact where the result is 0 or +-1. A zero of the sine has
// the sign of x.
inline double sinpi(double x)
{
    const double r = std::remainder(x, 2.0); // in [-1, 1]
    if (r == 1.0 || r == -1.0)
        return copysign(0.0, x);
    const double folded = r > 0.5 ? 1.0 - r : r < -0.5 ? -1.0 - r : r;
    return sin(detail::pi * folded);
}

inline double cospi(double x)
{
    const double r = fabs(std::remainder(x, 2.0)); // in [0, 1]
    return r < 0.25 ? cos(detail::pi * r) : sin(detail::pi * (0.5 - r));
}

inline double tanpi(double x) { return sinpi(x) / cospi(x); }
inline float tanpif(float x) { return float(tanpi(double(x))); }
inline float tanpi(float x) { return tanpif(x); }
inline float sinpif(float x) { return float(sinpi(double(x))); }
inline float cospif(float x) { return float(cospi(double(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }

inline void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

inline void sincospi(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

inline void sincospif(float x, float *sine, float *cosine) { sincospi(x, sine, cosine); }

double erfinv(double p);
double erfcx(double x);

// Inverse of erfc on (0, 2): the guess of Abramowitz and Stegun (26.2.22), then Halley steps. Each
// leaves about the cube of the error before. Newton steps on the logarithm where erfc has few bits.
inline double erfcinv(double p)
{
    if (!(p > 0.0 && p < 2.0))
        return p == 0.0 ? HUGE_VAL : p == 2.0 ? -HUGE_VAL : double(NAN);
    if (p >= 0.5 && p <= 1.5)
        return erfinv(1.0 - p);
    if (p > 1.0)
        return -erfcinv(2.0 - p);
    const double t = sqrt(-2.0 * (log(p) - log(2.0)));
    double x = (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481))) / detail::sqrt_2;
    for (int step = 0; p < 1e-280 && step < 3; ++step)
        x += 0.5 * detail::sqrt_pi * erfcx(x) * (log(erfcx(x)) - x * x - log(p));
    if (p < 1e-280)
        return x;
    for (int step = 0; step < 3; ++step) {
        const double error = (erfc(x) - p) * detail::sqrt_pi / (2.0 * exp(-x * x));
        x += error / (1.0 - x * error);
    }
    return x;
}

// Inverse of erf on (-1, 1).
inline double erfinv(double p)
{
    if (fabs(p) > 0.5)
        return p > 0.0 ? erfcinv(1.0 - p) : -erfcinv(1.0 + p);
    double x = p * detail::sqrt_pi / 2.0;
    for (int step = 0; step < 4; ++step) {
        const double error = (erf(x) - p) * detail::sqrt_pi / 2.0 * exp(x * x);
        x -= error / (1.0 + x * error);
    }
    return x;
}

// exp(x * x) * erfc(x), without overflow: the asymptotic series where it has converged.
inline double erfcx(double x)
{
    if (x < 10.0) {
        const double square = x * x, rest = fma(x, x, -square);
        return square > 1000.0 ? HUGE_VAL : exp(square) * erfc(x) * (1.0 + rest);
    }
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 12; ++k)
        sum += term *= -(2 * k - 1) / (2.0 * x * x);
    return sum / detail::sqrt_pi / x;
}

namespace detail {

// Modified Bessel function of the first kind, n = 0 or 1: the power series, whose terms have one
// sign; where it is long, the mean of exp(x cos t) cos(n t), by the trapezoid rule, which converges
// exponentially for periodic functions.
inline double cyl_bessel_i(int n, double x)
{
    if (!(fabs(x) > 12.0)) { // or a NaN
        double term = n == 0 ? 1.0 : 0.5 * x, sum = term;
        for (int k = 1; k < 40; ++k)
            sum += term *= 0.25 * x * x / (k * (k + n));
        return sum;
    }
    if (fabs(x) > 750.0)
        return n == 0 ? HUGE_VAL : copysign(HUGE_VAL, x);
    const int points = 64 + 16 * int(sqrt(fabs(x)));
    double sum = 0.0;
    for (int i = 0; i < points; ++i) {
        const double t = 2.0 * detail::pi * i / points;
        sum += exp(x * cos(t) - fabs(x)) * cos(n * t);
    }
    return sum / points * exp(0.5 * fabs(x)) * exp(0.5 * fabs(x));
}

} // namespace detail

inline double cyl_bessel_i0(double x) { return detail::cyl_bessel_i(0, x); }
inline double cyl_bessel_i1(double x) { return detail::cyl_bessel_i(1, x); }

// The derivative of lgamma: a few units in the last place for x > 0, near its zero there, too (a
// Taylor series of Hurwitz's zeta function); for negative x by reflection.
// Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18.
inline double digamma(double x)
{
    const double zero = 1.4616321449683622, rest = 9.549995429965697e-17; // its zero is their sum
    const double taylor[] = {
        0.9676722454476212, -0.4427631689835921, 0.258499760955651,
        -0.16394270544240652, 0.10782405069126237, -0.07219956125645471,
        0.04880428816414311, -0.03316112647484736, 0.022597648232218104,
        -0.01542476590494896, 0.010538791616612175, -0.007204534386356869,
        0.004926781395729853, -0.003369801655439328, 0.002305126326734928,
        -0.0015769367714301972, 0.0010788252019162967, -0.0007380709389960052,
        0.000504953265834602, -0.0003454680251063077, 0.00023635601564027053,
        -0.00016170622091974803, 0.0001106337276874741, -7.569179582195066e-05,
        5.178575795222081e-05, -3.5430070947659604e-05, 2.424006611860132e-05,
        -1.6584242271854135e-05, 1.134638458466385e-05, -7.762817668462094e-06,
        5.3110609208898636e-06, -3.6336507898010456e-06, 2.486022733129538e-06,
        -1.7008538854332607e-06, 1.1636675363548843e-06, -7.96142543124197e-07,
        5.446941930669446e-07, -3.7266161283438227e-07,
    };
    if (x <= 0.0) {
        const double part = x - floor(x);
        if (part == 0.0)
            return std::numeric_limits<double>::quiet_NaN(); // a pole
        return digamma(1.0 - x) - detail::pi / tan(detail::pi * part);
    }
    if (x < 3.0) {
        const double shift = x < 0.96 ? 1.0 : x > 1.96 ? -1.0 : 0.0;
        const double h = (x - zero + shift) - rest;
        double sum = 0.0;
        for (int k = 37; k >= 0; --k)
            sum = taylor[k] + h * sum;
        if (shift == 0.0)
            return h * sum;
        return shift > 0.0 ? h * sum - 1.0 / x : h * sum + 1.0 / (x - 1.0);
    }
    double below = 0.0;
    for (; x < 10.0; x += 1.0)
        below += 1.0 / x;
    const double s = 1.0 / (x * x);
    const double series =
        s * (1.0 / 12 -
             s * (1.0 / 120 -
                  s * (1.0 / 252 -
                       s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s / 12))))));
    return log(x) - 0.5 / x - series - below;
}

inline float digammaf(float x) { return float(digamma(double(x))); }
inline float digamma(float x) { return digammaf(x); }

// Cumulative distribution of the standard normal distribution, and its inverse. What is lost where
// -x / sqrt(2) is rounded changes the result, to first order, by the derivative times it.
inline double normcdf(double x)
{
    const double argument = -x / detail::sqrt_2;
    if (!(fabs(x) < 40.0))
        return 0.5 * erfc(argument);
    const double sqrt_2_rest = -9.66729331345291345105e-17; // sqrt(2) is the sum of both
    const double product = fma(argument, detail::sqrt_2, x) + argument * sqrt_2_rest;
    const double rest = -product / detail::sqrt_2;
    return 0.5 * erfc(argument) - exp(-argument * argument) / detail::sqrt_pi * rest;
}
inline double normcdfinv(double p) { return -detail::sqrt_2 * erfcinv(2.0 * p); }

inline float erfcinvf(float p) { return float(erfcinv(double(p))); }
inline float erfinvf(float p) { return float(erfinv(double(p))); }
inline float normcdff(float x) { return float(normcdf(double(x))); }
inline float normcdfinvf(float p) { return float(normcdfinv(double(p))); }
inline float erfcxf(float x) { return float(erfcx(double(x))); }
inline float cyl_bessel_i0f(float x) { return float(cyl_bessel_i0(double(x))); }
inline float cyl_bessel_i1f(float x) { return float(cyl_bessel_i1(double(x))); }
inline float erfcx(float x) { return erfcxf(x); }
inline float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
inline float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
inline float erfcinv(float p) { return erfcinvf(p); }
inline float erfinv(float p) { return erfinvf(p); }
inline float normcdf(float x) { return normcdff(x); }
inline float normcdfinv(float p) { return normcdfinvf(p); }

// ---- time ---------------------------------------------------------------------------------------

// Ticks of a clock with the rate DeviceProp::clockRate, which makes them nanoseconds.
inline long long clock64()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

inline std::clock_t clock() { return std::clock_t(clock64()); }

// Passes some time.
inline void nanosleep(unsigned nanoseconds)
{
    const long long end = clock64() + nanoseconds;
    while (clock64() < end) {
    }
}

// Ends the program, as a trap ends a kernel.
[[noreturn]] inline void trap() { std::abort(); }

// A breakpoint without a debugger does nothing, nor does a counter without a profiler.
inline void brkpt() {}
inline void prof_trigger(int /*counter*/) {}
constexpr void assume(bool /*holds*/) {}

// ---- packed integers ----------------------------------------------------------------------------

namespace detail {

// The word of operation(part of a, part of b) for its parts of type Part.
template <class Part, class Operation>
constexpr unsigned by_parts(unsigned a, unsigned b, Operation operation)
{
    constexpr int bits = 8 * int(sizeof(Part));
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        const int part = operation(Part(a >> shift), Part(b >> shift));
        result |= (unsigned(part) & ((1u << bits) - 1)) << shift;
    }
    return result;
}

// The same, the results brought into the range of Part.
template <class Part, class Operation>
constexpr unsigned by_parts_saturated(unsigned a, unsigned b, Operation operation)
{
    return by_parts<Part>(a, b, [operation](int x, int y) {
        return std::clamp<int>(operation(x, y), std::numeric_limits<Part>::min(),
                               std::numeric_limits<Part>::max());
    });
}

// The sum of operation(part of a, part of b).
template <class Part, class Operation>
constexpr unsigned sum_of_parts(unsigned a, unsigned b, Operation operation)
{
    int sum = 0;
    for (int shift = 0; shift < 32; shift += 8 * int(sizeof(Part)))
        sum += operation(Part(a >> shift), Part(b >> shift));
    return unsigned(sum);
}

} // namespace detail

// clang-format off
// Of each function two: on the two halves and on the four bytes of a word, signed or unsigned.
#define G2O_PACKED(name, each, Sign, expression)                                                   \
    constexpr unsigned name##2(unsigned a, unsigned b)                                             \
    {                                                                                              \
        return detail::each<Sign short>(a, b, [](int x, int y) { return expression; });            \
    }                                                                                              \
    constexpr unsigned name##4(unsigned a, unsigned b)                                             \
    {                                                                                              \
        return detail::each<Sign char>(a, b, [](int x, int y) { return expression; });             \
    }
#define G2O_PACKED_UNARY(name, each, expression)                                                   \
    constexpr unsigned name##2(unsigned a)                                                         \
    {                                                                                              \
        return detail::each<short>(a, 0, [](int x, int) { return expression; });                   \
    }                                                                                              \
    constexpr unsigned name##4(unsigned a)                                                         \
    {                                                                                              \
        return detail::each<signed char>(a, 0, [](int x, int) { return expression; });             \
    }
// A comparison as a mask and as 1 or 0.
#define G2O_PACKED_COMPARISON(name, Sign, operation)                                               \
    G2O_PACKED(vcmp##name, by_parts, Sign, x operation y ? -1 : 0)                                 \
    G2O_PACKED(vset##name, by_parts, Sign, x operation y ? 1 : 0)
// clang-format on

G2O_PACKED_UNARY(vabs, by_parts, x < 0 ? -x : x)
G2O_PACKED_UNARY(vabsss, by_parts_saturated, x < 0 ? -x : x)
G2O_PACKED_UNARY(vneg, by_parts, -x)
G2O_PACKED_UNARY(vnegss, by_parts_saturated, -x)
G2O_PACKED(vadd, by_parts, signed, x + y)
G2O_PACKED(vaddss, by_parts_saturated, signed, x + y)
G2O_PACKED(vaddus, by_parts_saturated, unsigned, x + y)
G2O_PACKED(vsub, by_parts, signed, x - y)
G2O_PACKED(vsubss, by_parts_saturated, signed, x - y)
G2O_PACKED(vsubus, by_parts_saturated, unsigned, x - y)
G2O_PACKED(vabsdiffs, by_parts, signed, x < y ? y - x : x - y)
G2O_PACKED(vabsdiffu, by_parts, unsigned, x < y ? y - x : x - y)
G2O_PACKED(vavgs, by_parts, signed, (x + y + (x + y >= 0)) >> 1)
G2O_PACKED(vavgu, by_parts, unsigned, (x + y + 1) >> 1)
G2O_PACKED(vhaddu, by_parts, unsigned, (x + y) >> 1)
G2O_PACKED(vmins, by_parts, signed, x < y ? x : y)
G2O_PACKED(vminu, by_parts, unsigned, x < y ? x : y)
G2O_PACKED(vmaxs, by_parts, signed, x < y ? y : x)
G2O_PACKED(vmaxu, by_parts, unsigned, x < y ? y : x)
G2O_PACKED(vsads, sum_of_parts, signed, x < y ? y - x : x - y)
G2O_PACKED(vsadu, sum_of_parts, unsigned, x < y ? y - x : x - y)
G2O_PACKED_COMPARISON(eq, unsigned, ==)
G2O_PACKED_COMPARISON(ne, unsigned, !=)
G2O_PACKED_COMPARISON(ges, signed, >=)
G2O_PACKED_COMPARISON(geu, unsigned, >=)
G2O_PACKED_COMPARISON(gts, signed, >)
G2O_PACKED_COMPARISON(gtu, unsigned, >)
G2O_PACKED_COMPARISON(les, signed, <=)
G2O_PACKED_COMPARISON(leu, unsigned, <=)
G2O_PACKED_COMPARISON(lts, signed, <)
G2O_PACKED_COMPARISON(ltu, unsigned, <)
#undef G2O_PACKED
#undef G2O_PACKED_UNARY
#undef G2O_PACKED_COMPARISON

// clang-format off
// The larger or smaller of a sum and a value, of three values, and of two and whether it is the first;
// of words and of their halves. Sums wrap around. The relu forms are never less than 0.
#define G2O_EXTREMA(T, parts, name, of, sum)                                                        \
    constexpr T viadd##name##_##parts(T a, T b, T c) { return of(sum, c); }                        \
    constexpr T vi##name##3_##parts(T a, T b, T c) { return of(of(a, b), c); }
#define G2O_EXTREMA_RELU(T, parts, name, floor)                                                    \
    constexpr T vi##name##_##parts##_relu(T a, T b)                                                \
    {                                                                                              \
        return floor(vi##name##3_##parts(a, b, b), 0);                                             \
    }                                                                                              \
    constexpr T vi##name##3_##parts##_relu(T a, T b, T c)                                          \
    {                                                                                              \
        return floor(vi##name##3_##parts(a, b, c), 0);                                             \
    }                                                                                              \
    constexpr T viadd##name##_##parts##_relu(T a, T b, T c)                                        \
    {                                                                                              \
        return floor(viadd##name##_##parts(a, b, c), 0);                                           \
    }
G2O_EXTREMA(int, s32, max, g2o::max, int(unsigned(a) + unsigned(b)))
G2O_EXTREMA(unsigned, u32, max, g2o::max, a + b)
G2O_EXTREMA(unsigned, s16x2, max, vmaxs2, vadd2(a, b))
G2O_EXTREMA(unsigned, u16x2, max, vmaxu2, vadd2(a, b))
G2O_EXTREMA_RELU(int, s32, max, g2o::max)
G2O_EXTREMA_RELU(unsigned, s16x2, max, vmaxs2)
G2O_EXTREMA(int, s32, min, g2o::min, int(unsigned(a) + unsigned(b)))
G2O_EXTREMA(unsigned, u32, min, g2o::min, a + b)
G2O_EXTREMA(unsigned, s16x2, min, vmins2, vadd2(a, b))
G2O_EXTREMA(unsigned, u16x2, min, vminu2, vadd2(a, b))
G2O_EXTREMA_RELU(int, s32, min, g2o::max)
G2O_EXTREMA_RELU(unsigned, s16x2, min, vmaxs2)
#undef G2O_EXTREMA
#undef G2O_EXTREMA_RELU

#define G2O_EXTREMUM_AND_FIRST(name, operation, relation)                                          \
    constexpr int vib##name##_s32(int a, int b, bool *first)                                       \
    {                                                                                              \
        *first = a operation b;                                                                    \
        return g2o::name(a, b);                                                                    \
    }                                                                                              \
    constexpr unsigned vib##name##_u32(unsigned a, unsigned b, bool *first)                        \
    {                                                                                              \
        *first = a operation b;                                                                    \
        return g2o::name(a, b);                                                                    \
    }                                                                                              \
    constexpr unsigned vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low)            \
    {                                                                                              \
        const unsigned first = vset##relation##s2(a, b);                                           \
        *high = first >> 16 != 0;                                                                  \
        *low = (first & 1) != 0;                                                                   \
        return v##name##s2(a, b);                                                                  \
    }                                                                                              \
    constexpr unsigned vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low)            \
    {                                                                                              \
        const unsigned first = vset##relation##u2(a, b);                                           \
        *high = first >> 16 != 0;                                                                  \
        *low = (first & 1) != 0;                                                                   \
        return v##name##u2(a, b);                                                                  \
    }
G2O_EXTREMUM_AND_FIRST(max, >=, ge)
G2O_EXTREMUM_AND_FIRST(min, <=, le)
#undef G2O_EXTREMUM_AND_FIRST
// clang-format on

// ================================================================================================
// 6. Memory and warp operations for kernels that became loops
// ================================================================================================

// ---- arrays of a block --------------------------------------------------------------------------

#ifdef G2O_OFFLOAD

// Memory of a team is sized when the program is compiled, or for dynamic shared memory when the
// kernel is launched: nothing is allocated on the device's heap.

namespace detail {

constexpr std::size_t most_threads = 1024; // in a block, as with CUDA

} // namespace detail

#ifdef G2O_GPU
// Every thread of a block may call it.
extern "C" [[omp::assume("ompx_spmd_amenable")]] void *llvm_omp_target_dynamic_shared_alloc(void);
#endif

namespace types {

// What an array of `bytes` takes of the memory that a launch asks for (G2O_DYNAMIC_SHARED).
constexpr std::size_t padded(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

// Shared memory of one block, sized in bytes when the kernel is launched; the first array of a block,
// or behind another one. Used as the array it was: buf[t], &buf[n], buf + n, (float4 *)buf.
template <class T> class shared_array {
  public:
#ifdef G2O_GPU
    explicit shared_array(std::size_t bytes)
        : data_(static_cast<T *>(llvm_omp_target_dynamic_shared_alloc())), bytes_(bytes)
    {
    }
    template <class Array>
    shared_array(std::size_t bytes, const Array &before)
        : data_(static_cast<T *>(before.end())), bytes_(bytes)
    {
    }
    void *end() const { return reinterpret_cast<char *>(data_) + padded(bytes_); }
#else
    explicit shared_array([[maybe_unused]] std::size_t bytes) { assert(bytes <= sizeof memory_); }
    template <class Array> shared_array(std::size_t bytes, const Array &) : shared_array(bytes) {}
#endif
    operator T *() { return data_; }
    template <class U> explicit operator U *() { return reinterpret_cast<U *>(data_); }
    T *data() { return data_; }

    shared_array(const shared_array &) = delete;
    shared_array &operator=(const shared_array &) = delete;

  private:
#ifdef G2O_GPU
    T *data_;
    std::size_t bytes_;
#else
    alignas(128) unsigned char memory_[256 * 1024]; // no device of today has more
    T *data_ = reinterpret_cast<T *>(memory_);
#endif
};

// One value per thread of a block, for a variable that lives across a barrier: sum[t].
// thread_array<T[N]> has an array per thread: sum[t][k].
template <class T> class thread_array {
  public:
#ifdef G2O_GPU
    explicit thread_array(std::size_t /*threads*/) {}
    operator T *() { return values_; }
    T *data() { return values_; }
#else
    explicit thread_array(std::size_t threads) : values_(new T[threads]) {}
    operator T *() { return values_.get(); }
    T *data() { return values_.get(); }
#endif

    thread_array(const thread_array &) = delete;
    thread_array &operator=(const thread_array &) = delete;

  private:
#ifdef G2O_GPU
    T values_[detail::most_threads];
#else
    std::unique_ptr<T[]> values_; // a stack is too small for arrays of a thousand threads
#endif
};

// The same in the memory that a launch asks for, which is as large as its blocks need it.
#ifdef G2O_GPU
template <class T> class block_array {
  public:
    explicit block_array(std::size_t threads)
        : block_array(threads, llvm_omp_target_dynamic_shared_alloc())
    {
    }
    template <class Array>
    block_array(std::size_t threads, const Array &before) : block_array(threads, before.end())
    {
    }
    operator T *() const { return data_; }
    T *data() const { return data_; }
    void *end() const { return reinterpret_cast<char *>(data_) + padded(threads_ * sizeof(T)); }

    block_array(const block_array &) = delete;
    block_array &operator=(const block_array &) = delete;

  private:
    block_array(std::size_t threads, void *memory)
        : data_(static_cast<T *>(memory)), threads_(threads)
    {
        if constexpr (!std::is_trivially_default_constructible_v<T>)
            for (std::size_t t = 0; t < threads; ++t)
                new (static_cast<void *>(&data_[t])) T;
    }

    T *data_;
    std::size_t threads_;
};
#else
template <class T> class block_array : public thread_array<T> {
  public:
    using thread_array<T>::thread_array;
    template <class Array>
    block_array(std::size_t threads, const Array &) : thread_array<T>(threads)
    {
    }
};
#endif

// One value per thread of a grid, for a variable that lives across a synchronisation of the grid:
// memory of the device, which the host only holds.
template <class T> class grid_array {
  public:
    explicit grid_array(std::size_t threads)
    {
        if (detail::allocate(&data_, threads * sizeof(T)) != Success)
            std::abort();
    }
    grid_array(std::size_t threads, int value) : grid_array(threads)
    {
        memset(data_, value, threads * sizeof(T));
    }
    ~grid_array() { detail::release(data_); }

    T *data() const { return data_; }

    grid_array(const grid_array &) = delete;
    grid_array &operator=(const grid_array &) = delete;

  private:
    T *data_;
};

// How many teams of a launch work at a time where each of them has a slice of memory: enough for
// every device of today.
inline int most_teams(std::size_t blocks)
{
    return int(std::min(std::max(blocks, std::size_t(1)), std::size_t(4096)));
}

// Which of them the current one is.
inline int team() { return omp_get_team_num(); }

// The slice of a team, as new for every block.
template <class T> T &slice(T *slices, int number) { return *new (&slices[number]) T; }

} // namespace types

#else

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

} // namespace detail

namespace types {

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
        : mark_(detail::arena().mark()), data_(static_cast<T *>(detail::arena().take(bytes)))
    {
        static_assert(alignof(T) <= detail::arena_alignment, "over-aligned element");
    }
    ~ArenaArray() { detail::arena().release(mark_); }

  private:
    detail::Arena::Mark mark_;
    T *data_;
};

// Shared memory of one block, sized in bytes when the kernel is launched. As with CUDA it holds
// nothing at first; shared_array(bytes, 0) is cleared.
// Used as the array it was: buf[t], &buf[n], buf + n, (float4 *)buf.
template <class T> class shared_array : public ArenaArray<T> {
  public:
    explicit shared_array(std::size_t bytes) : ArenaArray<T>(bytes) {}
    shared_array(std::size_t bytes, int value) : ArenaArray<T>(bytes)
    {
        std::memset(static_cast<void *>(this->data()), value, bytes);
    }
    template <class Array> shared_array(std::size_t bytes, const Array &) : shared_array(bytes) {}
};

// One value per thread of a block, for a variable that lives across a barrier: sum[t].
// thread_array<T[N]> has an array per thread: sum[t][k]. Like the variable it stands for, the
// values of types without a constructor are not initialised; thread_array(threads, value) copies.
template <class T> class thread_array : public ArenaArray<T> {
    using Element = std::remove_all_extents_t<T>;

  public:
    explicit thread_array(std::size_t threads)
        : ArenaArray<T>(threads * sizeof(T)), elements_(threads * sizeof(T) / sizeof(Element))
    {
        std::uninitialized_default_construct_n(first(), elements_);
    }
    thread_array(std::size_t threads, const T &value)
        : ArenaArray<T>(threads * sizeof(T)), elements_(threads)
    {
        std::uninitialized_fill_n(first(), threads, value);
    }
    ~thread_array() { std::destroy_n(first(), elements_); }

  private:
    Element *first() const { return reinterpret_cast<Element *>(this->data()); }

    std::size_t elements_;
};

// The same in a source for CPUs and devices; devices have it behind another array.
template <class T> class block_array : public thread_array<T> {
  public:
    using thread_array<T>::thread_array;
    template <class Array>
    block_array(std::size_t threads, const Array &) : thread_array<T>(threads)
    {
    }
};

// One value per thread of a grid, for a variable that lives across a synchronisation of the grid.
template <class T> class grid_array {
  public:
    explicit grid_array(std::size_t threads) : data_(new T[threads]) {}
    grid_array(std::size_t threads, int value) : grid_array(threads)
    {
        std::memset(static_cast<void *>(data_.get()), value, threads * sizeof(T));
    }

    operator T *() const { return data_.get(); }
    T *data() const { return data_.get(); }

  private:
    std::unique_ptr<T[]> data_;
};

// In a source for CPUs and devices: a CPU has a slice for every thread of OpenMP.
inline int most_teams(std::size_t)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

inline int team()
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

// The slice of a thread, as new for every block.
template <class T> T &slice(T *slices, int number)
{
    slices[number].~T();
    return *new (&slices[number]) T;
}

// What one thread of OpenMP adds to the first `count` elements of an array; it gets there when the
// thread is done: sums[k] += value.
template <class T> class partial_sums {
  public:
    partial_sums(T *array, std::ptrdiff_t count)
        : array_(array), values_(std::max(count, std::ptrdiff_t(0)))
    {
    }
    ~partial_sums()
    {
        for (std::size_t k = 0; k < values_.size(); ++k) {
            if (values_[k] != T(0)) // elements that nobody adds to may not be there
                atomic_add(&array_[k], values_[k]);
        }
    }

    T &operator[](std::size_t k) { return values_[k]; }

    partial_sums(const partial_sums &) = delete;
    partial_sums &operator=(const partial_sums &) = delete;

  private:
    T *array_;
    std::vector<T> values_;
};

} // namespace types

#endif

#ifdef G2O_OFFLOAD

namespace detail {

// The memory of the device that the tapes of a launch grow in, handed out from its beginning.
constexpr std::size_t tape_bytes = 512; // of a piece

struct TapePool {
    char *memory;
    std::size_t bytes;
    std::size_t used;
};

#pragma omp declare target
inline TapePool tape_pool = {nullptr, 0, 0};

// A piece of it, or null where there is none left.
inline void *take_for_tape(std::size_t bytes)
{
    const std::size_t begin = __atomic_fetch_add(&tape_pool.used, bytes, __ATOMIC_RELAXED);
    return begin + bytes <= tape_pool.bytes ? tape_pool.memory + begin : nullptr;
}
#pragma omp end declare target

} // namespace detail

namespace types {

// Values in pieces of the memory for tapes; for the threads of a block, whose memory is small.
template <class T> class ChunkTape {
    struct Chunk {
        static constexpr std::size_t room = detail::tape_bytes - 16;

        Chunk *before;
        T values[std::max(room / sizeof(T), std::size_t(1))];
    };
    static constexpr int chunk_values = int(sizeof(Chunk::values) / sizeof(T));

  public:
    void push(const T &value)
    {
        const int place = size_++ % chunk_values;
        if (place == 0)
            advance();
        if (last_ != nullptr)
            last_->values[place] = value;
    }

    T pop()
    {
        const int place = --size_ % chunk_values;
        if (last_ == nullptr) // the launch fails
            return T{};
        const T value = last_->values[place];
        if (place == 0) {
            spare_ = last_;
            last_ = last_->before;
        }
        return value;
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return std::size_t(size_); }

  private:
    void advance()
    {
        Chunk *next = spare_;
        spare_ = nullptr;
        if (next == nullptr)
            next = static_cast<Chunk *>(detail::take_for_tape((sizeof(Chunk) + 15) / 16 * 16));
        if (next != nullptr)
            next->before = last_;
        last_ = next;
    }

    Chunk *last_ = nullptr, *spare_ = nullptr;
    int size_ = 0;
};

// What a forward sweep records and the reverse sweep reads back, last in first out. The first few
// values are a part of the tape itself.
template <class T> class Tape {
    static constexpr int own_values = 16;

  public:
    void push(const T &value)
    {
        if (size_ < own_values)
            own_[size_] = value;
        else
            more_.push(value);
        ++size_;
    }

    T pop() { return --size_ < own_values ? own_[size_] : more_.pop(); }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return std::size_t(size_); }

  private:
    T own_[own_values];
    ChunkTape<T> more_;
    int size_ = 0;
};

// Memory of the device for the tapes of one launch, of which every thread has `tapes`: a piece for
// each of them, but 256 MiB at least and as much as LimitMallocHeapSize was set to. A launch that
// needs more ends the program, for its derivatives would be wrong.
class TapeMemory {
  public:
    TapeMemory(const dim3 &grid, const dim3 &block, std::size_t tapes)
    {
        const std::size_t threads =
            std::size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
        const std::size_t least = std::max(std::size_t(detail::device_limits()[LimitMallocHeapSize]),
                                           std::size_t(256) << 20);
        pool_.bytes = std::max(least, threads * tapes * detail::tape_bytes);
        while (detail::allocate(&pool_.memory, pool_.bytes) != Success)
            pool_.bytes /= 2; // perhaps not all threads fill their pieces
        detail::copy_bytes(detail::symbol_address(detail::tape_pool), &pool_, sizeof pool_,
                           MemcpyHostToDevice);
    }

    ~TapeMemory()
    {
        detail::copy_bytes(&pool_, detail::symbol_address(detail::tape_pool), sizeof pool_,
                           MemcpyDeviceToHost);
        if (pool_.used > pool_.bytes) {
            std::fprintf(stderr,
                         "g2o: the tapes of a launch take %zu bytes, LimitMallocHeapSize is %zu\n",
                         pool_.used, pool_.bytes);
            std::abort();
        }
        detail::release(pool_.memory);
    }

    TapeMemory(const TapeMemory &) = delete;
    TapeMemory &operator=(const TapeMemory &) = delete;

  private:
    detail::TapePool pool_ = {nullptr, 0, 0};
};

} // namespace types

#else

namespace types {

// What a forward sweep records and the reverse sweep reads back, last in first out. Its memory
// serves the next tape of the same OpenMP thread.
template <class T> class Tape {
  public:
    Tape()
    {
        if (std::vector<std::vector<T>> &spare = spares(); !spare.empty()) {
            values_.swap(spare.back());
            spare.pop_back();
        }
    }
    Tape(const Tape &) = delete;
    Tape &operator=(const Tape &) = delete;
    ~Tape()
    {
        values_.clear();
        spares().push_back(std::move(values_));
    }

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
    static std::vector<std::vector<T>> &spares()
    {
        static thread_local std::vector<std::vector<T>> vectors;
        return vectors;
    }

    std::vector<T> values_;
};

template <class T> using ChunkTape = Tape<T>; // in a source for CPUs and devices

// On a CPU tapes have no memory that would have to be there before.
class TapeMemory {
  public:
    TapeMemory(const dim3 &, const dim3 &, std::size_t) {}
    ~TapeMemory() {}
};

// One thread's own copy of an array that all threads add to, from 0. It is added to the array when
// it goes: elements that nothing was added to are left alone, they need not exist. Its elements
// consist of numbers of type Number.
template <class T, class Number = T> class PrivateSums {
  public:
    PrivateSums(T *array, std::ptrdiff_t count)
        : array_(array), sums_(count > 0 ? std::size_t(count) : 0)
    {
        std::fill_n(reinterpret_cast<Number *>(sums_.data()), numbers(), Number());
    }
    PrivateSums(const PrivateSums &) = delete;
    PrivateSums &operator=(const PrivateSums &) = delete;
    ~PrivateSums()
    {
        const std::size_t count = numbers();
        Number *const to = reinterpret_cast<Number *>(array_);
        const Number *const from = reinterpret_cast<const Number *>(sums_.data());
#pragma omp critical(g2o_private_sums)
        for (std::size_t k = 0; k < count; ++k)
            if (from[k] != Number())
                to[k] += from[k];
    }

    T &operator[](std::ptrdiff_t k) { return sums_[std::size_t(k)]; }

  private:
    std::size_t numbers() const { return sums_.size() * (sizeof(T) / sizeof(Number)); }

    T *array_;
    std::vector<T> sums_;
};

} // namespace types

#endif

namespace types {

// Which thread of a launch has put the minimum or maximum of a place there. Of equal numbers that
// of the first thread stays, of its own the last one; the number that was there before stays only
// where it is better than all others. So the winner does not depend on who came first.
//
// An operation gives its turn: holds() says of it, when all threads are done, whether it has won.
// With a shadow, the winner's tangent goes there.
class Winners {
  public:
    Winners() = default;
    Winners(const Winners &) = delete;
    Winners &operator=(const Winners &) = delete;

    template <class T, class U> unsigned atomic_min(T *address, U value, std::size_t thread)
    {
        return put(address, T(value), thread, [](T one, T other) { return one < other; }, [] {});
    }

    template <class T, class U, class D, class V>
    unsigned atomic_min(T *address, U value, std::size_t thread, D *shadow, V tangent)
    {
        return put(address, T(value), thread, [](T one, T other) { return one < other; },
                   [=] { *shadow = D(tangent); });
    }

    template <class T, class U> unsigned atomic_max(T *address, U value, std::size_t thread)
    {
        return put(address, T(value), thread, [](T one, T other) { return other < one; }, [] {});
    }

    template <class T, class U, class D, class V>
    unsigned atomic_max(T *address, U value, std::size_t thread, D *shadow, V tangent)
    {
        return put(address, T(value), thread, [](T one, T other) { return other < one; },
                   [=] { *shadow = D(tangent); });
    }

    // The order is that of the bits, as integers of type Bits.
    template <class Bits, class T, class U, class... Tangent>
    unsigned atomic_min_as(T *address, U value, std::size_t thread, Tangent... tangent)
    {
        return put(address, T(value), thread, by_bits<Bits, T>, set(tangent...));
    }

    template <class Bits, class T, class U, class... Tangent>
    unsigned atomic_max_as(T *address, U value, std::size_t thread, Tangent... tangent)
    {
        return put(address, T(value), thread,
                   [](T one, T other) { return by_bits<Bits, T>(other, one); }, set(tangent...));
    }

    bool holds(unsigned turn) const
    {
        return turn != 0 && places_.find(addresses_[turn - 1])->second.turn == turn;
    }

  private:
    struct Place {
        std::size_t thread;
        unsigned turn;
    };

    template <class Bits, class T> static bool by_bits(T one, T other)
    {
        return detail::same_bits<Bits>(one) < detail::same_bits<Bits>(other);
    }

    static auto set()
    {
        return [] {};
    }

    template <class D, class V> static auto set(D *shadow, V tangent)
    {
        return [=] { *shadow = D(tangent); };
    }

    template <class T, class Better, class Won>
    unsigned put(T *address, T value, std::size_t thread, Better better, Won won)
    {
        T old;
        __atomic_load(address, &old, __ATOMIC_RELAXED);
        if (!better(value, old) && better(old, value))
            return 0;
        unsigned turn = 0;
#pragma omp critical(g2o_winners)
        {
            __atomic_load(address, &old, __ATOMIC_RELAXED);
            const bool equal = value == old && !better(value, old) && !better(old, value);
            const auto found = places_.find(address);
            const bool first = found == places_.end() || thread <= found->second.thread;
            if (better(value, old) || (equal && first)) {
                addresses_.push_back(address);
                turn = unsigned(addresses_.size());
                places_[address] = {thread, turn};
                __atomic_store(address, &value, __ATOMIC_RELAXED);
                won();
            }
        }
        return turn;
    }

    std::vector<const void *> addresses_; // of each turn that was the best so far
    std::unordered_map<const void *, Place> places_;
};

} // namespace types

// ---- warps --------------------------------------------------------------------------------------

constexpr int warp_size = 32;

namespace detail {

template <class T> class BoundValue {
    std::remove_const_t<T> value_;

public:
    void operator=(const T &value) { value_ = value; }
    T &operator*() { return value_; }
};

template <class T> class BoundPlace {
    T *place_;

public:
    void operator=(T &place) { place_ = &place; }
    T &operator*() const { return *place_; }
};

template <class T, class Place>
using PlaceOf = std::conditional_t<std::is_const_v<T>, const Place, Place>;

template <class T, class Expression>
constexpr bool is_place_of =
    std::is_lvalue_reference_v<Expression> &&
    std::is_convertible_v<std::remove_reference_t<Expression> *, const volatile T *>;

} // namespace detail

/// What `const T &r = expression;` keeps for a thread: where the object is, or the value of an
/// expression that makes one, as `decltype((expression))` says.
template <class T, class Expression>
using bound = std::conditional_t<
    detail::is_place_of<T, Expression>,
    detail::BoundPlace<detail::PlaceOf<T, std::remove_reference_t<Expression>>>,
    detail::BoundValue<T>>;
constexpr int most_warps = 32; // of a block

// A thread's place in its warp, and its warp's place in the block.
constexpr int lane_of(int thread) { return thread % warp_size; }
constexpr int warp_of(int thread) { return thread / warp_size; }

// The lane that a lane reads from. A warp falls into segments of `width` lanes (a power of two); a
// lane that would read from outside its segment reads from itself, but shfl wraps around.
constexpr int shfl_lane(int lane, int source, int width = warp_size)
{
    return (lane & ~(width - 1)) | (source & (width - 1));
}

// Of `delta` and `mask`, shuffles take the low five bits.
constexpr int shfl_up_lane(int lane, unsigned delta, int width = warp_size)
{
    delta &= warp_size - 1;
    return unsigned(lane & (width - 1)) >= delta ? lane - int(delta) : lane;
}

constexpr int shfl_down_lane(int lane, unsigned delta, int width = warp_size)
{
    delta &= warp_size - 1;
    return unsigned(lane & (width - 1)) + delta < unsigned(width) ? lane + int(delta) : lane;
}

// Reads from an earlier segment are allowed, reads from a later one are not.
constexpr int shfl_xor_lane(int lane, int mask, int width = warp_size)
{
    const int source = lane ^ (mask & (warp_size - 1));
    return source < (lane & ~(width - 1)) + width ? source : lane;
}

// How many lanes of a set of lanes come before `lane`.
constexpr int rank_in(unsigned lanes, int lane)
{
    int rank = 0;
    for (unsigned before = lanes & ((1u << lane) - 1); before != 0; before &= before - 1)
        ++rank;
    return rank;
}

// The bits of a set of lanes, without gaps.
constexpr unsigned packed(unsigned bits, unsigned lanes)
{
    unsigned found = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        if ((lanes & bits) >> lane & 1)
            found |= 1u << rank_in(lanes, lane);
    }
    return found;
}

// The lane with that rank in a set of lanes; `lane` itself where there is none.
constexpr int member_of(unsigned lanes, int rank, int lane)
{
    for (int member = 0; member < warp_size; ++member) {
        if ((lanes >> member & 1) != 0 && rank-- == 0)
            return member;
    }
    return lane;
}

// The values of a set of lanes, one behind the other.
template <class T> std::array<T, warp_size> values_of(const T *values, unsigned lanes)
{
    std::array<T, warp_size> members{};
    int count = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1) != 0)
            members[count++] = values[lane];
    }
    return members;
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

template <class P> int count(const P *predicates, int threads)
{
    return int(std::count_if(predicates, predicates + threads, [](P p) { return p != 0; }));
}

// One bit per lane that has the value of `lane`.
template <class T> unsigned match_any(const T *values, int lane, int lanes = warp_size)
{
    unsigned bits = 0;
    for (int other = 0; other < lanes; ++other)
        bits |= unsigned(values[other] == values[lane]) << other;
    return bits;
}

// All lanes if their values are the same, else none.
template <class T> unsigned match_all(const T *values, int lanes = warp_size)
{
    for (int other = 1; other < lanes; ++other)
        if (!(values[other] == values[0]))
            return 0;
    return 0xffffffffu >> (32 - lanes);
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

template <class T, class Combine> T reduce_with(const T *values, int lanes, Combine combine)
{
    return detail::reduce(values, lanes, combine);
}

// The first of the lanes `present` that has the smallest or the largest of their values.
template <class T> int reduce_argmin(const T *values, int lanes, unsigned present)
{
    int found = -1;
    for (int lane = 0; lane < lanes; ++lane) {
        if ((present >> lane & 1) != 0 && (found < 0 || values[lane] < values[found]))
            found = lane;
    }
    return found;
}

template <class T> int reduce_argmax(const T *values, int lanes, unsigned present)
{
    int found = -1;
    for (int lane = 0; lane < lanes; ++lane) {
        if ((present >> lane & 1) != 0 && (found < 0 || values[found] < values[lane]))
            found = lane;
    }
    return found;
}

template <class T> int reduce_argmin(const T *values, int lanes)
{
    int found = 0;
    for (int lane = 1; lane < lanes; ++lane) {
        if (values[lane] < values[found])
            found = lane;
    }
    return found;
}

template <class T> int reduce_argmax(const T *values, int lanes)
{
    int found = 0;
    for (int lane = 1; lane < lanes; ++lane) {
        if (values[found] < values[lane])
            found = lane;
    }
    return found;
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

// What the lanes up to one, or in front of it, combine to.
template <class T> T inclusive_scan_add(const T *values, int lane)
{
    return reduce_add(values, lane + 1);
}
template <class T> T inclusive_scan_min(const T *values, int lane)
{
    return reduce_min(values, lane + 1);
}
template <class T> T inclusive_scan_max(const T *values, int lane)
{
    return reduce_max(values, lane + 1);
}
template <class T> T inclusive_scan_and(const T *values, int lane)
{
    return reduce_and(values, lane + 1);
}
template <class T> T inclusive_scan_or(const T *values, int lane)
{
    return reduce_or(values, lane + 1);
}
template <class T> T inclusive_scan_xor(const T *values, int lane)
{
    return reduce_xor(values, lane + 1);
}
template <class T> T exclusive_scan_add(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_add(values, lane);
}
template <class T> T exclusive_scan_min(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_min(values, lane);
}
template <class T> T exclusive_scan_max(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_max(values, lane);
}
template <class T> T exclusive_scan_and(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_and(values, lane);
}
template <class T> T exclusive_scan_or(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_or(values, lane);
}
template <class T> T exclusive_scan_xor(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_xor(values, lane);
}

// The sum of one lane and those behind it, or of these alone: what a scan's adjoint adds up.
template <class T> T inclusive_scan_back_add(const T *values, int lane, int lanes)
{
    return reduce_add(values + lane, lanes - lane);
}
template <class T> T exclusive_scan_back_add(const T *values, int lane, int lanes)
{
    return lane + 1 == lanes ? T() : reduce_add(values + lane + 1, lanes - lane - 1);
}

// ================================================================================================
// 7. Arrays and textures
// ================================================================================================

// ---- three-dimensional memory -------------------------------------------------------------------

constexpr Extent make_extent(std::size_t width, std::size_t height, std::size_t depth)
{
    return {width, height, depth};
}

constexpr Pos make_pos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }

inline PitchedPtr make_pitched_ptr(void *pointer, std::size_t pitch, std::size_t xsize,
                                   std::size_t ysize)
{
    return {pointer, pitch, xsize, ysize};
}

// The width of an extent of plain memory counts bytes.
inline Error malloc_3d(PitchedPtr *memory, Extent extent)
{
    if (memory == nullptr)
        return detail::report(ErrorInvalidValue);
    *memory = {nullptr, 0, extent.width, extent.height};
    return malloc_pitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}

inline Error memset_3d(PitchedPtr memory, int value, Extent extent)
{
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char *slice = static_cast<char *>(memory.ptr) + z * memory.pitch * memory.ysize;
        const Error error = memset_2d(slice, memory.pitch, value, extent.width, extent.height);
        if (error != Success)
            return error;
    }
    return Success;
}

inline Error memset_3d_async(PitchedPtr memory, int value, Extent extent,
                             Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemset3DAsync");
    return memset_3d(memory, value, extent);
}

namespace detail {

constexpr std::size_t element_bytes(const ChannelFormatDesc &desc)
{
    return std::size_t(desc.x + desc.y + desc.z + desc.w) / CHAR_BIT;
}

constexpr std::size_t at_least_1(std::size_t n) { return n != 0 ? n : 1; }

// An array as plain memory.
inline PitchedPtr as_memory(Array array)
{
    const std::size_t row = array->extent.width * element_bytes(array->desc);
    return {array->data, row, row, at_least_1(array->extent.height)};
}

inline char *at(PitchedPtr memory, std::size_t x_bytes, std::size_t y, std::size_t z)
{
    return static_cast<char *>(memory.ptr) + (z * memory.ysize + y) * memory.pitch + x_bytes;
}

} // namespace detail

// Copies a box. Widths and positions along x count elements where an array takes part on that side,
// else bytes.
[[gnu::noinline]] inline Error memcpy_3d(const Memcpy3DParms *parameters)
{
    if (parameters == nullptr)
        return detail::report(ErrorInvalidValue);
    const Memcpy3DParms &p = *parameters;
    const std::size_t source_unit = p.srcArray ? detail::element_bytes(p.srcArray->desc) : 1;
    const std::size_t target_unit = p.dstArray ? detail::element_bytes(p.dstArray->desc) : 1;
    const PitchedPtr source = p.srcArray ? detail::as_memory(p.srcArray) : p.srcPtr;
    const PitchedPtr target = p.dstArray ? detail::as_memory(p.dstArray) : p.dstPtr;
    if (source.ptr == nullptr || target.ptr == nullptr)
        return detail::report(ErrorInvalidValue);
    const std::size_t width = p.extent.width * std::max(source_unit, target_unit);
    for (std::size_t z = 0; z < p.extent.depth; ++z) {
        const Error error = memcpy_2d(
            detail::at(target, p.dstPos.x * target_unit, p.dstPos.y, p.dstPos.z + z), target.pitch,
            detail::at(source, p.srcPos.x * source_unit, p.srcPos.y, p.srcPos.z + z), source.pitch,
            width, p.extent.height, p.kind);
        if (error != Success)
            return error;
    }
    return Success;
}

inline Error memcpy_3d_async(const Memcpy3DParms *parameters, Stream stream = nullptr)
{
    const Memcpy3DParms copy = *parameters;
    return detail::enqueue(stream, [copy] { return memcpy_3d(&copy); });
}

// ---- arrays -------------------------------------------------------------------------------------

namespace detail {

// Component type and number of components of a scalar or a vector type.
template <class T, class = void> struct vector_traits {
    using Component = T;
};

template <class T> struct vector_traits<T, std::void_t<decltype(T::x)>> {
    using Component = decltype(T::x);
};

template <class T> constexpr int components()
{
    return int(sizeof(T) / sizeof(typename vector_traits<T>::Component));
}

} // namespace detail

constexpr ChannelFormatDesc create_channel_desc(int x, int y, int z, int w, ChannelFormatKind kind)
{
    return {x, y, z, w, kind};
}

// The format of elements of type T.
template <class T> constexpr ChannelFormatDesc create_channel_desc()
{
    using Component = typename detail::vector_traits<T>::Component;
    constexpr int bits = int(CHAR_BIT * sizeof(Component));
    constexpr int n = detail::components<T>();
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            std::is_floating_point_v<Component> ? ChannelFormatKindFloat
            : std::is_signed_v<Component>       ? ChannelFormatKindSigned
                                                : ChannelFormatKindUnsigned};
}

inline Error malloc_3d_array(Array *array, const ChannelFormatDesc *desc, Extent extent,
                             unsigned flags = ArrayDefault)
{
    if (array == nullptr || desc == nullptr)
        return detail::report(ErrorInvalidValue);
    *array = nullptr;
    const std::size_t elements =
        extent.width * detail::at_least_1(extent.height) * detail::at_least_1(extent.depth);
    unsigned char *data = nullptr;
    const Error error = malloc(&data, elements * detail::element_bytes(*desc));
    if (error == Success)
        *array = new ArrayStorage{*desc, extent, flags, data};
    return error;
}

inline Error malloc_array(Array *array, const ChannelFormatDesc *desc, std::size_t width,
                          std::size_t height = 0, unsigned flags = ArrayDefault)
{
    return malloc_3d_array(array, desc, make_extent(width, height, 0), flags);
}

inline Error free_array(Array array)
{
    if (array != nullptr)
        g2o::free(array->data);
    delete array;
    return Success;
}

inline Error array_get_info(ChannelFormatDesc *desc, Extent *extent, unsigned *flags, Array array)
{
    if (array == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    if (desc != nullptr)
        *desc = array->desc;
    if (extent != nullptr)
        *extent = array->extent;
    if (flags != nullptr)
        *flags = array->flags;
    return Success;
}

// Copies rows of bytes into an array, `x_bytes` and `y` rows from its beginning.
inline Error memcpy_2d_to_array(Array target, std::size_t x_bytes, std::size_t y,
                                const void *source, std::size_t pitch, std::size_t width,
                                std::size_t height, MemcpyKind kind)
{
    if (target == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(target);
    return memcpy_2d(detail::at(memory, x_bytes, y, 0), memory.pitch, source, pitch, width, height,
                     kind);
}

inline Error memcpy_2d_to_array_async(Array target, std::size_t x_bytes, std::size_t y,
                                      const void *source, std::size_t pitch, std::size_t width,
                                      std::size_t height, MemcpyKind kind,
                                      Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpy2DToArrayAsync");
    return memcpy_2d_to_array(target, x_bytes, y, source, pitch, width, height, kind);
}

[[gnu::noinline]] inline Error memcpy_2d_from_array(void *target, std::size_t pitch,
                                                    ArrayConst source, std::size_t x_bytes,
                                                    std::size_t y, std::size_t width,
                                                    std::size_t height, MemcpyKind kind)
{
    if (source == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(const_cast<Array>(source));
    return memcpy_2d(target, pitch, detail::at(memory, x_bytes, y, 0), memory.pitch, width, height,
                     kind);
}

inline Error memcpy_2d_from_array_async(void *target, std::size_t pitch, ArrayConst source,
                                        std::size_t x_bytes, std::size_t y, std::size_t width,
                                        std::size_t height, MemcpyKind kind,
                                        Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpy2DFromArrayAsync");
    return memcpy_2d_from_array(target, pitch, source, x_bytes, y, width, height, kind);
}

// The same for bytes that follow each other.
inline Error memcpy_to_array(Array target, std::size_t x_bytes, std::size_t y, const void *source,
                             std::size_t bytes, MemcpyKind kind)
{
    if (target == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    return g2o::memcpy(detail::at(detail::as_memory(target), x_bytes, y, 0), source, bytes, kind);
}

[[gnu::noinline]] inline Error memcpy_from_array(void *target, ArrayConst source,
                                                 std::size_t x_bytes, std::size_t y,
                                                 std::size_t bytes, MemcpyKind kind)
{
    if (source == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(const_cast<Array>(source));
    return g2o::memcpy(target, detail::at(memory, x_bytes, y, 0), bytes, kind);
}

inline Error memcpy_to_array_async(Array target, std::size_t x_bytes, std::size_t y,
                                   const void *source, std::size_t bytes, MemcpyKind kind,
                                   Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpyToArrayAsync");
    return memcpy_to_array(target, x_bytes, y, source, bytes, kind);
}

inline Error memcpy_from_array_async(void *target, ArrayConst source, std::size_t x_bytes,
                                     std::size_t y, std::size_t bytes, MemcpyKind kind,
                                     Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpyFromArrayAsync");
    return memcpy_from_array(target, source, x_bytes, y, bytes, kind);
}

[[gnu::noinline]] inline Error
memcpy_2d_array_to_array(Array target, std::size_t target_x, std::size_t target_y,
                         ArrayConst source, std::size_t x_bytes, std::size_t y, std::size_t width,
                         std::size_t height, MemcpyKind kind = MemcpyDeviceToDevice)
{
    if (source == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(const_cast<Array>(source));
    return memcpy_2d_to_array(target, target_x, target_y, detail::at(memory, x_bytes, y, 0),
                              memory.pitch, width, height, kind);
}

// ---- textures -----------------------------------------------------------------------------------

namespace detail {

// The elements that a texture reads.
struct Image {
    const unsigned char *data;
    ChannelFormatDesc desc;
    std::size_t pitch; // bytes from row to row
    int width, height, depth;
};

struct Texture {
    Image image;
    ResourceDesc resource;
    TextureDesc sampling;
};

inline const Texture &texture(TextureObject object)
{
    return *reinterpret_cast<const Texture *>(object);
}

inline Image image_of(const ResourceDesc &resource)
{
    switch (resource.resType) {
    case ResourceTypeArray: {
        const ArrayStorage &a = *resource.res.array.array;
        return {a.data,
                a.desc,
                a.extent.width * element_bytes(a.desc),
                int(a.extent.width),
                int(at_least_1(a.extent.height)),
                int(at_least_1(a.extent.depth))};
    }
    case ResourceTypeLinear: {
        const auto &l = resource.res.linear;
        const std::size_t width = l.sizeInBytes / at_least_1(element_bytes(l.desc));
        return {
            static_cast<const unsigned char *>(l.devPtr), l.desc, l.sizeInBytes, int(width), 1, 1};
    }
    case ResourceTypePitch2D: {
        const auto &p = resource.res.pitch2D;
        return {static_cast<const unsigned char *>(p.devPtr),
                p.desc,
                p.pitchInBytes,
                int(p.width),
                int(p.height),
                1};
    }
    case ResourceTypeMipmappedArray: break;
    }
    return {};
}

// An element as four numbers.
struct Texel {
    float c[4];
};

inline float half_bits_to_float(std::uint16_t bits);

// Component `i` of an element as a number; normalised, it is scaled to [0, 1] or [-1, 1].
inline float component(const unsigned char *element, const ChannelFormatDesc &desc, int i,
                       bool normalised)
{
    const auto read = [=](auto value) {
        std::memcpy(&value, element + std::size_t(i) * sizeof value, sizeof value);
        if (!normalised)
            return float(value);
        return std::max(float(value) / float(std::numeric_limits<decltype(value)>::max()), -1.0f);
    };
    const bool is_signed = desc.f == ChannelFormatKindSigned;
    if (desc.f == ChannelFormatKindFloat && desc.x == 32) {
        float value;
        std::memcpy(&value, element + 4 * i, sizeof value);
        return value;
    }
    if (desc.f == ChannelFormatKindFloat) {
        std::uint16_t bits;
        std::memcpy(&bits, element + 2 * i, sizeof bits);
        return half_bits_to_float(bits);
    }
    switch (desc.x) {
    case 8: return is_signed ? read(std::int8_t()) : read(std::uint8_t());
    case 16: return is_signed ? read(std::int16_t()) : read(std::uint16_t());
    default: return is_signed ? read(std::int32_t()) : read(std::uint32_t());
    }
}

inline const unsigned char *element(const Image &image, int x, int y, int z)
{
    const std::size_t row = std::size_t(z) * std::size_t(image.height) + std::size_t(y);
    return image.data + row * image.pitch + std::size_t(x) * element_bytes(image.desc);
}

// The index along an axis of n elements that an index outside of it stands for; -1 for the border.
inline int addressed(int i, int n, TextureAddressMode mode, bool normalised)
{
    if (i >= 0 && i < n)
        return i;
    if (mode == AddressModeBorder)
        return -1;
    if (mode == AddressModeClamp || !normalised) // the other modes need normalised coordinates
        return i < 0 ? 0 : n - 1;
    const int period = mode == AddressModeWrap ? n : 2 * n;
    const int wrapped = (i % period + period) % period;
    return wrapped < n ? wrapped : period - 1 - wrapped;
}

// A texel as T. What T has beyond the format's components is 0.
template <class T> T from_texel(const Texel &texel)
{
    using Traits = vector_traits<T>;
    using Component = typename Traits::Component;
    Component parts[components<T>()];
    for (int i = 0; i < components<T>(); ++i)
        parts[i] = Component(texel.c[i]);
    T result;
    std::memcpy(&result, parts, sizeof result);
    return result;
}

inline Texel read_texel(const Image &image, const TextureDesc &sampling, int x, int y, int z)
{
    const bool normalised = sampling.normalizedCoords != 0;
    x = addressed(x, image.width, sampling.addressMode[0], normalised);
    y = addressed(y, image.height, sampling.addressMode[1], normalised);
    z = addressed(z, image.depth, sampling.addressMode[2], normalised);
    Texel texel = {};
    const int bits[4] = {image.desc.x, image.desc.y, image.desc.z, image.desc.w};
    for (int i = 0; i < 4 && bits[i] != 0; ++i) {
        texel.c[i] = x < 0 || y < 0 || z < 0
                         ? sampling.borderColor[i]
                         : component(element(image, x, y, z), image.desc, i,
                                     sampling.readMode == ReadModeNormalizedFloat);
    }
    return texel;
}

// Whether an element can be copied into a T as it is.
template <class T> bool is_stored_as(const Image &image, const TextureDesc &sampling)
{
    return sampling.readMode == ReadModeElementType && element_bytes(image.desc) == sizeof(T);
}

// The element that a point lies in.
template <class T>
T fetch_point(const Image &image, const TextureDesc &sampling, float x, float y, float z)
{
    const int i = int(floorf(x)), j = int(floorf(y)), k = int(floorf(z));
    if (!is_stored_as<T>(image, sampling))
        return from_texel<T>(read_texel(image, sampling, i, j, k));
    const bool normalised = sampling.normalizedCoords != 0;
    const int column = addressed(i, image.width, sampling.addressMode[0], normalised);
    const int row = addressed(j, image.height, sampling.addressMode[1], normalised);
    const int slice = addressed(k, image.depth, sampling.addressMode[2], normalised);
    if (column < 0 || row < 0 || slice < 0)
        return from_texel<T>(read_texel(image, sampling, i, j, k));
    T result;
    std::memcpy(&result, element(image, column, row, slice), sizeof result);
    return result;
}

// Interpolates between the centres of the elements around a point, in `dimensions` directions. (The
// hardware of GPUs rounds the weights to 8 bits; here they have the precision of float.)
template <class T>
T fetch_linear(const Image &image, const TextureDesc &sampling, int dimensions, float x, float y,
               float z)
{
    const float position[3] = {x - 0.5f, dimensions > 1 ? y - 0.5f : y,
                               dimensions > 2 ? z - 0.5f : z};
    int base[3];
    float fraction[3];
    for (int axis = 0; axis < 3; ++axis) {
        base[axis] = int(floorf(position[axis]));
        fraction[axis] = axis < dimensions ? position[axis] - float(base[axis]) : 0.0f;
    }
    Texel sum = {};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
        int index[3];
        float weight = 1.0f;
        for (int axis = 0; axis < 3; ++axis) {
            const int upper = corner >> axis & 1;
            index[axis] = base[axis] + upper;
            weight *= upper ? fraction[axis] : 1.0f - fraction[axis];
        }
        const Texel texel = read_texel(image, sampling, index[0], index[1], index[2]);
        for (int i = 0; i < 4; ++i)
            sum.c[i] += weight * texel.c[i];
    }
    return from_texel<T>(sum);
}

template <class T>
T fetch(const Image &image, const TextureDesc &sampling, int dimensions, float x, float y, float z)
{
    if (sampling.normalizedCoords != 0) {
        x *= float(image.width);
        y *= dimensions > 1 ? float(image.height) : 1.0f;
        z *= dimensions > 2 ? float(image.depth) : 1.0f;
    }
    return sampling.filterMode == FilterModePoint
               ? fetch_point<T>(image, sampling, x, y, z)
               : fetch_linear<T>(image, sampling, dimensions, x, y, z);
}

// An element of linear memory by its index; 0 outside.
template <class T> T fetch_index(const Image &image, const TextureDesc &sampling, int i)
{
    if (i < 0 || i >= image.width)
        return T{};
    if (!is_stored_as<T>(image, sampling))
        return from_texel<T>(read_texel(image, sampling, i, 0, 0));
    T result;
    std::memcpy(&result, image.data + std::size_t(i) * sizeof(T), sizeof result);
    return result;
}

} // namespace detail

inline Error create_texture_object(TextureObject *object, const ResourceDesc *resource,
                                   const TextureDesc *sampling, const void * /*view*/ = nullptr)
{
    if (object == nullptr || resource == nullptr || sampling == nullptr)
        return detail::report(ErrorInvalidValue);
    *object = 0;
    const bool is_array = resource->resType == ResourceTypeArray;
    if (is_array && resource->res.array.array == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const detail::Image image = detail::image_of(*resource);
    if (image.data == nullptr)
        return detail::report(ErrorInvalidValue);
    const detail::Texture described{image, *resource, *sampling};
    detail::Texture *texture = nullptr; // kernels read it, too
    const Error error = malloc(&texture, sizeof described);
    if (error != Success)
        return error;
    detail::copy_bytes(texture, &described, sizeof described, MemcpyHostToDevice);
    *object = reinterpret_cast<TextureObject>(texture);
    return Success;
}

inline Error destroy_texture_object(TextureObject object)
{
    return g2o::free(reinterpret_cast<detail::Texture *>(object));
}

inline Error get_texture_object_resource_desc(ResourceDesc *resource, TextureObject object)
{
    detail::Texture described;
    const auto *const texture = reinterpret_cast<const detail::Texture *>(object);
    detail::copy_bytes(&described, texture, sizeof described, MemcpyDeviceToHost);
    *resource = described.resource;
    return Success;
}

template <class T> T tex1Dfetch(TextureObject object, int i)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch_index<T>(t.image, t.sampling, i);
}

template <class T> T tex1D(TextureObject object, float x)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 1, x, 0.0f, 0.0f);
}

template <class T> T tex2D(TextureObject object, float x, float y)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 2, x, y, 0.0f);
}

template <class T> T tex3D(TextureObject object, float x, float y, float z)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 3, x, y, z);
}

// The same with the place for the result in front.
template <class T> void tex1Dfetch(T *result, TextureObject object, int i)
{
    *result = tex1Dfetch<T>(object, i);
}
template <class T> void tex1D(T *result, TextureObject object, float x)
{
    *result = tex1D<T>(object, x);
}
template <class T> void tex2D(T *result, TextureObject object, float x, float y)
{
    *result = tex2D<T>(object, x, y);
}
template <class T> void tex3D(T *result, TextureObject object, float x, float y, float z)
{
    *result = tex3D<T>(object, x, y, z);
}

template <class T> T tex2DLayered(TextureObject object, float x, float y, int layer)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 2, x, y, float(layer));
}

template <class T> T tex1DLayered(TextureObject object, float x, int layer)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 1, x, 0.0f, float(layer));
}

// Arrays here have one level of detail, which every level asked for means.
template <class T> T tex1DLod(TextureObject object, float x, float /*level*/)
{
    return tex1D<T>(object, x);
}
template <class T> T tex2DLod(TextureObject object, float x, float y, float /*level*/)
{
    return tex2D<T>(object, x, y);
}
template <class T> T tex3DLod(TextureObject object, float x, float y, float z, float /*level*/)
{
    return tex3D<T>(object, x, y, z);
}

// ---- surfaces -----------------------------------------------------------------------------------

// Arrays that kernels read and write by position. Positions along x count bytes.
inline Error create_surface_object(SurfaceObject *object, const ResourceDesc *resource)
{
    if (object == nullptr || resource == nullptr || resource->resType != ResourceTypeArray)
        return detail::report(ErrorInvalidValue);
    const TextureDesc sampling = {};
    return create_texture_object(object, resource, &sampling);
}

inline Error destroy_surface_object(SurfaceObject object) { return destroy_texture_object(object); }

namespace detail {

// Where an access of `bytes` bytes takes place; null where it does not.
inline unsigned char *surface_address(SurfaceObject object, std::size_t bytes, int x_bytes, int y,
                                      int z, SurfaceBoundaryMode mode)
{
    const Image &image = texture(object).image;
    const int columns = int(image.pitch / bytes);
    int x = x_bytes < 0 ? -1 : x_bytes / int(bytes);
    const bool is_inside = x >= 0 && x < columns && y >= 0 && y < image.height && z >= 0 &&
                           z < image.depth;
    if (!is_inside && mode == BoundaryModeTrap)
        __builtin_trap();
    if (!is_inside && mode == BoundaryModeZero)
        return nullptr;
    x = std::min(std::max(x, 0), columns - 1);
    y = std::min(std::max(y, 0), image.height - 1);
    z = std::min(std::max(z, 0), image.depth - 1);
    const std::size_t row = std::size_t(z) * std::size_t(image.height) + std::size_t(y);
    return const_cast<unsigned char *>(image.data) + row * image.pitch + std::size_t(x) * bytes;
}

template <class T>
T surface_read(SurfaceObject object, int x, int y, int z, SurfaceBoundaryMode mode)
{
    T value = {};
    if (const unsigned char *place = surface_address(object, sizeof(T), x, y, z, mode))
        std::memcpy(&value, place, sizeof value);
    return value;
}

template <class T>
void surface_write(const T &value, SurfaceObject object, int x, int y, int z,
                   SurfaceBoundaryMode mode)
{
    if (unsigned char *place = surface_address(object, sizeof(T), x, y, z, mode))
        std::memcpy(place, &value, sizeof value);
}

} // namespace detail

template <class T>
T surf1Dread(SurfaceObject object, int x, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, 0, 0, mode);
}

template <class T>
T surf2Dread(SurfaceObject object, int x, int y, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, y, 0, mode);
}

template <class T>
T surf3Dread(SurfaceObject object, int x, int y, int z, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, y, z, mode);
}

template <class T>
T surf2DLayeredread(SurfaceObject object, int x, int y, int layer,
                    SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, y, layer, mode);
}

// The same with the place for the result in front.
template <class T>
void surf1Dread(T *result, SurfaceObject object, int x, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf1Dread<T>(object, x, mode);
}
template <class T>
void surf2Dread(T *result, SurfaceObject object, int x, int y,
                SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf2Dread<T>(object, x, y, mode);
}
template <class T>
void surf3Dread(T *result, SurfaceObject object, int x, int y, int z,
                SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf3Dread<T>(object, x, y, z, mode);
}
template <class T>
void surf2DLayeredread(T *result, SurfaceObject object, int x, int y, int layer,
                       SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf2DLayeredread<T>(object, x, y, layer, mode);
}

template <class T>
void surf1Dwrite(T value, SurfaceObject object, int x, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, 0, 0, mode);
}
template <class T>
void surf2Dwrite(T value, SurfaceObject object, int x, int y,
                 SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, y, 0, mode);
}
template <class T>
void surf3Dwrite(T value, SurfaceObject object, int x, int y, int z,
                 SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, y, z, mode);
}
template <class T>
void surf2DLayeredwrite(T value, SurfaceObject object, int x, int y, int layer,
                        SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, y, layer, mode);
}

// ---- texture references -------------------------------------------------------------------------

// A texture at namespace scope, of CUDA before version 12. What the program sets in it counts from
// the time that memory is bound to it; then the device gets a copy of it.
struct TextureReference {
    int normalized;
    TextureFilterMode filterMode;
    TextureAddressMode addressMode[3];
    ChannelFormatDesc channelDesc;
    TextureReadMode readMode;
    detail::Texture bound;
};

template <class T, int Dimensions = 1, TextureReadMode Mode = ReadModeElementType>
struct texture : TextureReference {
    texture(int normalized = 0, TextureFilterMode filter = FilterModePoint,
            TextureAddressMode address = AddressModeClamp)
        : TextureReference{normalized, filter, {address, address, address},
                           create_channel_desc<T>(), Mode, {}}
    {
    }
};

namespace detail {

// Kernels see what the host has set.
inline void show_to_kernels([[maybe_unused]] const TextureReference &reference)
{
#ifdef G2O_OFFLOAD
    copy_bytes(symbol_address(reference), &reference, sizeof reference, MemcpyHostToDevice);
#endif
}

inline Error bind(TextureReference &reference, const ResourceDesc &resource)
{
    const Image image = image_of(resource);
    if (image.data == nullptr)
        return report(ErrorInvalidValue);
    TextureDesc sampling = {};
    std::copy_n(reference.addressMode, 3, sampling.addressMode);
    sampling.filterMode = reference.filterMode;
    sampling.readMode = reference.readMode;
    sampling.normalizedCoords = reference.normalized;
    reference.bound = {image, resource, sampling};
    show_to_kernels(reference);
    return Success;
}

// What a fetch gives: the element, or its components scaled to [0, 1] or [-1, 1].
template <class T, TextureReadMode Mode> struct Fetched {
    using type = T;
};

template <class T> struct Fetched<T, ReadModeNormalizedFloat> {
    using type = std::conditional_t<components<T>() == 1, float,
                                    std::conditional_t<components<T>() == 2, float2, float4>>;
};

template <class T, TextureReadMode Mode> using fetched_t = typename Fetched<T, Mode>::type;

} // namespace detail

inline Error bind_texture(std::size_t *offset, TextureReference &reference, const void *pointer,
                          const ChannelFormatDesc &desc, std::size_t bytes = INT_MAX)
{
    if (offset != nullptr)
        *offset = 0;
    ResourceDesc resource = {};
    resource.resType = ResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(pointer);
    resource.res.linear.desc = desc;
    resource.res.linear.sizeInBytes = std::min(bytes, std::size_t(INT_MAX));
    return detail::bind(reference, resource);
}

inline Error bind_texture(std::size_t *offset, TextureReference &reference, const void *pointer,
                          std::size_t bytes = INT_MAX)
{
    return bind_texture(offset, reference, pointer, reference.channelDesc, bytes);
}

inline Error bind_texture(std::size_t *offset, TextureReference *reference, const void *pointer,
                          const ChannelFormatDesc *desc, std::size_t bytes = INT_MAX)
{
    return bind_texture(offset, *reference, pointer, *desc, bytes);
}

inline Error bind_texture_2d(std::size_t *offset, TextureReference &reference, const void *pointer,
                             const ChannelFormatDesc &desc, std::size_t width, std::size_t height,
                             std::size_t pitch)
{
    if (offset != nullptr)
        *offset = 0;
    ResourceDesc resource = {};
    resource.resType = ResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void *>(pointer), desc, width, height, pitch};
    return detail::bind(reference, resource);
}

inline Error bind_texture_2d(std::size_t *offset, TextureReference &reference, const void *pointer,
                             std::size_t width, std::size_t height, std::size_t pitch)
{
    return bind_texture_2d(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}

inline Error bind_texture_to_array(TextureReference &reference, ArrayConst array)
{
    if (array == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    ResourceDesc resource = {};
    resource.resType = ResourceTypeArray;
    resource.res.array.array = const_cast<Array>(array);
    return detail::bind(reference, resource);
}

inline Error bind_texture_to_array(TextureReference &reference, ArrayConst array,
                                   const ChannelFormatDesc & /*desc*/)
{
    return bind_texture_to_array(reference, array);
}

inline Error bind_texture_to_array(TextureReference *reference, ArrayConst array,
                                   const ChannelFormatDesc * /*desc*/)
{
    return bind_texture_to_array(*reference, array);
}

inline Error unbind_texture(TextureReference &reference)
{
    reference.bound = {};
    detail::show_to_kernels(reference);
    return Success;
}

inline Error unbind_texture(TextureReference *reference) { return unbind_texture(*reference); }

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex1Dfetch(const texture<T, Dimensions, Mode> &t, int i)
{
    return detail::fetch_index<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, i);
}

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex1D(const texture<T, Dimensions, Mode> &t, float x)
{
    return detail::fetch<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, 1, x, 0, 0);
}

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex2D(const texture<T, Dimensions, Mode> &t, float x, float y)
{
    return detail::fetch<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, 2, x, y, 0);
}

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex3D(const texture<T, Dimensions, Mode> &t, float x, float y, float z)
{
    return detail::fetch<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, 3, x, y, z);
}

// ================================================================================================
// 8. Random numbers for kernels
// ================================================================================================

// The generators are those of the papers. Seeds and sequences are spread in a way of their own, so
// the numbers are as good as cuRAND's but not the same.

namespace types {

// The second of a pair of normal numbers, kept for the next call.
struct NormalCache {
    bool full = false, full_double = false;
    float value = 0.0f;
    double value_double = 0.0;
};

// Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, section 3.1: a xorshift
// generator of 160 bits plus a counter.
struct curandStateXORWOW {
    unsigned x, y, z, w, v, counter;
    NormalCache normal;
};

// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011:
// Philox4x32-10.
struct curandStatePhilox4_32_10 {
    unsigned count[4]; // block number (64 bits), sequence (64 bits)
    unsigned key[2];
    unsigned block[4]; // the numbers of the current block
    unsigned used;     // how many of them were handed out
    NormalCache normal;
};

using curandStateXORWOW_t = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

} // namespace types

// 32 random bits.
inline unsigned curand(curandStateXORWOW *state)
{
    const unsigned t = state->x ^ state->x >> 2;
    state->x = state->y;
    state->y = state->z;
    state->z = state->w;
    state->w = state->v;
    state->v = (state->v ^ state->v << 4) ^ (t ^ t << 1);
    state->counter += 362437;
    return state->v + state->counter;
}

namespace detail {

// A bijection that leaves no pattern of its argument (the finaliser of SplitMix64: Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
constexpr unsigned long long scramble(unsigned long long z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// The four numbers that belong to a counter and a key.
inline void philox_block(const unsigned counter[4], const unsigned key[2], unsigned result[4])
{
    unsigned c[4] = {counter[0], counter[1], counter[2], counter[3]};
    unsigned k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; ++round) {
        const unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
        const unsigned next[4] = {unsigned(b >> 32) ^ c[1] ^ k[0], unsigned(b),
                                  unsigned(a >> 32) ^ c[3] ^ k[1], unsigned(a)};
        std::copy(next, next + 4, c);
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    std::copy(c, c + 4, result);
}

} // namespace detail

inline unsigned curand(curandStatePhilox4_32_10 *state)
{
    if (state->used == 4) {
        if (++state->count[0] == 0)
            ++state->count[1];
        detail::philox_block(state->count, state->key, state->block);
        state->used = 0;
    }
    return state->block[state->used++];
}

// Starts the stream `sequence` of a seed at its number `offset`. (XORWOW: far offsets start a
// stream of their own, for there is no cheap way to the middle of a stream.)
inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStateXORWOW *state)
{
    constexpr unsigned long long near = 1 << 16, golden = 0x9e3779b97f4a7c15;
    unsigned long long mixed = detail::scramble(seed + golden);
    mixed = detail::scramble(mixed + sequence * golden);
    mixed = detail::scramble(mixed + offset / near * golden);
    const auto word = [mixed](unsigned k) {
        return unsigned(detail::scramble(mixed + k * golden) >> 32);
    };
    *state = {word(1), word(2), word(3), word(4), word(5), word(6), {}};
    for (unsigned long long i = 0; i < offset % near; ++i)
        curand(state);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStatePhilox4_32_10 *state)
{
    const unsigned long long block = offset / 4;
    *state = {
        {unsigned(block), unsigned(block >> 32), unsigned(sequence), unsigned(sequence >> 32)},
        {unsigned(seed), unsigned(seed >> 32)},
        {},
        unsigned(offset % 4),
        {}};
    detail::philox_block(state->count, state->key, state->block);
}

// Leaves out `count` numbers.
inline void skipahead(unsigned long long count, curandStateXORWOW *state)
{
    while (count-- > 0)
        curand(state);
}

inline void skipahead(unsigned long long count, curandStatePhilox4_32_10 *state)
{
    const unsigned long long block = (unsigned long long)(state->count[1]) << 32 | state->count[0];
    const unsigned long long position = block * 4 + state->used + count;
    state->count[0] = unsigned(position / 4);
    state->count[1] = unsigned(position / 4 >> 32);
    state->used = unsigned(position % 4);
    detail::philox_block(state->count, state->key, state->block);
}

// Uniform on (0, 1].
template <class State> float curand_uniform(State *state)
{
    constexpr float unit = 1.0f / 4294967296.0f;
    return float(curand(state)) * unit + unit / 2;
}

template <class State> double curand_uniform_double(State *state)
{
    const unsigned long long high = curand(state) >> 5, low = curand(state) >> 6;
    return double((high << 26 | low) + 1) / 9007199254740992.0; // 53 bits
}

// Two independent numbers of the standard normal distribution (Box and Muller 1958).
template <class State> float2 curand_normal2(State *state)
{
    const float radius = sqrtf(-2.0f * logf(curand_uniform(state)));
    const float angle = float(2.0 * detail::pi) * curand_uniform(state);
    return {radius * sinf(angle), radius * cosf(angle)};
}

template <class State> double2 curand_normal2_double(State *state)
{
    const double radius = sqrt(-2.0 * log(curand_uniform_double(state)));
    const double angle = 2.0 * detail::pi * curand_uniform_double(state);
    return {radius * sin(angle), radius * cos(angle)};
}

template <class State> float curand_normal(State *state)
{
    NormalCache &cache = state->normal;
    cache.full = !cache.full;
    if (!cache.full)
        return cache.value;
    const float2 pair = curand_normal2(state);
    cache.value = pair.y;
    return pair.x;
}

template <class State> double curand_normal_double(State *state)
{
    NormalCache &cache = state->normal;
    cache.full_double = !cache.full_double;
    if (!cache.full_double)
        return cache.value_double;
    const double2 pair = curand_normal2_double(state);
    cache.value_double = pair.y;
    return pair.x;
}

template <class State> float curand_log_normal(State *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}

template <class State> double curand_log_normal_double(State *state, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(state));
}

// Four numbers at once.
template <class State> uint4 curand4(State *state)
{
    const unsigned a = curand(state), b = curand(state), c = curand(state);
    return {a, b, c, curand(state)};
}

template <class State> float4 curand_uniform4(State *state)
{
    const float a = curand_uniform(state), b = curand_uniform(state), c = curand_uniform(state);
    return {a, b, c, curand_uniform(state)};
}

template <class State> float4 curand_normal4(State *state)
{
    const float2 a = curand_normal2(state), b = curand_normal2(state);
    return {a.x, a.y, b.x, b.y};
}

template <class State> double2 curand_uniform2_double(State *state)
{
    const double a = curand_uniform_double(state);
    return {a, curand_uniform_double(state)};
}

template <class State> double4 curand_uniform4_double(State *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return {a.x, a.y, b.x, b.y};
}

template <class State> double4 curand_normal4_double(State *state)
{
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return {a.x, a.y, b.x, b.y};
}

template <class State> float2 curand_log_normal2(State *state, float mean, float deviation)
{
    const float2 a = curand_normal2(state);
    return {expf(mean + deviation * a.x), expf(mean + deviation * a.y)};
}

template <class State> float4 curand_log_normal4(State *state, float mean, float deviation)
{
    const float2 a = curand_log_normal2(state, mean, deviation);
    const float2 b = curand_log_normal2(state, mean, deviation);
    return {a.x, a.y, b.x, b.y};
}

// Poisson distribution. Small rates count exponential waiting times; large ones take the
// transformed rejection PTRS of Hörmann, Insurance: Mathematics and Economics 12, 1993.
template <class State> unsigned curand_poisson(State *state, double rate)
{
    if (rate < 10.0) {
        const double limit = exp(-rate);
        unsigned count = 0;
        for (double product = curand_uniform_double(state); product > limit; ++count)
            product *= curand_uniform_double(state);
        return count;
    }
    const double b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2.0);
    for (;;) {
        const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
        const double us = 0.5 - fabs(u);
        const double k = floor((2.0 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= squeeze)
            return unsigned(k);
        if (k < 0.0 || (us < 0.013 && v > us))
            continue;
        const double accepted = log(v * inverse_alpha / (a / (us * us) + b));
        if (accepted <= -rate + k * log(rate) - lgamma(k + 1.0))
            return unsigned(k);
    }
}

// ---- arrays of random numbers -------------------------------------------------------------------

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
};

// All of them are Philox4x32-10 here, each with a key of its own.
enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};

enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102
};

struct curandGeneratorState {
    unsigned long long seed;
    unsigned long long position; // of the next number in the sequence
    MemcpyKind kind;             // of a copy to the arrays that it fills
};

using curandStatus_t = curandStatus;
using curandRngType_t = curandRngType;
using curandOrdering_t = curandOrdering;
using curandGenerator_t = curandGeneratorState *;

namespace detail {

// Fills an array with numbers, each of which `draw` takes from a stream of its own.
template <class T, class F>
curandStatus_t fill_at_random(curandGenerator_t generator, T *array, std::size_t count, F draw)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (array == nullptr && count > 0)
        return CURAND_STATUS_OUT_OF_RANGE;
    constexpr std::size_t most = std::size_t(1) << 20;
    std::vector<T> numbers(std::min(count, most));
    for (std::size_t begin = 0; begin < count; begin += numbers.size()) {
        const std::size_t part = std::min(count - begin, most);
#pragma omp parallel for
        for (std::size_t i = 0; i < part; ++i) {
            curandStatePhilox4_32_10 state;
            curand_init(generator->seed, generator->position + begin + i, 0, &state);
            numbers[i] = draw(&state);
        }
        copy_bytes(array + begin, numbers.data(), part * sizeof(T), generator->kind);
    }
    generator->position += count;
    return CURAND_STATUS_SUCCESS;
}

} // namespace detail

inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    *generator = new curandGeneratorState{(unsigned long long)(type) << 32, 0, MemcpyHostToDevice};
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    *generator = new curandGeneratorState{(unsigned long long)(type) << 32, 0, MemcpyHostToHost};
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    generator->position = 0;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                               unsigned long long offset)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->position = offset;
    return CURAND_STATUS_SUCCESS;
}

// Numbers come in one order, and at once.
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                 curandOrdering_t /*order*/)
{
    return generator != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, Stream /*stream*/)
{
    return generator != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    return generator != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

inline curandStatus_t curandGetVersion(int *version)
{
    *version = 10300;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *array,
                                     std::size_t count)
{
    return detail::fill_at_random(generator, array, count,
                                  [](auto *state) { return curand(state); });
}

inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *array,
                                            std::size_t count)
{
    return detail::fill_at_random(generator, array, count,
                                  [](auto *state) { return curand_uniform(state); });
}

inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *array,
                                                  std::size_t count)
{
    return detail::fill_at_random(generator, array, count,
                                  [](auto *state) { return curand_uniform_double(state); });
}

inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *array,
                                           std::size_t count, float mean, float deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return mean + deviation * curand_normal(state);
    });
}

inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *array,
                                                 std::size_t count, double mean, double deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return mean + deviation * curand_normal_double(state);
    });
}

inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *array,
                                              std::size_t count, float mean, float deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return curand_log_normal(state, mean, deviation);
    });
}

inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *array,
                                                    std::size_t count, double mean,
                                                    double deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return curand_log_normal_double(state, mean, deviation);
    });
}

inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *array,
                                            std::size_t count, double rate)
{
    return detail::fill_at_random(generator, array, count,
                                  [=](auto *state) { return curand_poisson(state, rate); });
}

// ================================================================================================
// 9. Floats of 16 and 8 bits
// ================================================================================================

// Storage formats: every operation is done in float and its result rounded.

namespace detail {

// IEEE binary16 from a float, rounded to nearest even.
inline std::uint16_t float_to_half_bits(float value)
{
    const unsigned bits = float_as_uint(value), sign = bits >> 16 & 0x8000,
                   magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) // NaN
        return 0x7fff;
    if (magnitude >= 0x477ff000) // rounds to 65536 or more
        return std::uint16_t(sign | 0x7c00);
    if (magnitude < 0x38800000) { // subnormal: adding 0.5 leaves units of 2^-24 in the last bits
        const float shifted = uint_as_float(magnitude) + 0.5f;
        return std::uint16_t(sign | (float_as_uint(shifted) - 0x3f000000));
    }
    const unsigned rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return std::uint16_t(sign | ((rounded - 0x38000000) >> 13));
}

inline float half_bits_to_float(std::uint16_t bits)
{
    const unsigned sign = unsigned(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00) // infinity and NaN
        return uint_as_float(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude < 0x400) // subnormal
        return copysignf(float(magnitude) / 16777216.0f, uint_as_float(sign | 0x3f800000));
    return uint_as_float(sign | ((magnitude << 13) + 0x38000000));
}

// The upper half of a float, rounded to nearest even.
inline std::uint16_t float_to_bfloat16_bits(float value)
{
    const unsigned bits = float_as_uint(value);
    if (value != value)
        return 0x7fff;
    return std::uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float bfloat16_bits_to_float(std::uint16_t bits)
{
    return uint_as_float(unsigned(bits) << 16);
}

template <class T>
constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;

} // namespace detail

// clang-format off
// A 16-bit type `Name`, the pair `Pair` of it, their bits and the operators on them.
#define G2O_HALF_TYPE(Name, Pair, to_bits, to_float)                                               \
    struct Name##_raw {                                                                            \
        std::uint16_t x;                                                                           \
    };                                                                                             \
    struct Pair##_raw {                                                                            \
        std::uint16_t x, y;                                                                        \
    };                                                                                             \
    struct Name {                                                                                  \
        std::uint16_t bits;                                                                        \
        Name() = default;                                                                          \
        constexpr Name(Name##_raw raw) : bits(raw.x) {}                                            \
        template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                      \
        Name(T value) : bits(detail::to_bits(detail::round_to_odd(value)))                         \
        {                                                                                          \
        }                                                                                          \
        template <class T,                                                                         \
                  std::enable_if_t<std::is_class_v<T> && std::is_convertible_v<T, float>,          \
                                   int> = 0>                                                       \
        explicit Name(T value) : Name(float(value))                                                \
        {                                                                                          \
        }                                                                                          \
        operator float() const { return detail::to_float(bits); }                                  \
        template <class T, class = std::enable_if_t<detail::is_integer<T>>> operator T() const     \
        {                                                                                          \
            return detail::saturate<T>(std::trunc(float(*this)));                                  \
        }                                                                                          \
        operator Name##_raw() const { return {bits}; }                                             \
        Name operator+() const { return *this; }                                                   \
        Name operator-() const { return -float(*this); }                                           \
        Name &operator+=(Name other) { return *this = float(*this) + float(other); }               \
        Name &operator-=(Name other) { return *this = float(*this) - float(other); }               \
        Name &operator*=(Name other) { return *this = float(*this) * float(other); }               \
        Name &operator/=(Name other) { return *this = float(*this) / float(other); }               \
        Name &operator++() { return *this += Name(1); }                                            \
        Name &operator--() { return *this -= Name(1); }                                            \
        Name operator++(int) { return std::exchange(*this, *this + Name(1)); }                     \
        Name operator--(int) { return std::exchange(*this, *this - Name(1)); }                     \
        friend Name operator+(Name a, Name b) { return a += b; }                                   \
        friend Name operator-(Name a, Name b) { return a -= b; }                                   \
        friend Name operator*(Name a, Name b) { return a *= b; }                                   \
        friend Name operator/(Name a, Name b) { return a /= b; }                                   \
        friend bool operator==(Name a, Name b) { return float(a) == float(b); }                    \
        friend bool operator!=(Name a, Name b) { return float(a) != float(b); }                    \
        friend bool operator<(Name a, Name b) { return float(a) < float(b); }                      \
        friend bool operator<=(Name a, Name b) { return float(a) <= float(b); }                    \
        friend bool operator>(Name a, Name b) { return float(a) > float(b); }                      \
        friend bool operator>=(Name a, Name b) { return float(a) >= float(b); }                    \
    };                                                                                             \
    struct alignas(4) Pair {                                                                       \
        Name x, y;                                                                                 \
        Pair() = default;                                                                          \
        Pair(Name x, Name y) : x(x), y(y) {}                                                       \
        Pair(Pair##_raw raw) : x(Name##_raw{raw.x}), y(Name##_raw{raw.y}) {}                       \
        operator Pair##_raw() const { return {x.bits, y.bits}; }                                   \
        friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }                   \
        friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }                   \
        friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }                   \
        friend Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }                   \
        Pair operator+() const { return *this; }                                                   \
        Pair operator-() const { return {-x, -y}; }                                                \
        Pair &operator+=(Pair other) { return *this = *this + other; }                             \
        Pair &operator-=(Pair other) { return *this = *this - other; }                             \
        Pair &operator*=(Pair other) { return *this = *this * other; }                             \
        Pair &operator/=(Pair other) { return *this = *this / other; }                             \
        Pair &operator++() { return *this += Pair(1, 1); }                                         \
        Pair &operator--() { return *this -= Pair(1, 1); }                                         \
        Pair operator++(int) { return std::exchange(*this, *this + Pair(1, 1)); }                  \
        Pair operator--(int) { return std::exchange(*this, *this - Pair(1, 1)); }                  \
        /* Each holds where it holds for both numbers, != too: it is not the opposite of ==. */    \
        friend bool operator==(Pair a, Pair b) { return a.x == b.x && a.y == b.y; }                \
        friend bool operator!=(Pair a, Pair b) { return a.x != b.x && a.y != b.y; }                \
        friend bool operator<(Pair a, Pair b) { return a.x < b.x && a.y < b.y; }                   \
        friend bool operator<=(Pair a, Pair b) { return a.x <= b.x && a.y <= b.y; }                \
        friend bool operator>(Pair a, Pair b) { return a.x > b.x && a.y > b.y; }                   \
        friend bool operator>=(Pair a, Pair b) { return a.x >= b.x && a.y >= b.y; }                \
    };
// clang-format on

namespace types {

G2O_HALF_TYPE(half, half2, float_to_half_bits, half_bits_to_float)
G2O_HALF_TYPE(nv_bfloat16, nv_bfloat162, float_to_bfloat16_bits, bfloat16_bits_to_float)
using nv_half = half;
using nv_half2 = half2;

} // namespace types
#undef G2O_HALF_TYPE

namespace detail {

// a * b + c for numbers of 16 bits, whose product is exact in double. Where the sum is not (Knuth's
// two-sum gives its error), its last bit is 1, so that it rounds to 16 bits as the exact sum does.
inline double fma_to_odd(float a, float b, float c)
{
    const double product = double(a) * double(b), sum = product + double(c);
    const double summand = sum - product;
    const double error = (product - (sum - summand)) + (double(c) - summand);
    const long long bits = double_as_longlong(sum);
    if (bits % 2 != 0 || !(error < 0 || error > 0))
        return sum;
    return longlong_as_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

// The larger and smaller of two numbers; of a number and a NaN the number. +0 is larger than -0:
// of equal numbers only the sign of zeros can differ.
template <class Half> Half half_max(Half a, Half b)
{
    return a == b ? bit_cast<Half>(std::uint16_t(a.bits & b.bits))
                  : Half(g2o::max(float(a), float(b)));
}

template <class Half> Half half_min(Half a, Half b)
{
    return a == b ? bit_cast<Half>(std::uint16_t(a.bits | b.bits))
                  : Half(g2o::min(float(a), float(b)));
}

} // namespace detail

// The named operations, for half and for nv_bfloat16.
#define G2O_HALF_UNARY(Name, Pair, name, expression)                                               \
    inline Name h##name(Name a) { return expression; }                                             \
    inline Pair h2##name(Pair a) { return {h##name(a.x), h##name(a.y)}; }
#define G2O_HALF_BINARY(Name, Pair, name, form, expression)                                        \
    inline Name h##name##form(Name a, Name b) { return expression; }                               \
    inline Pair h##name##2##form(Pair a, Pair b)                                                   \
    {                                                                                              \
        return {h##name##form(a.x, b.x), h##name##form(a.y, b.y)};                                 \
    }
#define G2O_HALF_TERNARY(Name, Pair, name, form, expression)                                       \
    inline Name h##name##form(Name a, Name b, Name c) { return expression; }                       \
    inline Pair h##name##2##form(Pair a, Pair b, Pair c)                                           \
    {                                                                                              \
        return {h##name##form(a.x, b.x, c.x), h##name##form(a.y, b.y, c.y)};                       \
    }
// A comparison, true also for NaN in the form with u; of pairs as 1 and 0, of both at once, and as
// ones in the halves of a word.
#define G2O_HALF_COMPARISON_FORM(Name, Pair, name, condition)                                      \
    inline bool h##name(Name a, Name b) { return condition; }                                      \
    inline Pair h##name##2(Pair a, Pair b) { return {h##name(a.x, b.x), h##name(a.y, b.y)}; }      \
    inline bool hb##name##2(Pair a, Pair b) { return h##name(a.x, b.x) && h##name(a.y, b.y); }     \
    inline unsigned h##name##2_mask(Pair a, Pair b)                                                \
    {                                                                                              \
        return (h##name(a.x, b.x) ? 0xffffu : 0u) | (h##name(a.y, b.y) ? 0xffff0000u : 0u);        \
    }
#define G2O_HALF_COMPARISON(Name, Pair, name, operation)                                           \
    G2O_HALF_COMPARISON_FORM(Name, Pair, name, a operation b && a == a && b == b)                  \
    G2O_HALF_COMPARISON_FORM(Name, Pair, name##u, a operation b || a != a || b != b)
#define G2O_HALF_FUNCTIONS(Name, Pair)                                                             \
    G2O_HALF_BINARY(Name, Pair, add, , a + b)                                                      \
    G2O_HALF_BINARY(Name, Pair, add, _rn, a + b)                                                   \
    G2O_HALF_BINARY(Name, Pair, add, _sat, saturatef(float(a) + float(b)))                         \
    G2O_HALF_BINARY(Name, Pair, sub, , a - b)                                                      \
    G2O_HALF_BINARY(Name, Pair, sub, _rn, a - b)                                                   \
    G2O_HALF_BINARY(Name, Pair, sub, _sat, saturatef(float(a) - float(b)))                         \
    G2O_HALF_BINARY(Name, Pair, mul, , a * b)                                                      \
    G2O_HALF_BINARY(Name, Pair, mul, _rn, a * b)                                                   \
    G2O_HALF_BINARY(Name, Pair, mul, _sat, saturatef(float(a) * float(b)))                         \
    G2O_HALF_BINARY(Name, Pair, min, , detail::half_min(a, b))                                     \
    G2O_HALF_BINARY(Name, Pair, min, _nan, a != a || b != b ? Name(NAN) : hmin(a, b))              \
    G2O_HALF_BINARY(Name, Pair, max, , detail::half_max(a, b))                                     \
    G2O_HALF_BINARY(Name, Pair, max, _nan, a != a || b != b ? Name(NAN) : hmax(a, b))              \
    G2O_HALF_TERNARY(Name, Pair, fma, , detail::fma_to_odd(a, b, c))                               \
    G2O_HALF_TERNARY(Name, Pair, fma, _sat, saturatef(hfma(a, b, c)))                              \
    G2O_HALF_TERNARY(Name, Pair, fma, _relu, hmax_nan(hfma(a, b, c), 0))                           \
    G2O_HALF_COMPARISON(Name, Pair, eq, ==)                                                        \
    G2O_HALF_COMPARISON(Name, Pair, ne, !=)                                                        \
    G2O_HALF_COMPARISON(Name, Pair, lt, <)                                                         \
    G2O_HALF_COMPARISON(Name, Pair, le, <=)                                                        \
    G2O_HALF_COMPARISON(Name, Pair, gt, >)                                                         \
    G2O_HALF_COMPARISON(Name, Pair, ge, >=)                                                        \
    G2O_HALF_UNARY(Name, Pair, exp, expf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, exp2, exp2f(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, exp10, exp10f(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, log, logf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, log2, log2f(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, log10, log10f(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, sin, sinf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, cos, cosf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, tanh, tanhf(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, tanh_approx, tanhf(a))                                              \
    G2O_HALF_UNARY(Name, Pair, sqrt, sqrtf(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, rsqrt, rsqrtf(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, rcp, 1.0f / float(a))                                               \
    G2O_HALF_UNARY(Name, Pair, floor, floorf(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, ceil, ceilf(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, trunc, truncf(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, rint, nearbyintf(a))                                                \
    inline Name hdiv(Name a, Name b) { return a / b; }                                             \
    inline Pair h2div(Pair a, Pair b) { return a / b; }                                            \
    inline Name hneg(Name a) { return -a; }                                                        \
    inline Pair hneg2(Pair a) { return -a; }                                                       \
    inline Name habs(Name a) { return fabsf(a); }                                                  \
    inline Pair habs2(Pair a) { return {habs(a.x), habs(a.y)}; }                                   \
    inline bool hisnan(Name a) { return a != a; }                                                  \
    inline Pair hisnan2(Pair a) { return {hisnan(a.x), hisnan(a.y)}; }                             \
    inline int hisinf(Name a) { return std::isinf(float(a)) ? (a < Name(0) ? -1 : 1) : 0; }        \
    /* a * b + c of complex numbers */                                                             \
    inline Pair hcmadd(Pair a, Pair b, Pair c)                                                     \
    {                                                                                              \
        return {hfma(-a.y, b.y, hfma(a.x, b.x, c.x)), hfma(a.y, b.x, hfma(a.x, b.y, c.y))};        \
    }

G2O_HALF_FUNCTIONS(half, half2)
G2O_HALF_FUNCTIONS(nv_bfloat16, nv_bfloat162)
#undef G2O_HALF_FUNCTIONS
#undef G2O_HALF_UNARY
#undef G2O_HALF_BINARY
#undef G2O_HALF_TERNARY
#undef G2O_HALF_COMPARISON
#undef G2O_HALF_COMPARISON_FORM

// Conversions, which say `half` or `bfloat16` in the same places. rn: to nearest, rz: towards zero,
// ru: up, rd: down.
#define G2O_HALF_INTEGER(Name, name, integer, T)                                                   \
    inline Name integer##2##name##_rn(T x) { return x; }                                           \
    inline Name integer##2##name##_rz(T x) { return detail::round_to_zero<Name>(x); }              \
    inline Name integer##2##name##_ru(T x) { return detail::round_up<Name>(x); }                   \
    inline Name integer##2##name##_rd(T x) { return detail::round_down<Name>(x); }                 \
    inline T name##2##integer##_rn(Name x) { return detail::saturate<T>(nearbyintf(x)); }          \
    inline T name##2##integer##_rz(Name x) { return x; }                                           \
    inline T name##2##integer##_ru(Name x) { return detail::saturate<T>(ceilf(x)); }               \
    inline T name##2##integer##_rd(Name x) { return detail::saturate<T>(floorf(x)); }
#define G2O_HALF_CONVERSIONS(Name, name, Pair, pair)                                               \
    inline Name float2##name(float x) { return x; }                                                \
    inline Name float2##name##_rn(float x) { return x; }                                           \
    inline Name float2##name##_rz(float x) { return detail::round_to_zero<Name>(x); }              \
    inline Name float2##name##_ru(float x) { return detail::round_up<Name>(x); }                   \
    inline Name float2##name##_rd(float x) { return detail::round_down<Name>(x); }                 \
    inline Name double2##name(double x) { return x; }                                              \
    inline float name##2float(Name x) { return x; }                                                \
    G2O_HALF_INTEGER(Name, name, int, int)                                                         \
    G2O_HALF_INTEGER(Name, name, uint, unsigned)                                                   \
    G2O_HALF_INTEGER(Name, name, short, short)                                                     \
    G2O_HALF_INTEGER(Name, name, ushort, unsigned short)                                           \
    G2O_HALF_INTEGER(Name, name, ll, long long)                                                    \
    G2O_HALF_INTEGER(Name, name, ull, unsigned long long)                                          \
    inline signed char name##2char_rz(Name x) { return x; }                                        \
    inline unsigned char name##2uchar_rz(Name x) { return x; }                                     \
    inline short name##_as_short(Name x) { return short(x.bits); }                                 \
    inline unsigned short name##_as_ushort(Name x) { return x.bits; }                              \
    inline Name short_as_##name(short x) { return detail::bit_cast<Name>(x); }                     \
    inline Name ushort_as_##name(unsigned short x) { return detail::bit_cast<Name>(x); }           \
    inline Pair make_##pair(Name x, Name y) { return {x, y}; }                                     \
    inline Pair name##2##pair(Name x) { return {x, x}; }                                           \
    inline Pair float2##pair##_rn(float x) { return {x, x}; }                                      \
    inline Pair floats2##pair##_rn(float x, float y) { return {x, y}; }                            \
    inline Pair float22##pair##_rn(float2 x) { return {x.x, x.y}; }                                \
    inline float2 pair##2float2(Pair x) { return {x.x, x.y}; }                                     \
    inline float low2float(Pair x) { return x.x; }                                                 \
    inline float high2float(Pair x) { return x.y; }                                                \
    inline Name low2##name(Pair x) { return x.x; }                                                 \
    inline Name high2##name(Pair x) { return x.y; }                                                \
    inline Pair low2##pair(Pair x) { return {x.x, x.x}; }                                          \
    inline Pair high2##pair(Pair x) { return {x.y, x.y}; }                                         \
    inline Pair lowhigh2highlow(Pair x) { return {x.y, x.x}; }                                     \
    inline Pair halves2##pair(Name x, Name y) { return {x, y}; }                                   \
    inline Pair lows2##pair(Pair x, Pair y) { return {x.x, y.x}; }                                 \
    inline Pair highs2##pair(Pair x, Pair y) { return {x.y, y.y}; }

G2O_HALF_CONVERSIONS(half, half, half2, half2)
G2O_HALF_CONVERSIONS(nv_bfloat16, bfloat16, nv_bfloat162, bfloat162)
#undef G2O_HALF_CONVERSIONS
#undef G2O_HALF_INTEGER

constexpr half INF_FP16 = half_raw{0x7c00};
constexpr half NAN_FP16 = half_raw{0x7fff};
constexpr half MIN_DENORM_FP16 = half_raw{0x0001};
constexpr half MAX_NORMAL_FP16 = half_raw{0x7bff};
constexpr half NEG_ZERO_FP16 = half_raw{0x8000};
constexpr half ZERO_FP16 = half_raw{0x0000};
constexpr half ONE_FP16 = half_raw{0x3c00};
constexpr nv_bfloat16 INF_BF16 = nv_bfloat16_raw{0x7f80};
constexpr nv_bfloat16 NAN_BF16 = nv_bfloat16_raw{0x7fff};
constexpr nv_bfloat16 MIN_DENORM_BF16 = nv_bfloat16_raw{0x0001};
constexpr nv_bfloat16 MAX_NORMAL_BF16 = nv_bfloat16_raw{0x7f7f};
constexpr nv_bfloat16 NEG_ZERO_BF16 = nv_bfloat16_raw{0x8000};
constexpr nv_bfloat16 ZERO_BF16 = nv_bfloat16_raw{0x0000};
constexpr nv_bfloat16 ONE_BF16 = nv_bfloat16_raw{0x3f80};

// ---- floats of 8 bits ---------------------------------------------------------------------------

namespace types {

// What becomes of a number that is too large: the largest one, or infinity (NaN for E4M3, which has
// no infinity).
enum Fp8Saturation { FP8_NOSAT, FP8_SATFINITE };

// Bits of the exponent and of the mantissa.
enum Fp8Format { FP8_E4M3, FP8_E5M2 };

// One, two and four numbers as bits.
using fp8_storage = unsigned char;
using fp8x2_storage = unsigned short;
using fp8x4_storage = unsigned;

} // namespace types

// The number in 8 bits, rounded to nearest even.
inline unsigned char double_to_fp8(double value, Fp8Saturation saturation, Fp8Format format)
{
    const int mantissa_bits = format == FP8_E4M3 ? 3 : 2, bias = format == FP8_E4M3 ? 7 : 15;
    const unsigned sign = std::signbit(value) ? 0x80 : 0;
    const unsigned largest = format == FP8_E4M3 ? 0x7e : 0x7b;
    if (std::isnan(value))
        return 0x7f;
    const double magnitude = std::fabs(value);
    unsigned bits = largest + 1;
    if (!std::isinf(value)) {
        // In units of the last place; a carry out of the mantissa moves into the exponent.
        const int least = 1 - bias;
        const int exponent = magnitude == 0.0 ? least : std::max(std::ilogb(magnitude), least);
        const double units = std::nearbyint(std::ldexp(magnitude, mantissa_bits - exponent));
        const double rounded = units + std::ldexp(exponent + bias - 1, mantissa_bits);
        bits = unsigned(std::min(rounded, double(largest + 1)));
    }
    return static_cast<unsigned char>(
        sign | (bits > largest && saturation == FP8_SATFINITE ? largest : bits));
}

inline unsigned char float_to_fp8(float value, Fp8Saturation saturation, Fp8Format format)
{
    return double_to_fp8(value, saturation, format);
}

inline unsigned short float2_to_fp8x2(float2 value, Fp8Saturation saturation, Fp8Format format)
{
    return static_cast<unsigned short>(float_to_fp8(value.x, saturation, format) |
                                       float_to_fp8(value.y, saturation, format) << 8);
}

namespace detail {

inline float fp8_to_float(unsigned char bits, Fp8Format format)
{
    const int mantissa_bits = format == FP8_E4M3 ? 3 : 2, bias = format == FP8_E4M3 ? 7 : 15;
    const int exponent = (bits & 0x7f) >> mantissa_bits;
    const int mantissa = bits & ((1 << mantissa_bits) - 1);
    float magnitude = exponent == 0
                          ? std::ldexp(float(mantissa), 1 - bias - mantissa_bits)
                          : std::ldexp(float(mantissa + (1 << mantissa_bits)),
                                       exponent - bias - mantissa_bits);
    if (format == FP8_E4M3 ? (bits & 0x7f) == 0x7f : exponent == 31)
        magnitude = mantissa == 0 ? INFINITY : NAN;
    return bits & 0x80 ? -magnitude : magnitude;
}

} // namespace detail

namespace types {

template <Fp8Format Format> struct Fp8 {
    unsigned char __x; // as CUDA calls it

    Fp8() = default;
    template <class T, class = std::enable_if_t<std::is_convertible_v<T, float>>>
    explicit Fp8(T value) : __x(double_to_fp8(double(value), FP8_SATFINITE, Format))
    {
    }
    explicit operator float() const { return detail::fp8_to_float(__x, Format); }
    explicit operator double() const { return float(*this); }
    explicit operator half() const { return float(*this); }
    explicit operator nv_bfloat16() const { return float(*this); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
};

// Two and four of them in one word, the first in the lowest bits.
template <Fp8Format Format> struct Fp8x2 {
    unsigned short __x;

    Fp8x2() = default;
    explicit Fp8x2(float2 v) : __x(float2_to_fp8x2(v, FP8_SATFINITE, Format)) {}
    explicit Fp8x2(double2 v) : Fp8x2(make_float2(float(v.x), float(v.y))) {}
    explicit Fp8x2(half2 v) : Fp8x2(make_float2(v.x, v.y)) {}
    explicit Fp8x2(nv_bfloat162 v) : Fp8x2(make_float2(v.x, v.y)) {}
    explicit operator float2() const
    {
        return {detail::fp8_to_float(__x & 0xff, Format), detail::fp8_to_float(__x >> 8, Format)};
    }
    explicit operator half2() const
    {
        const float2 v = float2(*this);
        return {v.x, v.y};
    }
};

template <Fp8Format Format> struct Fp8x4 {
    unsigned __x;

    Fp8x4() = default;
    Fp8x4(Fp8x2<Format> low, Fp8x2<Format> high) : __x(low.__x | unsigned(high.__x) << 16) {}
    explicit Fp8x4(float4 v)
        : Fp8x4(Fp8x2<Format>(make_float2(v.x, v.y)), Fp8x2<Format>(make_float2(v.z, v.w)))
    {
    }
    explicit Fp8x4(half2 low, half2 high) : Fp8x4(Fp8x2<Format>(low), Fp8x2<Format>(high)) {}
    explicit Fp8x4(nv_bfloat162 low, nv_bfloat162 high)
        : Fp8x4(Fp8x2<Format>(low), Fp8x2<Format>(high))
    {
    }
    explicit operator float4() const
    {
        float v[4];
        for (int i = 0; i < 4; ++i)
            v[i] = detail::fp8_to_float(__x >> 8 * i & 0xff, Format);
        return {v[0], v[1], v[2], v[3]};
    }
};

using fp8_e4m3 = Fp8<FP8_E4M3>;
using fp8_e5m2 = Fp8<FP8_E5M2>;
using fp8x2_e4m3 = Fp8x2<FP8_E4M3>;
using fp8x2_e5m2 = Fp8x2<FP8_E5M2>;
using fp8x4_e4m3 = Fp8x4<FP8_E4M3>;
using fp8x4_e5m2 = Fp8x4<FP8_E5M2>;

} // namespace types

// ================================================================================================
// 10. Complex numbers
// ================================================================================================

// The real part is x, the imaginary part y.
namespace types {

using FloatComplex = float2;
using DoubleComplex = double2;

} // namespace types

// clang-format off
#define G2O_COMPLEX_FUNCTIONS(Complex, Real)                                                       \
    constexpr Real complex_real(Complex a) { return a.x; }                                         \
    constexpr Real complex_imag(Complex a) { return a.y; }                                         \
    constexpr Complex complex_conj(Complex a) { return {a.x, -a.y}; }                              \
    constexpr Complex complex_add(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }         \
    constexpr Complex complex_sub(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }         \
    constexpr Complex complex_mul(Complex a, Complex b)                                            \
    {                                                                                              \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                     \
    }                                                                                              \
    constexpr Complex complex_fma(Complex a, Complex b, Complex c)                                 \
    {                                                                                              \
        return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                         \
    }                                                                                              \
    /* Scaled, so that squares of the divisor neither overflow nor vanish. */                      \
    inline Complex complex_div(Complex a, Complex b)                                               \
    {                                                                                              \
        const Real scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                  \
        const Complex q = {b.x * scale, b.y * scale};                                              \
        const Real norm = 1 / (q.x * q.x + q.y * q.y);                                             \
        const Complex p = complex_mul({a.x * scale, a.y * scale}, complex_conj(q));                \
        return {p.x * norm, p.y * norm};                                                           \
    }                                                                                              \
    inline Real complex_abs(Complex a) { return std::hypot(a.x, a.y); }
// clang-format on

G2O_COMPLEX_FUNCTIONS(FloatComplex, float)
G2O_COMPLEX_FUNCTIONS(DoubleComplex, double)
#undef G2O_COMPLEX_FUNCTIONS

constexpr DoubleComplex complex_to_double(FloatComplex a) { return {a.x, a.y}; }
constexpr FloatComplex complex_to_float(DoubleComplex a) { return {float(a.x), float(a.y)}; }

// ================================================================================================
// 11. Graphs of nodes
// ================================================================================================

// Nodes run one after another, each behind those that it needs.

inline Error graph_create(Graph *graph, unsigned /*flags*/ = 0)
{
    *graph = new GraphState;
    return Success;
}

inline Error graph_clone(Graph *clone, Graph graph) { return graph_instantiate(clone, graph); }

inline Error graph_node_find_in_clone(GraphNode *node, GraphNode original, Graph clone)
{
    const auto found = clone->copies.find(original);
    *node = found == clone->copies.end() ? nullptr : found->second;
    return detail::report(*node != nullptr ? Success : ErrorInvalidValue);
}

inline Error graph_add_dependencies(Graph /*graph*/, const GraphNode *from, const GraphNode *to,
                                    std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        to[i]->needs.push_back(from[i]);
    return Success;
}

inline Error graph_remove_dependencies(Graph /*graph*/, const GraphNode *from, const GraphNode *to,
                                       std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        auto &needs = to[i]->needs;
        needs.erase(std::remove(needs.begin(), needs.end(), from[i]), needs.end());
    }
    return Success;
}

inline Error graph_get_root_nodes(Graph graph, GraphNode *nodes, std::size_t *count)
{
    std::size_t found = 0;
    for (const auto &operation : graph->operations) {
        if (!operation->needs.empty())
            continue;
        if (nodes != nullptr && found < *count)
            nodes[found] = operation.get();
        ++found;
    }
    *count = found;
    return Success;
}

namespace detail {

// A kernel whose type nobody sees, behind the `void *` that a program has of it.
struct AnyKernel {
    virtual ~AnyKernel() = default;
    // Copies of the arguments, and the places of those.
    virtual std::shared_ptr<void> copied(void **arguments, std::vector<void *> &places) const = 0;
    virtual Error run(dim3 grid, dim3 block, std::size_t shared_bytes, void **arguments) const = 0;
};

template <class Function, class... P> struct KernelOf final : AnyKernel {
    explicit KernelOf(Function function) : function(function) {}
    std::shared_ptr<void> copied(void **arguments, std::vector<void *> &places) const override
    {
        return copied(arguments, places, std::index_sequence_for<P...>());
    }
    template <std::size_t... I>
    std::shared_ptr<void> copied([[maybe_unused]] void **arguments, std::vector<void *> &places,
                                 std::index_sequence<I...>) const
    {
        const auto values =
            std::make_shared<std::tuple<std::decay_t<P>...>>(launch_argument<P>(arguments[I])...);
        places = {static_cast<void *>(&std::get<I>(*values))...};
        return values;
    }
    Error run(dim3 grid, dim3 block, [[maybe_unused]] std::size_t shared_bytes,
              void **arguments) const override
    {
        if constexpr (std::is_invocable_v<Function, dim3, dim3, P...>)
            return launch_unpacked(function, grid, block, arguments,
                                   std::index_sequence_for<P...>());
        else
            return launch_unpacked_shared(function, grid, block, shared_bytes, arguments,
                                          std::index_sequence_for<P...>());
    }
    Function function;
};

inline std::unordered_map<const void *, std::unique_ptr<AnyKernel>> &kernel_handles()
{
    static std::unordered_map<const void *, std::unique_ptr<AnyKernel>> handles;
    return handles;
}

inline const AnyKernel *kernel_behind(const void *handle)
{
    for (const auto &known : kernel_handles())
        if (known.second.get() == handle)
            return known.second.get();
    return nullptr;
}

template <class... P, class Function> void *handle_of(Function function)
{
    auto &handle = kernel_handles()[reinterpret_cast<const void *>(function)];
    if (handle == nullptr)
        handle = std::make_unique<KernelOf<Function, P...>>(function);
    return handle.get();
}

} // namespace detail

// What a program keeps of a kernel as `void *`: the same each time.
template <class... P> void *kernel_handle(void (*kernel)(dim3, dim3, P...))
{
    return detail::handle_of<P...>(kernel);
}
template <class... P> void *kernel_handle(void (*kernel)(dim3, dim3, std::size_t, P...))
{
    return detail::handle_of<P...>(kernel);
}
template <class... P> void *kernel_handle(StaticKernel<P...> kernel)
{
    return detail::handle_of<P...>(kernel.function);
}

namespace detail {

// A node of a graph: what its parameters are, and how it runs with them.
template <class Parameters> struct GraphNodeOf : GraphOperation {
    Parameters parameters;

    virtual Error set(const Parameters &given)
    {
        parameters = given;
        return Success;
    }
};

struct KernelNode final : GraphNodeOf<KernelNodeParams> {
    const AnyKernel *kernel;
    std::shared_ptr<void> values;
    std::vector<void *> places;

    Error set(const KernelNodeParams &given) override
    {
        const AnyKernel *const found = kernel_behind(given.func);
        if (found == nullptr) {
            std::fputs("g2o: the kernel of a node is not known: cast its name to 'void *'\n", stderr);
            std::abort();
        }
        if (!is_launchable(given.gridDim, given.blockDim) || given.extra != nullptr)
            return ErrorInvalidValue;
        kernel = found;
        std::vector<void *> own;
        values = kernel->copied(given.kernelParams, own);
        places = std::move(own);
        parameters = given;
        parameters.kernelParams = places.data();
        return Success;
    }
    void run() override
    {
        kernel->run(parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes,
                    places.data());
    }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<KernelNode>();
        made->set(parameters);
        return made;
    }
};

struct MemcpyNode final : GraphNodeOf<Memcpy3DParms> {
    void run() override { memcpy_3d(&parameters); }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<MemcpyNode>();
        made->parameters = parameters;
        return made;
    }
};

struct MemsetNode final : GraphNodeOf<MemsetParams> {
    Error set(const MemsetParams &given) override
    {
        if (given.elementSize != 1 && given.elementSize != 2 && given.elementSize != 4)
            return ErrorInvalidValue;
        parameters = given;
        return Success;
    }
    void run() override
    {
        const MemsetParams &p = parameters;
        for (std::size_t row = 0; row < p.height; ++row)
            for (std::size_t i = 0; i < p.width; ++i)
                std::memcpy(static_cast<char *>(p.dst) + row * p.pitch + i * p.elementSize,
                            &p.value, p.elementSize);
    }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<MemsetNode>();
        made->parameters = parameters;
        return made;
    }
};

struct HostNode final : GraphNodeOf<HostNodeParams> {
    void run() override { parameters.fn(parameters.userData); }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<HostNode>();
        made->parameters = parameters;
        return made;
    }
};

struct EmptyNode final : GraphOperation {
    void run() override {}
    std::shared_ptr<GraphOperation> copy() const override { return std::make_shared<EmptyNode>(); }
};

struct ChildGraphNode final : GraphOperation {
    GraphState child;

    void run() override
    {
        for (const auto &operation : child.operations)
            operation->run();
    }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<ChildGraphNode>();
        copy_operations(child, made->child);
        return made;
    }
};

template <class Node, class Parameters>
Error add_node(GraphNode *node, Graph graph, const GraphNode *needs, std::size_t count,
               const Parameters &parameters)
{
    auto made = std::make_shared<Node>();
    const Error error = made->set(parameters);
    *node = error == Success ? append(*graph, std::move(made), needs, count) : nullptr;
    return report(error);
}

template <class Node, class Parameters> Error get_parameters(GraphNode node, Parameters *parameters)
{
    const Node *const found = dynamic_cast<Node *>(node);
    if (found == nullptr)
        return report(ErrorInvalidValue);
    *parameters = found->parameters;
    return Success;
}

template <class Node, class Parameters>
Error set_parameters(GraphNode node, const Parameters &parameters)
{
    Node *const found = dynamic_cast<Node *>(node);
    return report(found == nullptr ? ErrorInvalidValue : found->set(parameters));
}

// Of the node's copy in what was made of its graph.
template <class Node, class Parameters>
Error set_parameters_of_copy(GraphExec executable, GraphNode node, const Parameters &parameters)
{
    const auto found = executable->copies.find(node);
    if (found == executable->copies.end())
        return report(ErrorInvalidValue);
    return set_parameters<Node>(found->second, parameters);
}

inline Memcpy3DParms plain_copy(void *target, const void *source, std::size_t bytes,
                                MemcpyKind kind)
{
    Memcpy3DParms copy{};
    copy.srcPtr = make_pitched_ptr(const_cast<void *>(source), bytes, bytes, 1);
    copy.dstPtr = make_pitched_ptr(target, bytes, bytes, 1);
    copy.extent = make_extent(bytes, 1, 1);
    copy.kind = kind;
    return copy;
}

} // namespace detail

inline Error graph_add_empty_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                  std::size_t count)
{
    *node = detail::append(*graph, std::make_shared<detail::EmptyNode>(), needs, count);
    return Success;
}

inline Error graph_add_child_graph_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                        std::size_t count, Graph child)
{
    auto made = std::make_shared<detail::ChildGraphNode>();
    *node = nullptr;
    if (!detail::copy_operations(*child, made->child))
        return detail::report(ErrorInvalidValue);
    *node = detail::append(*graph, std::move(made), needs, count);
    return Success;
}

inline Error graph_add_kernel_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                   std::size_t count, const KernelNodeParams *parameters)
{
    return detail::add_node<detail::KernelNode>(node, graph, needs, count, *parameters);
}

inline Error graph_add_memcpy_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                   std::size_t count, const Memcpy3DParms *parameters)
{
    return detail::add_node<detail::MemcpyNode>(node, graph, needs, count, *parameters);
}

inline Error graph_add_memcpy_node_1d(GraphNode *node, Graph graph, const GraphNode *needs,
                                      std::size_t count, void *target, const void *source,
                                      std::size_t bytes, MemcpyKind kind)
{
    const Memcpy3DParms copy = detail::plain_copy(target, source, bytes, kind);
    return graph_add_memcpy_node(node, graph, needs, count, &copy);
}

inline Error graph_add_memset_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                   std::size_t count, const MemsetParams *parameters)
{
    return detail::add_node<detail::MemsetNode>(node, graph, needs, count, *parameters);
}

inline Error graph_add_host_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                 std::size_t count, const HostNodeParams *parameters)
{
    return detail::add_node<detail::HostNode>(node, graph, needs, count, *parameters);
}

inline Error graph_kernel_node_get_params(GraphNode node, KernelNodeParams *parameters)
{
    return detail::get_parameters<detail::KernelNode>(node, parameters);
}
inline Error graph_kernel_node_set_params(GraphNode node, const KernelNodeParams *parameters)
{
    return detail::set_parameters<detail::KernelNode>(node, *parameters);
}
inline Error graph_exec_kernel_node_set_params(GraphExec executable, GraphNode node,
                                               const KernelNodeParams *parameters)
{
    return detail::set_parameters_of_copy<detail::KernelNode>(executable, node, *parameters);
}

inline Error graph_memcpy_node_get_params(GraphNode node, Memcpy3DParms *parameters)
{
    return detail::get_parameters<detail::MemcpyNode>(node, parameters);
}
inline Error graph_memcpy_node_set_params(GraphNode node, const Memcpy3DParms *parameters)
{
    return detail::set_parameters<detail::MemcpyNode>(node, *parameters);
}
inline Error graph_exec_memcpy_node_set_params(GraphExec executable, GraphNode node,
                                               const Memcpy3DParms *parameters)
{
    return detail::set_parameters_of_copy<detail::MemcpyNode>(executable, node, *parameters);
}
inline Error graph_memcpy_node_set_params_1d(GraphNode node, void *target, const void *source,
                                             std::size_t bytes, MemcpyKind kind)
{
    const Memcpy3DParms copy = detail::plain_copy(target, source, bytes, kind);
    return graph_memcpy_node_set_params(node, &copy);
}
inline Error graph_exec_memcpy_node_set_params_1d(GraphExec executable, GraphNode node,
                                                  void *target, const void *source,
                                                  std::size_t bytes, MemcpyKind kind)
{
    const Memcpy3DParms copy = detail::plain_copy(target, source, bytes, kind);
    return graph_exec_memcpy_node_set_params(executable, node, &copy);
}

inline Error graph_memset_node_get_params(GraphNode node, MemsetParams *parameters)
{
    return detail::get_parameters<detail::MemsetNode>(node, parameters);
}
inline Error graph_memset_node_set_params(GraphNode node, const MemsetParams *parameters)
{
    return detail::set_parameters<detail::MemsetNode>(node, *parameters);
}
inline Error graph_exec_memset_node_set_params(GraphExec executable, GraphNode node,
                                               const MemsetParams *parameters)
{
    return detail::set_parameters_of_copy<detail::MemsetNode>(executable, node, *parameters);
}

inline Error graph_host_node_get_params(GraphNode node, HostNodeParams *parameters)
{
    return detail::get_parameters<detail::HostNode>(node, parameters);
}
inline Error graph_host_node_set_params(GraphNode node, const HostNodeParams *parameters)
{
    return detail::set_parameters<detail::HostNode>(node, *parameters);
}
inline Error graph_exec_host_node_set_params(GraphExec executable, GraphNode node,
                                             const HostNodeParams *parameters)
{
    return detail::set_parameters_of_copy<detail::HostNode>(executable, node, *parameters);
}

// What kind of node it is. Of what a stream captured, that is not known any longer.
inline Error graph_node_get_type(GraphNode node, GraphNodeType *type)
{
    if (dynamic_cast<detail::KernelNode *>(node) != nullptr)
        *type = GraphNodeTypeKernel;
    else if (dynamic_cast<detail::MemcpyNode *>(node) != nullptr)
        *type = GraphNodeTypeMemcpy;
    else if (dynamic_cast<detail::MemsetNode *>(node) != nullptr)
        *type = GraphNodeTypeMemset;
    else if (dynamic_cast<detail::HostNode *>(node) != nullptr)
        *type = GraphNodeTypeHost;
    else if (dynamic_cast<detail::ChildGraphNode *>(node) != nullptr)
        *type = GraphNodeTypeGraph;
    else if (dynamic_cast<detail::EmptyNode *>(node) != nullptr)
        *type = GraphNodeTypeEmpty;
    else
        return detail::report(ErrorNotSupported);
    return Success;
}

// Takes over what a graph of the same nodes does; others need an instance of their own.
inline Error graph_exec_update(GraphExec executable, Graph graph, GraphExecUpdateResultInfo *info)
{
    GraphState made;
    *info = {GraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    if (!detail::copy_operations(*graph, made) ||
        made.operations.size() != executable->operations.size())
        return detail::report(ErrorGraphExecUpdateFailure);
    for (std::size_t i = 0; i < made.operations.size(); ++i) {
        const GraphOperation &old = *executable->operations[i], &now = *made.operations[i];
        if (old.needs.size() != now.needs.size())
            return detail::report(ErrorGraphExecUpdateFailure);
    }
    // Nodes of the graph that it was made of are still known by those.
    std::unordered_map<const GraphOperation *, GraphOperation *> replaced;
    for (std::size_t i = 0; i < made.operations.size(); ++i)
        replaced[executable->operations[i].get()] = made.operations[i].get();
    for (const auto &known : executable->copies)
        made.copies.emplace(known.first, replaced.at(known.second));
    *executable = std::move(made);
    info->result = GraphExecUpdateSuccess;
    return Success;
}

inline Error graph_exec_update(GraphExec executable, Graph graph, GraphNode *node,
                               GraphExecUpdateResult *result)
{
    GraphExecUpdateResultInfo info;
    const Error error = graph_exec_update(executable, graph, &info);
    if (node != nullptr)
        *node = nullptr;
    *result = info.result;
    return error;
}

} // namespace g2o

#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("D")
#pragma pop_macro("F")
#pragma pop_macro("G")
#pragma pop_macro("I")
#pragma pop_macro("P")
#pragma pop_macro("T")
#pragma pop_macro("U")
#pragma pop_macro("V")

#endif // G2O_RUNTIME_HPP
