"""CUDA's runtime API: its functions, types and constants, and what each is called in g2o."""

from __future__ import annotations

from typing import Final

from g2o.frontend.cuda.naming import (
    enumerators,
    functions,
    intrinsics,
    prefixed,
    read_only,
    snake_case,
    types,
    words,
)

RUNTIME_FUNCTIONS: Final = read_only(
    functions(
        words(
            """
        cudaGetLastError cudaPeekAtLastError cudaGetErrorName cudaGetErrorString
        cudaDriverGetVersion cudaRuntimeGetVersion

        cudaGetDeviceCount cudaGetDevice cudaSetDevice cudaChooseDevice cudaGetDeviceProperties
        cudaSetDeviceFlags cudaGetDeviceFlags cudaDeviceSynchronize cudaDeviceReset
        cudaInitDevice cudaDeviceGetByPCIBusId
        cudaDeviceGetAttribute cudaDeviceGetPCIBusId cudaDeviceGetLimit cudaDeviceSetLimit
        cudaDeviceGetCacheConfig cudaDeviceSetCacheConfig cudaDeviceGetSharedMemConfig
        cudaDeviceSetSharedMemConfig cudaDeviceGetStreamPriorityRange cudaDeviceCanAccessPeer
        cudaDeviceEnablePeerAccess cudaDeviceDisablePeerAccess cudaDeviceGetP2PAttribute
        cudaThreadSynchronize cudaThreadExit
        cudaThreadSetLimit cudaThreadSetCacheConfig cudaProfilerStart cudaProfilerStop

        cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority
        cudaStreamGetPriority cudaStreamGetAttribute cudaStreamSetAttribute
        cudaStreamGetFlags cudaStreamDestroy cudaStreamSynchronize
        cudaStreamQuery cudaStreamWaitEvent cudaStreamAddCallback cudaStreamAttachMemAsync
        cudaLaunchHostFunc cudaEventCreate cudaEventCreateWithFlags cudaEventRecord
        cudaEventRecordWithFlags cudaEventQuery cudaEventSynchronize cudaEventDestroy
        cudaEventElapsedTime

        cudaStreamBeginCapture cudaStreamEndCapture cudaStreamIsCapturing
        cudaGraphInstantiate cudaGraphInstantiateWithFlags cudaGraphUpload cudaGraphLaunch
        cudaGraphGetNodes cudaGraphExecDestroy cudaGraphDestroy
        cudaGraphCreate cudaGraphClone cudaGraphNodeFindInClone cudaGraphAddDependencies
        cudaGraphRemoveDependencies cudaGraphGetRootNodes cudaGraphNodeGetType
        cudaGraphAddEmptyNode cudaGraphAddChildGraphNode cudaGraphAddKernelNode
        cudaGraphAddMemcpyNode cudaGraphAddMemcpyNode1D cudaGraphAddMemsetNode
        cudaGraphAddHostNode cudaGraphKernelNodeGetParams cudaGraphKernelNodeSetParams
        cudaGraphExecKernelNodeSetParams cudaGraphMemcpyNodeGetParams
        cudaGraphMemcpyNodeSetParams cudaGraphMemcpyNodeSetParams1D
        cudaGraphExecMemcpyNodeSetParams cudaGraphExecMemcpyNodeSetParams1D
        cudaGraphMemsetNodeGetParams cudaGraphMemsetNodeSetParams
        cudaGraphExecMemsetNodeSetParams cudaGraphHostNodeGetParams cudaGraphHostNodeSetParams
        cudaGraphExecHostNodeSetParams cudaGraphExecUpdate

        cudaMalloc cudaMallocHost cudaMallocManaged cudaMallocPitch cudaMalloc3D cudaMallocArray
        cudaMalloc3DArray cudaMallocAsync cudaFree cudaFreeHost cudaFreeArray cudaFreeAsync
        cudaArrayGetInfo
        cudaHostAlloc cudaHostRegister cudaHostUnregister cudaHostGetDevicePointer
        cudaHostGetFlags cudaMemGetInfo cudaPointerGetAttributes

        cudaMemcpy cudaMemcpyAsync cudaMemcpyPeer cudaMemcpyPeerAsync cudaMemcpy2D
        cudaMemcpy2DAsync cudaMemcpyToArray cudaMemcpyFromArray cudaMemcpy2DToArray
        cudaMemcpy2DToArrayAsync cudaMemset3DAsync
        cudaMemcpyToArrayAsync cudaMemcpyFromArrayAsync cudaMemcpy2DFromArrayAsync
        cudaMemcpy2DArrayToArray
        cudaMemcpy2DFromArray cudaMemcpy3D cudaMemcpy3DAsync cudaMemcpyToSymbol
        cudaMemcpyFromSymbol cudaMemcpyToSymbolAsync cudaMemcpyFromSymbolAsync
        cudaGetSymbolAddress cudaGetSymbolSize cudaMemset cudaMemsetAsync cudaMemset2D
        cudaMemset2DAsync cudaMemset3D cudaMemPrefetchAsync cudaMemAdvise

        cudaCreateChannelDesc cudaCreateTextureObject cudaDestroyTextureObject
        cudaGetTextureObjectResourceDesc cudaCreateSurfaceObject cudaDestroySurfaceObject
        cudaBindTexture cudaBindTexture2D cudaBindTextureToArray cudaUnbindTexture

        cudaLaunchKernel cudaLaunchCooperativeKernel cudaLaunchKernelEx cudaLaunchKernelExC
        cudaFuncGetAttributes cudaFuncSetAttribute
        cudaFuncSetCacheConfig cudaFuncSetSharedMemConfig
        cudaOccupancyMaxActiveBlocksPerMultiprocessor
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaOccupancyMaxPotentialBlockSize
        cudaOccupancyMaxPotentialBlockSizeWithFlags cudaOccupancyMaxPotentialBlockSizeVariableSMem
        cudaOccupancyAvailableDynamicSMemPerBlock

        cudaDeviceGetDefaultMemPool cudaDeviceGetMemPool cudaDeviceSetMemPool
        cudaMemPoolSetAttribute cudaMemPoolGetAttribute cudaMemPoolTrimTo cudaMallocFromPoolAsync
        cudaMemPoolCreate cudaMemPoolDestroy cudaMemPoolSetAccess cudaMemPoolGetAccess

        nvtxInitialize nvtxMarkA nvtxMarkW nvtxMarkEx nvtxRangeStartA nvtxRangeStartW
        nvtxRangeStartEx nvtxRangeEnd nvtxRangePushA nvtxRangePushW nvtxRangePushEx nvtxRangePop
        nvtxNameOsThreadA nvtxNameOsThreadW nvtxNameCategoryA nvtxNameCategoryW
        nvtxDomainCreateA nvtxDomainCreateW nvtxDomainDestroy nvtxDomainMarkEx
        nvtxDomainRangeStartEx nvtxDomainRangeEnd nvtxDomainRangePushEx nvtxDomainRangePop
        nvtxDomainRegisterStringA nvtxDomainRegisterStringW
        """
        )
    )
    | {
        "make_cudaExtent": "g2o::make_extent",
        "make_cudaPos": "g2o::make_pos",
        "cudaCtxResetPersistingL2Cache": "g2o::ctx_reset_persisting_l2_cache",
        "make_cudaPitchedPtr": "g2o::make_pitched_ptr",
        **{
            f"nvtx{name}": f"g2o::nvtx_{snake_case(name)}_a"  # of NVTX, macros for the functions
            for name in ("Mark", "RangeStart", "RangePush", "NameOsThread", "NameCategory")
        },
        # Of the driver API, what programs of the runtime API call as well.
        "cuInit": "g2o::init",
        "cuMemGetInfo": "g2o::mem_get_info",
    }
)
"""Functions of the runtime API -> functions of g2o_runtime.hpp with the same parameters."""

