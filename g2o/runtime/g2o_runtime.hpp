// g2o_runtime.hpp: what programs translated by g2o from CUDA to OpenMP need at run time.
//
// No dependency but the C++17 library and (when enabled) OpenMP. It has dim3 and the vector types at
// global scope, and CUDA's runtime API as programs commonly use it: errors, memory, devices, streams,
// events, launches. What is rarer stands in headers beside it, which are included where they are used:
//
//    g2o_math.hpp      arithmetic that CUDA has and the C library has not
//    g2o_packed.hpp    ... on the parts of a word
//    g2o_half.hpp      floats of 16 and 8 bits
//    g2o_complex.hpp   complex numbers
//    g2o_random.hpp    random numbers, in kernels and in arrays
//    g2o_atomics.hpp   atomic operations
//    g2o_blocks.hpp    memory of blocks for kernels that became loops
//    g2o_warps.hpp     operations of warps for such kernels
//    g2o_tapes.hpp     what derivatives keep
//    g2o_arrays.hpp    three-dimensional memory and arrays
//    g2o_textures.hpp  textures and surfaces
//    g2o_devices.hpp   what programs ask about a device and set on it
//    g2o_launches.hpp  attributes of kernels, occupancy, launches by address
//    g2o_graphs.hpp    graphs of operations
//    g2o_pools.hpp     pools of memory
//    g2o_nvtx.hpp      names of ranges for profilers
//
// The "device" is the CPU the program runs on, or with G2O_OFFLOAD OpenMP's default device, which may
// have memory of its own. Every operation is complete when its function returns, and streams
// therefore order nothing.
#ifndef G2O_RUNTIME_HPP
#define G2O_RUNTIME_HPP

extern "C++" { // also where a program includes this inside of extern "C"

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
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__linux__) && __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

// Clang makes no vectors of loops that look for the largest of floats, and warns of each that is asked
// to be: it finds the same without.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
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
// source was read without OpenMP, G2O_SOURCE_OPENMP, never defined, stands for _OPENMP. Functions
// that only a device runs ask for G2O_CUDA_ARCH.
#define G2O 1
#define G2O_CUDA_VERSION 12000
#define G2O_CUDA_VERSION_MAJOR 12
#define G2O_CUDA_VERSION_MINOR 0
#define G2O_CUDA_VERSION_BUILD 0
#define G2O_CUDA_ARCH 800

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
// dim3 and the vector types
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

    constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1)
        : x(width), y(height), z(depth)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

// ================================================================================================
// Types, enumerations and flags of the runtime API
// ================================================================================================

// They live in a namespace of their own: an unqualified call such as free(streams) must not find
// g2o::free by way of the type of its argument.
namespace g2o::types {
struct GraphState;
}

// What handles point to has the tags that it has in CUDA: programs that do without CUDA's headers
// declare them.

struct CUstream_st {
    unsigned flags;
    int priority;
    g2o::types::GraphState *capture; // the graph that takes what is enqueued; mostly null
};

