// cudaError_t: CUDA's codes under CUDA's numbers, names and descriptions.
#pragma once

#define G2O_EMULATOR_ERRORS(X)                                                                     \
    X(Success, 0, "no error")                                                                      \
    X(ErrorInvalidValue, 1, "invalid argument")                                                    \
    X(ErrorMemoryAllocation, 2, "out of memory")                                                   \
    X(ErrorInitializationError, 3, "initialization error")                                         \
    X(ErrorCudartUnloading, 4, "driver shutting down")                                             \
    X(ErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")           \
    X(ErrorProfilerNotInitialized, 6, "profiler is not initialized")                               \
    X(ErrorProfilerAlreadyStarted, 7, "profiler already started")                                  \
    X(ErrorProfilerAlreadyStopped, 8, "profiler already stopped")                                  \
    X(ErrorInvalidConfiguration, 9, "invalid configuration argument")                              \
    X(ErrorInvalidPitchValue, 12, "invalid pitch argument")                                        \
    X(ErrorInvalidSymbol, 13, "invalid device symbol")                                             \
    X(ErrorInvalidHostPointer, 16, "invalid host pointer")                                         \
    X(ErrorInvalidDevicePointer, 17, "invalid device pointer")                                     \
    X(ErrorInvalidTexture, 18, "invalid texture reference")                                        \
    X(ErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                         \
    X(ErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                             \
    X(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                        \
    X(ErrorAddressOfConstant, 22, "address of constant memory was taken")                          \
    X(ErrorTextureFetchFailed, 23, "fetch from texture failed")                                    \
    X(ErrorTextureNotBound, 24, "texture is not bound")                                            \
    X(ErrorSynchronizationError, 25, "synchronization error")                                      \
    X(ErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")          \
    X(ErrorInvalidNormSetting, 27,                                                                 \
      "read as normalized float not supported for 32-bit non float type")                          \
    X(ErrorMixedDeviceExecution, 28, "device emulation is mixed with execution on a device")       \
    X(ErrorNotYetImplemented, 31, "feature not yet implemented")                                   \
    X(ErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")     \
    X(ErrorStubLibrary, 34, "CUDA driver is a stub library")                                       \
    X(ErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
    X(ErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver")  \
    X(ErrorInvalidSurface, 37, "invalid surface reference")                                        \
    X(ErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")        \
    X(ErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                 \
    X(ErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                 \
    X(ErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")            \
    X(ErrorIncompatibleDriverContext, 49, "incompatible driver context")                           \
    X(ErrorMissingConfiguration, 52, "__global__ function call is not configured")                 \
    X(ErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")                   \
    X(ErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")     \
    X(ErrorLaunchFileScopedTex, 66,                                                                \
      "launch failed because kernel uses unsupported, file-scoped textures (texture "              \
      "objects are supported)")                                                                    \
    X(ErrorLaunchFileScopedSurf, 67,                                                               \
      "launch failed because kernel uses unsupported, file-scoped surfaces (surface "              \
      "objects are supported)")                                                                    \
    X(ErrorSyncDepthExceeded, 68,                                                                  \
      "cudaDeviceSynchronize failed because caller's grid depth exceeds "                          \
      "cudaLimitDevRuntimeSyncDepth")                                                              \
    X(ErrorLaunchPendingCountExceeded, 69,                                                         \
      "launch failed because launch would exceed "                                                 \
      "cudaLimitDevRuntimePendingLaunchCount")                                                     \
    X(ErrorInvalidDeviceFunction, 98, "invalid device function")                                   \
    X(ErrorNoDevice, 100, "no CUDA-capable device is detected")                                    \
    X(ErrorInvalidDevice, 101, "invalid device ordinal")                                           \
    X(ErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                       \
    X(ErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                         \
    X(ErrorStartupFailure, 127, "startup failure in cuda runtime")                                 \
    X(ErrorInvalidKernelImage, 200, "device kernel image is invalid")                              \
    X(ErrorDeviceUninitialized, 201, "invalid device context")                                     \
    X(ErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                          \
    X(ErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                      \
    X(ErrorArrayIsMapped, 207, "array is mapped")                                                  \
    X(ErrorAlreadyMapped, 208, "resource already mapped")                                          \
    X(ErrorNoKernelImageForDevice, 209,                                                            \
      "no kernel image is available for execution on the device")                                  \
    X(ErrorAlreadyAcquired, 210, "resource already acquired")                                      \
    X(ErrorNotMapped, 211, "resource not mapped")                                                  \
    X(ErrorNotMappedAsArray, 212, "resource not mapped as array")                                  \
    X(ErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                              \
    X(ErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                           \
    X(ErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                   \
    X(ErrorDeviceAlreadyInUse, 216,                                                                \
      "exclusive-thread device already in use by a different thread")                              \
    X(ErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")   \
    X(ErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                        \
    X(ErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                       \
    X(ErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")   \
    X(ErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                         \
    X(ErrorUnsupportedPtxVersion, 222,                                                             \
      "the provided PTX was compiled with an unsupported toolchain.")                              \
    X(ErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                        \
    X(ErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")       \
    X(ErrorInvalidSource, 300, "device kernel image is invalid")                                   \
    X(ErrorFileNotFound, 301, "file not found")                                                    \
    X(ErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                      \
    X(ErrorSharedObjectInitFailed, 303, "shared object initialization failed")                     \
    X(ErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")           \
    X(ErrorInvalidResourceHandle, 400, "invalid resource handle")                                  \
    X(ErrorIllegalState, 401, "the operation cannot be performed in the present state")            \
    X(ErrorSymbolNotFound, 500, "named symbol not found")                                          \
    X(ErrorNotReady, 600, "device not ready")                                                      \
    X(ErrorIllegalAddress, 700, "an illegal memory access was encountered")                        \
    X(ErrorLaunchOutOfResources, 701, "too many resources requested for launch")                   \
    X(ErrorLaunchTimeout, 702, "the launch timed out and was terminated")                          \
    X(ErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")            \
    X(ErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                        \
    X(ErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                          \
    X(ErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")           \
    X(ErrorContextIsDestroyed, 709, "context is destroyed")                                        \
    X(ErrorAssert, 710, "device-side assert triggered")                                            \
    X(ErrorTooManyPeers, 711, "peer mapping resources exhausted")                                  \
    X(ErrorHostMemoryAlreadyRegistered, 712,                                                       \
      "part or all of the requested memory range is already mapped")                               \
    X(ErrorHostMemoryNotRegistered, 713,                                                           \
      "pointer does not correspond to a registered memory region")                                 \
    X(ErrorHardwareStackError, 714, "hardware stack error")                                        \
    X(ErrorIllegalInstruction, 715, "an illegal instruction was encountered")                      \
    X(ErrorMisalignedAddress, 716, "misaligned address")                                           \
    X(ErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")     \
    X(ErrorInvalidPc, 718, "invalid program counter")                                              \
    X(ErrorLaunchFailure, 719, "unspecified launch failure")                                       \
    X(ErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                \
    X(ErrorNotPermitted, 800, "operation not permitted")                                           \
    X(ErrorNotSupported, 801, "operation not supported")                                           \
    X(ErrorSystemNotReady, 802, "system not yet initialized")                                      \
    X(ErrorSystemDriverMismatch, 803,                                                              \
      "system has unsupported display driver / cuda driver combination")                           \
    X(ErrorCompatNotSupportedOnDevice, 804,                                                        \
      "forward compatibility was attempted on non supported HW")                                   \
    X(ErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")      \
    X(ErrorStreamCaptureInvalidated, 901,                                                          \
      "operation failed due to a previous error during capture")                                   \
    X(ErrorStreamCaptureMerge, 902,                                                                \
      "operation would result in a merge of separate capture sequences")                           \
    X(ErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")    \
    X(ErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                       \
    X(ErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream") \
    X(ErrorStreamCaptureImplicit, 906,                                                             \
      "operation would make the legacy stream depend on a capturing blocking stream")              \
    X(ErrorCapturedEvent, 907,                                                                     \
      "operation not permitted on an event last recorded in a capturing stream")                   \
    X(ErrorStreamCaptureWrongThread, 908,                                                          \
      "attempt to terminate a thread-local capture sequence from another thread")                  \
    X(ErrorTimeout, 909, "wait operation timed out")                                               \
    X(ErrorGraphExecUpdateFailure, 910,                                                            \
      "the graph update was not performed because it included changes which violated constraints " \
      "specific to instantiated graph update")                                                     \
    X(ErrorContextAlreadyCurrent, 202, "context is current")                                       \
    X(ErrorUnsupportedDevSideSync, 225, "no such synchronization")                                 \
    X(ErrorContained, 226, "error is contained")                                                   \
    X(ErrorLossyQuery, 402, "query is lossy")                                                      \
    X(ErrorTensorMemoryLeak, 721, "tensor memory leak")                                            \
    X(ErrorMpsConnectionFailed, 805, "MPS: no connection")                                         \
    X(ErrorMpsRpcFailure, 806, "MPS: call failed")                                                 \
    X(ErrorMpsServerNotReady, 807, "MPS: not ready")                                               \
    X(ErrorMpsMaxClientsReached, 808, "MPS: too many clients")                                     \
    X(ErrorMpsMaxConnectionsReached, 809, "MPS: no connections left")                              \
    X(ErrorMpsClientTerminated, 810, "MPS: client ended")                                          \
    X(ErrorCdpNotSupported, 811, "no such device runtime")                                         \
    X(ErrorCdpVersionMismatch, 812, "other device runtime")                                        \
    X(ErrorExternalDevice, 911, "error of a device")                                               \
    X(ErrorInvalidClusterSize, 912, "invalid cluster")                                             \
    X(ErrorFunctionNotLoaded, 913, "function not loaded")                                          \
    X(ErrorInvalidResourceType, 914, "invalid resource")                                           \
    X(ErrorInvalidResourceConfiguration, 915, "invalid resources")                                 \
    X(ErrorKeyRotation, 916, "key rotation")                                                       \
    X(ErrorUnknown, 999, "unknown error")                                                          \
    X(ErrorApiFailureBase, 10000, "api failure base")

enum cudaError {
#define G2O_EMULATOR_ENUMERATOR(name, value, text) cuda##name = value,
    G2O_EMULATOR_ERRORS(G2O_EMULATOR_ENUMERATOR)
#undef G2O_EMULATOR_ENUMERATOR
};
using cudaError_t = cudaError;

// The driver API's, which programs compare results of the runtime with, or give names to.
enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_PROFILER_DISABLED = 5,
    CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
    CUDA_ERROR_PROFILER_ALREADY_STARTED = 7,
    CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_DEVICE_NOT_LICENSED = 102,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
    CUDA_ERROR_MAP_FAILED = 205,
    CUDA_ERROR_UNMAP_FAILED = 206,
    CUDA_ERROR_ARRAY_IS_MAPPED = 207,
    CUDA_ERROR_ALREADY_MAPPED = 208,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_ALREADY_ACQUIRED = 210,
    CUDA_ERROR_NOT_MAPPED = 211,
    CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,
    CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
    CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
    CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224,
    CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225,
    CUDA_ERROR_CONTAINED = 226,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
    CUDA_ERROR_OPERATING_SYSTEM = 304,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_LOSSY_QUERY = 402,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
    CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_TOO_MANY_PEERS = 711,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_SYSTEM_NOT_READY = 802,
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
    CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
    CUDA_ERROR_MPS_RPC_FAILURE = 806,
    CUDA_ERROR_MPS_SERVER_NOT_READY = 807,
    CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
    CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,
    CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,
    CUDA_ERROR_CDP_NOT_SUPPORTED = 811,
    CUDA_ERROR_CDP_VERSION_MISMATCH = 812,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
    CUDA_ERROR_CAPTURED_EVENT = 907,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
    CUDA_ERROR_TIMEOUT = 909,
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
    CUDA_ERROR_EXTERNAL_DEVICE = 911,
    CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
    CUDA_ERROR_FUNCTION_NOT_LOADED = 913,
    CUDA_ERROR_INVALID_RESOURCE_TYPE = 914,
    CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
    CUDA_ERROR_KEY_ROTATION = 916,
    CUDA_ERROR_UNKNOWN = 999
};
using CUresult = cudaError_enum;

namespace g2o_emulator {

inline cudaError_t &last_error() {
    static thread_local cudaError_t error = cudaSuccess;
    return error;
}

// Remember an error as the runtime does, and return it.
inline cudaError_t status(cudaError_t error) {
    if (error != cudaSuccess)
        last_error() = error;
    return error;
}

} // namespace g2o_emulator

inline const char *cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define G2O_EMULATOR_NAME(name, value, text)                                                       \
    case cuda##name:                                                                               \
        return "cuda" #name;
        G2O_EMULATOR_ERRORS(G2O_EMULATOR_NAME)
#undef G2O_EMULATOR_NAME
    }
    return "unrecognized error code";
}

inline const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define G2O_EMULATOR_TEXT(name, value, text)                                                       \
    case cuda##name:                                                                               \
        return text;
        G2O_EMULATOR_ERRORS(G2O_EMULATOR_TEXT)
#undef G2O_EMULATOR_TEXT
    }
    return "unrecognized error code";
}

inline cudaError_t cudaGetLastError() {
    cudaError_t error = g2o_emulator::last_error();
    g2o_emulator::last_error() = cudaSuccess;
    return error;
}
inline cudaError_t cudaPeekAtLastError() { return g2o_emulator::last_error(); }