TYPES: Final = read_only(
    types(
        words(
            """
        cudaError_t cudaError cudaStream_t cudaEvent_t cudaDeviceProp cudaDeviceAttr
        cudaMemcpyKind cudaMemoryType cudaMemoryAdvise cudaPointerAttributes
        cudaExtent cudaPos cudaPitchedPtr cudaMemcpy3DParms cudaFuncAttributes cudaFuncAttribute
        cudaFuncCache cudaSharedMemConfig cudaLimit cudaComputeMode cudaStreamCallback_t
        cudaHostFn_t cudaUUID_t cudaArray_t cudaTextureObject_t cudaSurfaceObject_t
        cudaTextureDesc cudaResourceDesc
        cudaResourceType cudaChannelFormatDesc cudaChannelFormatKind cudaTextureAddressMode
        cudaTextureFilterMode cudaTextureReadMode cudaSurfaceBoundaryMode
        cudaMemPool_t cudaMemPoolAttr cudaMemPoolProps cudaMemLocation cudaMemLocationType
        cudaMemAllocationType cudaMemAllocationHandleType cudaMemAccessDesc cudaMemAccessFlags
        cudaDeviceP2PAttr cudaGraph_t cudaGraphExec_t cudaGraphNode_t
        cudaGraphNodeType cudaGraphExecUpdateResult cudaGraphExecUpdateResultInfo
        cudaKernelNodeParams cudaMemsetParams cudaHostNodeParams
        cudaStreamCaptureMode cudaStreamCaptureStatus cudaLaunchConfig_t cudaLaunchAttribute
        cudaLaunchAttributeID cudaLaunchAttributeValue cudaAccessPolicyWindow cudaAccessProperty
        cudaSynchronizationPolicy cudaStreamAttrID cudaStreamAttrValue
        """
        )
    )
    | {"cudaArray": "g2o::ArrayStorage", "cudaArray_const_t": "g2o::ArrayConst"}
    | {"CUresult": "g2o::Error", "CUstream": "g2o::Stream", "CUevent": "g2o::Event"}
    | {
        f"nvtx{name}_t": f"g2o::Nvtx{name}"
        for name in words("RangeId EventAttributes DomainHandle StringHandle")
    }
)
"""Types of the runtime API -> types of g2o_runtime.hpp."""