struct CUevent_st {
    unsigned flags;
    bool recorded;
    std::chrono::steady_clock::time_point time;
    g2o::types::GraphState *capture;
};

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
    error(ErrorStubLibrary, 34, "CUDA driver is a stub library")                                   \
    error(ErrorInsufficientDriver, 35,                                                             \
          "CUDA driver version is insufficient for CUDA runtime version")                          \
    error(ErrorCallRequiresNewerDriver, 36,                                                        \
          "API call is not supported in the installed CUDA driver")                                \
    error(ErrorInvalidSurface, 37, "invalid surface reference")                                    \
    error(ErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")    \
    error(ErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")             \
    error(ErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")             \
    error(ErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")        \
    error(ErrorIncompatibleDriverContext, 49, "incompatible driver context")                       \
    error(ErrorMissingConfiguration, 52, "__global__ function call is not configured")             \
    error(ErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")               \
    error(ErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
    error(ErrorLaunchFileScopedTex, 66,                                                            \
          "launch failed because kernel uses unsupported, file-scoped textures (texture "          \
          "objects are supported)")                                                                \
    error(ErrorLaunchFileScopedSurf, 67,                                                           \
          "launch failed because kernel uses unsupported, file-scoped surfaces (surface "          \
          "objects are supported)")                                                                \
    error(ErrorSyncDepthExceeded, 68,                                                              \
          "cudaDeviceSynchronize failed because caller's grid depth exceeds "                      \
          "cudaLimitDevRuntimeSyncDepth")                                                          \
    error(ErrorLaunchPendingCountExceeded, 69,                                                     \
          "launch failed because launch would exceed "                                             \
          "cudaLimitDevRuntimePendingLaunchCount")                                                 \
    error(ErrorInvalidDeviceFunction, 98, "invalid device function")                               \
    error(ErrorNoDevice, 100, "no CUDA-capable device is detected")                                \
    error(ErrorInvalidDevice, 101, "invalid device ordinal")                                       \
    error(ErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                   \
    error(ErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                     \
    error(ErrorStartupFailure, 127, "startup failure in cuda runtime")                             \
    error(ErrorInvalidKernelImage, 200, "device kernel image is invalid")                          \
    error(ErrorDeviceUninitialized, 201, "invalid device context")                                 \
    error(ErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                      \
    error(ErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                  \
    error(ErrorArrayIsMapped, 207, "array is mapped")                                              \
    error(ErrorAlreadyMapped, 208, "resource already mapped")                                      \
    error(ErrorNoKernelImageForDevice, 209,                                                        \
          "no kernel image is available for execution on the device")                              \
    error(ErrorAlreadyAcquired, 210, "resource already acquired")                                  \
    error(ErrorNotMapped, 211, "resource not mapped")                                              \
    error(ErrorNotMappedAsArray, 212, "resource not mapped as array")                              \
    error(ErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                          \
    error(ErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                       \
    error(ErrorUnsupportedLimit, 215, "limit is not supported on this architecture")               \
    error(ErrorDeviceAlreadyInUse, 216,                                                            \
          "exclusive-thread device already in use by a different thread")                          \
    error(ErrorPeerAccessUnsupported, 217,                                                         \
          "peer access is not supported between these two devices")                                \
    error(ErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                    \
    error(ErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                   \
    error(ErrorNvlinkUncorrectable, 220,                                                           \
          "uncorrectable NVLink error detected during the execution")                              \
    error(ErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                     \
    error(ErrorUnsupportedPtxVersion, 222,                                                         \
          "the provided PTX was compiled with an unsupported toolchain.")                          \
    error(ErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                    \
    error(ErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")   \
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
    error(ErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")        \
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
    error(ErrorSystemNotReady, 802, "system not yet initialized")                                  \
    error(ErrorSystemDriverMismatch, 803,                                                          \
          "system has unsupported display driver / cuda driver combination")                       \
    error(ErrorCompatNotSupportedOnDevice, 804,                                                    \
          "forward compatibility was attempted on non supported HW")                               \
    error(ErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")  \
    error(ErrorStreamCaptureInvalidated, 901,                                                      \
          "operation failed due to a previous error during capture")                               \
    error(ErrorStreamCaptureMerge, 902,                                                            \
          "operation would result in a merge of separate capture sequences")                       \
    error(ErrorStreamCaptureUnmatched, 903,                                                        \
          "capture was not ended in the same stream as it began")                                  \
    error(ErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                   \
    error(ErrorStreamCaptureIsolation, 905,                                                        \
          "dependency created on uncaptured work in another stream")                               \
    error(ErrorStreamCaptureImplicit, 906,                                                         \
          "operation would make the legacy stream depend on a capturing blocking stream")          \
    error(ErrorCapturedEvent, 907,                                                                 \
          "operation not permitted on an event last recorded in a capturing stream")               \
    error(ErrorStreamCaptureWrongThread, 908,                                                      \
          "attempt to terminate a thread-local capture sequence from another thread")              \
    error(ErrorTimeout, 909, "wait operation timed out")                                           \
    error(ErrorGraphExecUpdateFailure, 910, "the graph update was not performed because it "       \
          "included changes which violated constraints specific to instantiated graph update")     \
    error(ErrorContextAlreadyCurrent, 202, "context is current")                                   \
    error(ErrorUnsupportedDevSideSync, 225, "no such synchronization")                             \
    error(ErrorContained, 226, "error is contained")                                               \
    error(ErrorLossyQuery, 402, "query is lossy")                                                  \
    error(ErrorTensorMemoryLeak, 721, "tensor memory leak")                                        \
    error(ErrorMpsConnectionFailed, 805, "MPS: no connection")                                     \
    error(ErrorMpsRpcFailure, 806, "MPS: call failed")                                             \
    error(ErrorMpsServerNotReady, 807, "MPS: not ready")                                           \
    error(ErrorMpsMaxClientsReached, 808, "MPS: too many clients")                                 \
    error(ErrorMpsMaxConnectionsReached, 809, "MPS: no connections left")                          \
    error(ErrorMpsClientTerminated, 810, "MPS: client ended")                                      \
    error(ErrorCdpNotSupported, 811, "no such device runtime")                                     \
    error(ErrorCdpVersionMismatch, 812, "other device runtime")                                    \
    error(ErrorExternalDevice, 911, "error of a device")                                           \
    error(ErrorInvalidClusterSize, 912, "invalid cluster")                                         \
    error(ErrorFunctionNotLoaded, 913, "function not loaded")                                      \
    error(ErrorInvalidResourceType, 914, "invalid resource")                                       \
    error(ErrorInvalidResourceConfiguration, 915, "invalid resources")                             \
    error(ErrorKeyRotation, 916, "key rotation")                                                   \
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

enum MemoryType { MemoryTypeUnregistered, MemoryTypeHost, MemoryTypeDevice, MemoryTypeManaged };

enum MemoryAdvise {
    MemAdviseSetReadMostly = 1,
    MemAdviseUnsetReadMostly = 2,
    MemAdviseSetPreferredLocation = 3,
    MemAdviseUnsetPreferredLocation = 4,
    MemAdviseSetAccessedBy = 5,
    MemAdviseUnsetAccessedBy = 6
};

enum MemLocationType { MemLocationTypeInvalid, MemLocationTypeDevice, MemLocationTypeHost };

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
constexpr int CpuDeviceId = -1, InvalidDeviceId = -2;

using Stream = CUstream_st *; // null: the default stream
using Event = CUevent_st *;
using StreamCallback = void (*)(Stream, Error, void *);
using HostFn = void (*)(void *);

inline const Stream StreamLegacy = reinterpret_cast<Stream>(1);
inline const Stream StreamPerThread = reinterpret_cast<Stream>(2);
inline const Stream StreamFireAndForget = reinterpret_cast<Stream>(4);

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
// The runtime API
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
    return stream == nullptr || stream == StreamLegacy || stream == StreamPerThread ||
           stream == StreamFireAndForget;
}

inline Graph capture_of(Stream stream)
{
    return is_default_stream(stream) ? nullptr : stream->capture;
}

template <class F> struct GraphOperationOf final : GraphOperation {
    explicit GraphOperationOf(F function) : operation(std::move(function)) {}
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

// What is given becomes a T: 0 becomes a pointer.
template <class T> using As = std::tuple_element_t<0, std::tuple<T>>;

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
template <class... P>
void enqueue(Stream stream, void (*kernel)(P...), detail::As<P>... arguments)
{
    detail::enqueue(stream, [kernel, values = std::tuple<std::decay_t<P>...>(arguments...)] {
        std::apply(kernel, values);
        return Success;
    });
}

// The same where the arguments say which function it is, or some are left out.
template <class F, class... A, class = std::enable_if_t<std::is_class_v<F>>>
void enqueue(Stream stream, F kernel, A &&...arguments)
{
    std::tuple<std::decay_t<A>...> values(std::forward<A>(arguments)...);
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

struct Allocation {
    std::size_t bytes;
    int device;
    Space space;
};

// What was allocated, by address: OpenMP does not tell whose memory an address belongs to, and what
// is freed twice is an error in CUDA that programs do not notice.
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
    static Allocations &known = *new Allocations; // destructors of static objects free memory, too
    return known;
}

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
template <class T> Error allocate(T **pointer, std::size_t bytes, Space space = Space::device)
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
    allocations().add(memory, {bytes, 0, space});
    *pointer = static_cast<T *>(memory);
    return Success;
}

inline Error release(void *memory)
{
    if (memory != nullptr && !allocations().remove(memory))
        return ErrorInvalidValue;
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

// Nothing is ever outstanding, so there is nothing to wait for.
inline Error device_synchronize() { return Success; }
inline Error thread_synchronize() { return Success; }

inline Error device_reset()
{
    detail::last_error() = Success;
    return Success;
}

inline Error thread_exit() { return device_reset(); }

// ---- streams and events -------------------------------------------------------------------------

inline Error stream_create_with_priority(Stream *stream, unsigned flags, int priority)
{
    if (stream == nullptr)
        return detail::report(ErrorInvalidValue);
    *stream = new CUstream_st{flags, priority, nullptr};
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
    *event = new CUevent_st{flags, false, {}, nullptr};
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

// ---- functions and launches ---------------------------------------------------------------------

namespace detail {

inline bool is_launchable(dim3 grid, dim3 block)
{
    const std::size_t threads = std::size_t(block.x) * block.y * block.z;
    return grid.x > 0 && grid.y > 0 && grid.z > 0 && threads > 0 && threads <= 1024;
}

} // namespace detail

// A launch through a function pointer, whose type tells by its number of parameters whether the
// kernel has dynamic shared memory. Fails where a device could not launch that many threads.
template <class... P>
void launch(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block, std::size_t,
            detail::As<P>... arguments)
{
    if (!detail::is_launchable(grid, block))
        detail::report(ErrorInvalidConfiguration);
    else
        kernel(grid, block, std::forward<P>(arguments)...);
}

template <class... P>
void launch(void (*kernel)(dim3, dim3, std::size_t, P...), dim3 grid, dim3 block,
            std::size_t shared_bytes, detail::As<P>... arguments)
{
    launch<std::size_t, P...>(kernel, grid, block, 0, shared_bytes, std::forward<P>(arguments)...);
}

namespace detail {

template <auto kernel, class... P>
constexpr auto ignoring_shared_bytes(void (*)(dim3, dim3, P...))
{
    return +[](dim3 grid, dim3 block, std::size_t, P... arguments) {
        kernel(grid, block, std::forward<P>(arguments)...);
    };
}

} // namespace detail

// A kernel without dynamic shared memory, for a pointer that holds kernels with it, too.
template <auto kernel>
inline constexpr auto with_shared_bytes = detail::ignoring_shared_bytes<kernel>(kernel);

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

} // extern "C++"

#endif // G2O_RUNTIME_HPP