_DRIVER_ERRORS: Final = [
    one.partition(":")
    for one in words(
        """
    INVALID_VALUE:InvalidValue OUT_OF_MEMORY:MemoryAllocation
    NOT_INITIALIZED:InitializationError DEINITIALIZED:CudartUnloading
    PROFILER_DISABLED:ProfilerDisabled PROFILER_NOT_INITIALIZED:ProfilerNotInitialized
    PROFILER_ALREADY_STARTED:ProfilerAlreadyStarted
    PROFILER_ALREADY_STOPPED:ProfilerAlreadyStopped STUB_LIBRARY:StubLibrary
    CALL_REQUIRES_NEWER_DRIVER:CallRequiresNewerDriver DEVICE_UNAVAILABLE:DevicesUnavailable
    NO_DEVICE:NoDevice INVALID_DEVICE:InvalidDevice DEVICE_NOT_LICENSED:DeviceNotLicensed
    INVALID_IMAGE:InvalidKernelImage INVALID_CONTEXT:DeviceUninitialized
    CONTEXT_ALREADY_CURRENT:ContextAlreadyCurrent MAP_FAILED:MapBufferObjectFailed
    UNMAP_FAILED:UnmapBufferObjectFailed ARRAY_IS_MAPPED:ArrayIsMapped
    ALREADY_MAPPED:AlreadyMapped NO_BINARY_FOR_GPU:NoKernelImageForDevice
    ALREADY_ACQUIRED:AlreadyAcquired NOT_MAPPED:NotMapped
    NOT_MAPPED_AS_ARRAY:NotMappedAsArray NOT_MAPPED_AS_POINTER:NotMappedAsPointer
    ECC_UNCORRECTABLE:ECCUncorrectable UNSUPPORTED_LIMIT:UnsupportedLimit
    CONTEXT_ALREADY_IN_USE:DeviceAlreadyInUse PEER_ACCESS_UNSUPPORTED:PeerAccessUnsupported
    INVALID_PTX:InvalidPtx INVALID_GRAPHICS_CONTEXT:InvalidGraphicsContext
    NVLINK_UNCORRECTABLE:NvlinkUncorrectable JIT_COMPILER_NOT_FOUND:JitCompilerNotFound
    UNSUPPORTED_PTX_VERSION:UnsupportedPtxVersion
    JIT_COMPILATION_DISABLED:JitCompilationDisabled
    UNSUPPORTED_EXEC_AFFINITY:UnsupportedExecAffinity
    UNSUPPORTED_DEVSIDE_SYNC:UnsupportedDevSideSync CONTAINED:Contained
    INVALID_SOURCE:InvalidSource FILE_NOT_FOUND:FileNotFound
    SHARED_OBJECT_SYMBOL_NOT_FOUND:SharedObjectSymbolNotFound
    SHARED_OBJECT_INIT_FAILED:SharedObjectInitFailed OPERATING_SYSTEM:OperatingSystem
    INVALID_HANDLE:InvalidResourceHandle ILLEGAL_STATE:IllegalState LOSSY_QUERY:LossyQuery
    NOT_FOUND:SymbolNotFound NOT_READY:NotReady ILLEGAL_ADDRESS:IllegalAddress
    LAUNCH_OUT_OF_RESOURCES:LaunchOutOfResources LAUNCH_TIMEOUT:LaunchTimeout
    LAUNCH_INCOMPATIBLE_TEXTURING:LaunchIncompatibleTexturing
    PEER_ACCESS_ALREADY_ENABLED:PeerAccessAlreadyEnabled
    PEER_ACCESS_NOT_ENABLED:PeerAccessNotEnabled PRIMARY_CONTEXT_ACTIVE:SetOnActiveProcess
    CONTEXT_IS_DESTROYED:ContextIsDestroyed ASSERT:Assert TOO_MANY_PEERS:TooManyPeers
    HOST_MEMORY_ALREADY_REGISTERED:HostMemoryAlreadyRegistered
    HOST_MEMORY_NOT_REGISTERED:HostMemoryNotRegistered
    HARDWARE_STACK_ERROR:HardwareStackError ILLEGAL_INSTRUCTION:IllegalInstruction
    MISALIGNED_ADDRESS:MisalignedAddress INVALID_ADDRESS_SPACE:InvalidAddressSpace
    INVALID_PC:InvalidPc LAUNCH_FAILED:LaunchFailure
    COOPERATIVE_LAUNCH_TOO_LARGE:CooperativeLaunchTooLarge
    TENSOR_MEMORY_LEAK:TensorMemoryLeak NOT_PERMITTED:NotPermitted
    NOT_SUPPORTED:NotSupported SYSTEM_NOT_READY:SystemNotReady
    SYSTEM_DRIVER_MISMATCH:SystemDriverMismatch
    COMPAT_NOT_SUPPORTED_ON_DEVICE:CompatNotSupportedOnDevice
    MPS_CONNECTION_FAILED:MpsConnectionFailed MPS_RPC_FAILURE:MpsRpcFailure
    MPS_SERVER_NOT_READY:MpsServerNotReady MPS_MAX_CLIENTS_REACHED:MpsMaxClientsReached
    MPS_MAX_CONNECTIONS_REACHED:MpsMaxConnectionsReached
    MPS_CLIENT_TERMINATED:MpsClientTerminated CDP_NOT_SUPPORTED:CdpNotSupported
    CDP_VERSION_MISMATCH:CdpVersionMismatch
    STREAM_CAPTURE_UNSUPPORTED:StreamCaptureUnsupported
    STREAM_CAPTURE_INVALIDATED:StreamCaptureInvalidated
    STREAM_CAPTURE_MERGE:StreamCaptureMerge STREAM_CAPTURE_UNMATCHED:StreamCaptureUnmatched
    STREAM_CAPTURE_UNJOINED:StreamCaptureUnjoined
    STREAM_CAPTURE_ISOLATION:StreamCaptureIsolation
    STREAM_CAPTURE_IMPLICIT:StreamCaptureImplicit CAPTURED_EVENT:CapturedEvent
    STREAM_CAPTURE_WRONG_THREAD:StreamCaptureWrongThread TIMEOUT:Timeout
    GRAPH_EXEC_UPDATE_FAILURE:GraphExecUpdateFailure EXTERNAL_DEVICE:ExternalDevice
    INVALID_CLUSTER_SIZE:InvalidClusterSize FUNCTION_NOT_LOADED:FunctionNotLoaded
    INVALID_RESOURCE_TYPE:InvalidResourceType
    INVALID_RESOURCE_CONFIGURATION:InvalidResourceConfiguration KEY_ROTATION:KeyRotation
    UNKNOWN:Unknown
    """
    )
]
"""Those of the driver API, which have the numbers of the runtime's, by its names."""

_ERRORS = """
    InvalidValue MemoryAllocation InitializationError CudartUnloading ProfilerDisabled
    InvalidConfiguration InvalidPitchValue InvalidSymbol InvalidHostPointer InvalidDevicePointer
    InvalidTexture InvalidTextureBinding InvalidChannelDescriptor InvalidMemcpyDirection
    InvalidFilterSetting InvalidNormSetting NotYetImplemented MemoryValueTooLarge
    InsufficientDriver InvalidSurface DevicesUnavailable MissingConfiguration PriorLaunchFailure
    InvalidDeviceFunction NoDevice InvalidDevice StartupFailure InvalidKernelImage
    NoKernelImageForDevice ECCUncorrectable UnsupportedLimit DeviceAlreadyInUse
    PeerAccessUnsupported InvalidPtx InvalidSource FileNotFound OperatingSystem
    InvalidResourceHandle IllegalState SymbolNotFound NotReady IllegalAddress
    LaunchOutOfResources LaunchTimeout PeerAccessAlreadyEnabled PeerAccessNotEnabled
    SetOnActiveProcess ContextIsDestroyed Assert TooManyPeers HostMemoryAlreadyRegistered
    HostMemoryNotRegistered HardwareStackError IllegalInstruction MisalignedAddress
    InvalidAddressSpace InvalidPc LaunchFailure CooperativeLaunchTooLarge NotPermitted
    NotSupported Unknown
    ProfilerNotInitialized ProfilerAlreadyStarted ProfilerAlreadyStopped AddressOfConstant
    TextureFetchFailed TextureNotBound SynchronizationError MixedDeviceExecution
    DuplicateVariableName DuplicateTextureName DuplicateSurfaceName IncompatibleDriverContext
    DeviceUninitialized
    MapBufferObjectFailed UnmapBufferObjectFailed SharedObjectSymbolNotFound SharedObjectInitFailed
    StubLibrary CallRequiresNewerDriver LaunchMaxDepthExceeded LaunchFileScopedTex
    LaunchFileScopedSurf SyncDepthExceeded LaunchPendingCountExceeded DeviceNotLicensed
    SoftwareValidityNotEstablished ArrayIsMapped AlreadyMapped AlreadyAcquired NotMapped
    NotMappedAsArray NotMappedAsPointer InvalidGraphicsContext NvlinkUncorrectable
    JitCompilerNotFound UnsupportedPtxVersion JitCompilationDisabled UnsupportedExecAffinity
    LaunchIncompatibleTexturing SystemNotReady SystemDriverMismatch CompatNotSupportedOnDevice
    StreamCaptureUnsupported StreamCaptureInvalidated StreamCaptureMerge StreamCaptureUnmatched
    StreamCaptureUnjoined StreamCaptureIsolation StreamCaptureImplicit CapturedEvent
    StreamCaptureWrongThread Timeout
    GraphExecUpdateFailure ApiFailureBase
    ContextAlreadyCurrent UnsupportedDevSideSync Contained LossyQuery TensorMemoryLeak
    MpsConnectionFailed MpsRpcFailure MpsServerNotReady MpsMaxClientsReached
    MpsMaxConnectionsReached MpsClientTerminated CdpNotSupported CdpVersionMismatch
    ExternalDevice InvalidClusterSize FunctionNotLoaded InvalidResourceType
    InvalidResourceConfiguration KeyRotation
"""

_DEVICE_ATTRIBUTES = """
    MaxThreadsPerBlock MaxBlockDimX MaxBlockDimY MaxBlockDimZ MaxGridDimX MaxGridDimY MaxGridDimZ
    MaxSharedMemoryPerBlock TotalConstantMemory WarpSize MaxPitch MaxRegistersPerBlock ClockRate
    TextureAlignment GpuOverlap MultiProcessorCount KernelExecTimeout Integrated CanMapHostMemory
    ComputeMode ConcurrentKernels EccEnabled PciBusId PciDeviceId TccDriver MemoryClockRate
    GlobalMemoryBusWidth L2CacheSize MaxThreadsPerMultiProcessor AsyncEngineCount
    UnifiedAddressing PciDomainId TexturePitchAlignment ComputeCapabilityMajor
    ComputeCapabilityMinor StreamPrioritiesSupported GlobalL1CacheSupported LocalL1CacheSupported
    MaxSharedMemoryPerMultiprocessor MaxRegistersPerMultiprocessor ManagedMemory IsMultiGpuBoard
    MultiGpuBoardGroupID HostNativeAtomicSupported SingleToDoublePrecisionPerfRatio
    PageableMemoryAccess ConcurrentManagedAccess ComputePreemptionSupported
    CanUseHostPointerForRegisteredMem CooperativeLaunch MaxSharedMemoryPerBlockOptin
    HostRegisterSupported PageableMemoryAccessUsesHostPageTables DirectManagedMemAccessFromHost
    MaxBlocksPerMultiprocessor ReservedSharedMemoryPerBlock MemoryPoolsSupported
"""

ENUMERATORS: Final = read_only(
    enumerators(
        [
            "cudaSuccess",
            *prefixed("cudaError", _ERRORS),
            *prefixed("cudaDevAttr", _DEVICE_ATTRIBUTES),
            *prefixed("cudaMemcpy", "HostToHost HostToDevice DeviceToHost DeviceToDevice Default"),
            *prefixed("cudaMemoryType", "Unregistered Host Device Managed"),
            *prefixed(
                "cudaMemAdvise",
                "SetReadMostly UnsetReadMostly SetPreferredLocation UnsetPreferredLocation"
                " SetAccessedBy UnsetAccessedBy",
            ),
            *prefixed("cudaFuncCachePrefer", "None Shared L1 Equal"),
            *prefixed("cudaSharedMemBankSize", "Default FourByte EightByte"),
            *prefixed(
                "cudaFuncAttribute",
                "MaxDynamicSharedMemorySize PreferredSharedMemoryCarveout",
            ),
            *prefixed(
                "cudaLaunchAttribute",
                "Ignore AccessPolicyWindow Cooperative SynchronizationPolicy ClusterDimension"
                " ProgrammaticStreamSerialization Priority",
            ),
            *prefixed("cudaAccessProperty", "Normal Streaming Persisting"),
            *prefixed("cudaSyncPolicy", "Auto Spin Yield BlockingSync"),
            *prefixed("cudaStreamAttribute", "AccessPolicyWindow SynchronizationPolicy Priority"),
            *prefixed("cudaSharedmemCarveout", "Default MaxShared MaxL1"),
            *prefixed(
                "cudaMemPool",
                "ReuseFollowEventDependencies ReuseAllowOpportunistic"
                " ReuseAllowInternalDependencies AttrReleaseThreshold AttrReservedMemCurrent"
                " AttrReservedMemHigh AttrUsedMemCurrent AttrUsedMemHigh",
            ),
            *prefixed("cudaMemLocationType", "Invalid Device Host"),
            *prefixed("cudaMemAllocationType", "Invalid Pinned Max"),
            *prefixed("cudaMemHandleType", "None PosixFileDescriptor Win32 Win32Kmt"),
            *prefixed("cudaMemAccessFlagsProt", "None Read ReadWrite"),
            *prefixed(
                "cudaDevP2PAttr",
                "PerformanceRank AccessSupported NativeAtomicSupported CudaArrayAccessSupported",
            ),
            *prefixed(
                "cudaLimit",
                "StackSize PrintfFifoSize MallocHeapSize DevRuntimeSyncDepth"
                " DevRuntimePendingLaunchCount MaxL2FetchGranularity PersistingL2CacheSize",
            ),
            *prefixed("cudaComputeMode", "Default Exclusive Prohibited ExclusiveProcess"),
            *prefixed("cudaHostAlloc", "Default Portable Mapped WriteCombined"),
            *prefixed("cudaHostRegister", "Default Portable Mapped IoMemory ReadOnly"),
            *prefixed("cudaMemAttach", "Global Host Single"),
            *prefixed("cudaStream", "Default NonBlocking Legacy PerThread FireAndForget"),
            *prefixed(
                "cudaEvent",
                "Default BlockingSync DisableTiming Interprocess RecordDefault WaitDefault",
            ),
            *prefixed("cudaDeviceSchedule", "Auto Spin Yield BlockingSync"),
            *prefixed("cudaDevice", "BlockingSync MapHost LmemResizeToMax"),
            *prefixed("cudaOccupancy", "Default DisableCachingOverride"),
            "cudaPeerAccessDefault",
            "cudaCpuDeviceId",
            "cudaInvalidDeviceId",
            *prefixed("cudaChannelFormatKind", "Signed Unsigned Float None"),
            *prefixed("cudaAddressMode", "Wrap Clamp Mirror Border"),
            *prefixed("cudaFilterMode", "Point Linear"),
            *prefixed("cudaReadMode", "ElementType NormalizedFloat"),
            *prefixed("cudaBoundaryMode", "Zero Clamp Trap"),
            *prefixed("cudaStreamCaptureMode", "Global ThreadLocal Relaxed"),
            *prefixed("cudaStreamCaptureStatus", "None Active Invalidated"),
            *prefixed("cudaGraphNodeType", "Kernel Memcpy Memset Host Graph Empty"),
            *prefixed(
                "cudaGraphExecUpdate",
                "Success Error ErrorTopologyChanged ErrorNodeTypeChanged",
            ),
            *prefixed("cudaResourceType", "Array MipmappedArray Linear Pitch2D"),
            *prefixed("cudaArray", "Default Layered SurfaceLoadStore Cubemap TextureGather"),
            *prefixed("cudaTextureType", "1D 2D 3D"),
        ]
    )
    | intrinsics(
        words(
            """
            NVTX_VERSION NVTX_EVENT_ATTRIB_STRUCT_SIZE NVTX_COLOR_UNKNOWN NVTX_COLOR_ARGB
            NVTX_MESSAGE_UNKNOWN NVTX_MESSAGE_TYPE_ASCII NVTX_MESSAGE_TYPE_UNICODE
            NVTX_MESSAGE_TYPE_REGISTERED NVTX_PAYLOAD_UNKNOWN NVTX_PAYLOAD_TYPE_UNSIGNED_INT64
            NVTX_PAYLOAD_TYPE_INT64 NVTX_PAYLOAD_TYPE_DOUBLE NVTX_PAYLOAD_TYPE_UNSIGNED_INT32
            NVTX_PAYLOAD_TYPE_INT32 NVTX_PAYLOAD_TYPE_FLOAT NVTX_NO_PUSH_POP_TRACKING
            """
        )
    )
    | {f"CUDA_ERROR_{one}": f"g2o::Error{own}" for one, _, own in _DRIVER_ERRORS}
    | {
        "CUDA_SUCCESS": "g2o::Success",  # the driver API's, which programs compare with as well
        "CU_MEMHOSTALLOC_PORTABLE": "g2o::HostAllocPortable",  # or pass to the runtime API
        "CU_MEMHOSTALLOC_DEVICEMAP": "g2o::HostAllocMapped",
        "CU_MEMHOSTALLOC_WRITECOMBINED": "g2o::HostAllocWriteCombined",
    }
)
"""Enumerators and flag macros of the runtime API -> constants of g2o_runtime.hpp."""

MATH_CONSTANTS: Final = read_only(
    {
        "CUDART_INF_F": "INFINITY",
        "CUDART_NAN_F": "NAN",
        "CUDART_MIN_DENORM_F": "1.401298464e-45f",
        "CUDART_MAX_NORMAL_F": "FLT_MAX",
        "CUDART_NEG_ZERO_F": "-0.0f",
        "CUDART_ZERO_F": "0.0f",
        "CUDART_ONE_F": "1.0f",
        "CUDART_SQRT_HALF_F": "0.707106781f",
        "CUDART_SQRT_TWO_F": "1.414213562f",
        "CUDART_THIRD_F": "0.333333333f",
        "CUDART_PIO4_F": "0.785398163f",
        "CUDART_PIO2_F": "1.570796327f",
        "CUDART_3PIO4_F": "2.356194490f",
        "CUDART_2_OVER_PI_F": "0.636619772f",
        "CUDART_SQRT_2_OVER_PI_F": "0.797884561f",
        "CUDART_PI_F": "3.141592654f",
        "CUDART_L2E_F": "1.442695041f",
        "CUDART_L2T_F": "3.321928094f",
        "CUDART_LG2_F": "0.301029996f",
        "CUDART_LGE_F": "0.434294482f",
        "CUDART_LN2_F": "0.693147181f",
        "CUDART_LNT_F": "2.302585093f",
        "CUDART_LNPI_F": "1.144729886f",
        "CUDART_TWO_TO_M126_F": "1.175494351e-38f",
        "CUDART_TWO_TO_126_F": "8.507059173e37f",
        "CUDART_NORM_HUGE_F": "3.402823466e38f",
        "CUDART_TWO_TO_23_F": "8388608.0f",
        "CUDART_TWO_TO_24_F": "16777216.0f",
        "CUDART_TWO_TO_31_F": "2147483648.0f",
        "CUDART_TWO_TO_32_F": "4294967296.0f",
        "CUDART_INF": "HUGE_VAL",
        "CUDART_NAN": "double(NAN)",
        "CUDART_NEG_ZERO": "-0.0",
        "CUDART_MIN_DENORM": "4.9406564584124654e-324",
        "CUDART_ZERO": "0.0",
        "CUDART_ONE": "1.0",
        "CUDART_SQRT_TWO": "M_SQRT2",
        "CUDART_SQRT_HALF": "M_SQRT1_2",
        "CUDART_THIRD": "0.33333333333333331",
        "CUDART_TWOTHIRD": "0.66666666666666663",
        "CUDART_PIO4": "M_PI_4",
        "CUDART_PIO2": "M_PI_2",
        "CUDART_3PIO4": "2.3561944901923448",
        "CUDART_2_OVER_PI": "M_2_PI",
        "CUDART_PI": "M_PI",
        "CUDART_SQRT_2OPI": "0.79788456080286536",
        "CUDART_SQRT_2PI": "2.5066282746310007",
        "CUDART_SQRT_PIO2": "1.2533141373155003",
        "CUDART_L2E": "M_LOG2E",
        "CUDART_L2T": "3.3219280948873622",
        "CUDART_LG2": "0.30102999566398120",
        "CUDART_LG10": "M_LN10",
        "CUDART_LGE": "M_LOG10E",
        "CUDART_LN2": "M_LN2",
        "CUDART_LNT": "M_LN10",
        "CUDART_LNPI": "1.1447298858494002",
        "CUDART_SQRT_PI": "1.7724538509055161",
        "CUDART_TWO_TO_52": "4503599627370496.0",
        "CUDART_TWO_TO_53": "9007199254740992.0",
        "CUDART_TWO_TO_54": "18014398509481984.0",
    }
)
"""Macros of math_constants.h -> the C library's, or the number itself."""

DROPPED_MACROS: Final = read_only(dict.fromkeys(words("CUDART_CB CUDARTAPI CUDAAPI"), ""))
"""Calling conventions of the runtime API: they mean nothing, and go."""
