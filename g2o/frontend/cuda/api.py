"""The names of CUDA: what each is called in the translation, and what no translation exists for.

Every table is closed. A name is renamed only when it stands in one of them: a program's own
`cudaCheck` keeps its name, and a name of CUDA that no table knows is found by `unknown_cuda_name`,
so that success is never reported while CUDA is left in the output.

The rule behind the regular entries:

    cudaMemcpy2DToArray        -> g2o::memcpy_2d_to_array     functions: snake case
    cudaEvent_t, cudaEvent     -> g2o::Event                  types: no `cuda`, no `_t`
    cudaMemcpyHostToDevice     -> g2o::MemcpyHostToDevice     enumerators and flags: no `cuda`
    __fdividef                 -> g2o::fdividef               intrinsics: no underscores
    __expf                     -> expf                        the C library's where it has one
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

_WORD = re.compile(r"\d+D|P2P|[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+")


def _snake_case(name: str) -> str:
    """`Memcpy2DToArray` -> `memcpy_2d_to_array`."""
    return "_".join(word.lower() for word in _WORD.findall(name))


def _read_only(table: dict[str, str]) -> Mapping[str, str]:
    return MappingProxyType(table)


def _functions(names: str) -> dict[str, str]:
    return {name: "g2o::" + _snake_case(name.removeprefix("cuda")) for name in names.split()}


def _types(names: str) -> dict[str, str]:
    return {name: "g2o::" + name.removeprefix("cuda").removesuffix("_t") for name in names.split()}


def _enumerators(names: Iterable[str]) -> dict[str, str]:
    return {name: "g2o::" + name.removeprefix("cuda") for name in names}


def _prefixed(prefix: str, names: str) -> list[str]:
    return [prefix + name for name in names.split()]


def _intrinsics(names: Iterable[str]) -> dict[str, str]:
    return {name: "g2o::" + name.lstrip("_") for name in names}


# ----------------------------------------------------------------------------- runtime functions

RUNTIME_FUNCTIONS: Final = _read_only(
    _functions(
        """
        cudaGetLastError cudaPeekAtLastError cudaGetErrorName cudaGetErrorString
        cudaDriverGetVersion cudaRuntimeGetVersion

        cudaGetDeviceCount cudaGetDevice cudaSetDevice cudaChooseDevice cudaGetDeviceProperties
        cudaSetDeviceFlags cudaGetDeviceFlags cudaDeviceSynchronize cudaDeviceReset
        cudaDeviceGetAttribute cudaDeviceGetPCIBusId cudaDeviceGetLimit cudaDeviceSetLimit
        cudaDeviceGetCacheConfig cudaDeviceSetCacheConfig cudaDeviceGetSharedMemConfig
        cudaDeviceSetSharedMemConfig cudaDeviceGetStreamPriorityRange cudaDeviceCanAccessPeer
        cudaDeviceEnablePeerAccess cudaDeviceDisablePeerAccess cudaThreadSynchronize cudaThreadExit
        cudaThreadSetLimit cudaThreadSetCacheConfig cudaProfilerStart cudaProfilerStop

        cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority
        cudaStreamGetPriority cudaStreamGetFlags cudaStreamDestroy cudaStreamSynchronize
        cudaStreamQuery cudaStreamWaitEvent cudaStreamAddCallback cudaStreamAttachMemAsync
        cudaLaunchHostFunc cudaEventCreate cudaEventCreateWithFlags cudaEventRecord
        cudaEventRecordWithFlags cudaEventQuery cudaEventSynchronize cudaEventDestroy
        cudaEventElapsedTime

        cudaMalloc cudaMallocHost cudaMallocManaged cudaMallocPitch cudaMalloc3D cudaMallocArray
        cudaMalloc3DArray cudaMallocAsync cudaFree cudaFreeHost cudaFreeArray cudaFreeAsync
        cudaHostAlloc cudaHostRegister cudaHostUnregister cudaHostGetDevicePointer
        cudaHostGetFlags cudaMemGetInfo cudaPointerGetAttributes

        cudaMemcpy cudaMemcpyAsync cudaMemcpyPeer cudaMemcpyPeerAsync cudaMemcpy2D
        cudaMemcpy2DAsync cudaMemcpyToArray cudaMemcpyFromArray cudaMemcpy2DToArray
        cudaMemcpy2DFromArray cudaMemcpy3D cudaMemcpy3DAsync cudaMemcpyToSymbol
        cudaMemcpyFromSymbol cudaMemcpyToSymbolAsync cudaMemcpyFromSymbolAsync
        cudaGetSymbolAddress cudaGetSymbolSize cudaMemset cudaMemsetAsync cudaMemset2D
        cudaMemset2DAsync cudaMemset3D cudaMemPrefetchAsync cudaMemAdvise

        cudaCreateChannelDesc cudaCreateTextureObject cudaDestroyTextureObject

        cudaLaunchKernel cudaLaunchCooperativeKernel cudaFuncGetAttributes cudaFuncSetAttribute
        cudaFuncSetCacheConfig cudaFuncSetSharedMemConfig
        cudaOccupancyMaxActiveBlocksPerMultiprocessor
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaOccupancyMaxPotentialBlockSize
        """
    )
    | {
        "make_cudaExtent": "g2o::make_extent",
        "make_cudaPos": "g2o::make_pos",
        "make_cudaPitchedPtr": "g2o::make_pitched_ptr",
    }
)
"""Functions of the runtime API -> functions of g2o_runtime.hpp with the same parameters."""

# ------------------------------------------------------------------------ types and enumerators

TYPES: Final = _read_only(
    _types(
        """
        cudaError_t cudaError cudaStream_t cudaEvent_t cudaDeviceProp cudaDeviceAttr
        cudaMemcpyKind cudaMemoryType cudaMemoryAdvise cudaPointerAttributes
        cudaExtent cudaPos cudaPitchedPtr cudaMemcpy3DParms cudaFuncAttributes cudaFuncAttribute
        cudaFuncCache cudaSharedMemConfig cudaLimit cudaComputeMode cudaStreamCallback_t
        cudaHostFn_t cudaUUID_t cudaArray_t cudaTextureObject_t cudaTextureDesc cudaResourceDesc
        cudaResourceType cudaChannelFormatDesc cudaChannelFormatKind cudaTextureAddressMode
        cudaTextureFilterMode cudaTextureReadMode
        """
    )
    | {"cudaArray": "g2o::ArrayStorage"}
)
"""Types of the runtime API -> types of g2o_runtime.hpp."""

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

ENUMERATORS: Final = _read_only(
    _enumerators(
        [
            "cudaSuccess",
            *_prefixed("cudaError", _ERRORS),
            *_prefixed("cudaDevAttr", _DEVICE_ATTRIBUTES),
            *_prefixed("cudaMemcpy", "HostToHost HostToDevice DeviceToHost DeviceToDevice Default"),
            *_prefixed("cudaMemoryType", "Unregistered Host Device Managed"),
            *_prefixed(
                "cudaMemAdvise",
                "SetReadMostly UnsetReadMostly SetPreferredLocation UnsetPreferredLocation"
                " SetAccessedBy UnsetAccessedBy",
            ),
            *_prefixed("cudaFuncCachePrefer", "None Shared L1 Equal"),
            *_prefixed("cudaSharedMemBankSize", "Default FourByte EightByte"),
            *_prefixed(
                "cudaFuncAttribute",
                "MaxDynamicSharedMemorySize PreferredSharedMemoryCarveout",
            ),
            *_prefixed(
                "cudaLimit",
                "StackSize PrintfFifoSize MallocHeapSize DevRuntimeSyncDepth"
                " DevRuntimePendingLaunchCount MaxL2FetchGranularity PersistingL2CacheSize",
            ),
            *_prefixed("cudaComputeMode", "Default Exclusive Prohibited ExclusiveProcess"),
            *_prefixed("cudaHostAlloc", "Default Portable Mapped WriteCombined"),
            *_prefixed("cudaHostRegister", "Default Portable Mapped IoMemory ReadOnly"),
            *_prefixed("cudaMemAttach", "Global Host Single"),
            *_prefixed("cudaStream", "Default NonBlocking Legacy PerThread"),
            *_prefixed(
                "cudaEvent",
                "Default BlockingSync DisableTiming Interprocess RecordDefault WaitDefault",
            ),
            *_prefixed("cudaDeviceSchedule", "Auto Spin Yield BlockingSync"),
            *_prefixed("cudaDevice", "BlockingSync MapHost LmemResizeToMax"),
            *_prefixed("cudaOccupancy", "Default DisableCachingOverride"),
            "cudaPeerAccessDefault",
            "cudaCpuDeviceId",
            "cudaInvalidDeviceId",
            *_prefixed("cudaChannelFormatKind", "Signed Unsigned Float None"),
            *_prefixed("cudaAddressMode", "Wrap Clamp Mirror Border"),
            *_prefixed("cudaFilterMode", "Point Linear"),
            *_prefixed("cudaReadMode", "ElementType NormalizedFloat"),
            *_prefixed("cudaResourceType", "Array MipmappedArray Linear Pitch2D"),
            "cudaArrayDefault",
        ]
    )
)
"""Enumerators and flag macros of the runtime API -> constants of g2o_runtime.hpp."""

# --------------------------------------------------------------------- what the translator lowers

BUILTIN_VARIABLES: Final = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"})

BARRIERS: Final = frozenset(
    {"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"}
)
"""Barriers of a block; all but the first also reduce a predicate over the block."""

WARP_BARRIERS: Final = frozenset({"__syncwarp"})

WARP_SHUFFLES: Final = frozenset(
    f"__shfl{kind}{suffix}" for kind in ("", "_up", "_down", "_xor") for suffix in ("", "_sync")
)
"""With `_sync` the first argument is the mask of lanes, without there is none."""

WARP_VOTES: Final = frozenset(
    """
    __all_sync __any_sync __uni_sync __ballot_sync __all __any __ballot __activemask
    __match_any_sync __match_all_sync
    """.split()
)

WARP_REDUCTIONS: Final = frozenset(
    f"__reduce_{operation}_sync" for operation in ("add", "min", "max", "and", "or", "xor")
)

FENCES: Final = frozenset({"__threadfence", "__threadfence_block", "__threadfence_system"})

_ATOMIC_OPERATIONS = {
    "Add": "add",
    "Sub": "sub",
    "Exch": "exch",
    "Min": "min",
    "Max": "max",
    "Inc": "inc",
    "Dec": "dec",
    "CAS": "cas",
    "And": "and",
    "Or": "or",
    "Xor": "xor",
}
_ATOMIC_NAMES: Final = {
    f"atomic{operation}{scope}": f"g2o::atomic_{emitted}"
    for operation, emitted in _ATOMIC_OPERATIONS.items()
    for scope in ("", "_block", "_system")
}
ATOMICS: Final = frozenset(_ATOMIC_NAMES)

LOWERED: Final = BUILTIN_VARIABLES | BARRIERS | WARP_BARRIERS | WARP_SHUFFLES | WARP_VOTES
LOWERED_NAMES: Final = LOWERED | WARP_REDUCTIONS
"""Names that no emitted name stands for: kernels lose them when they become loops."""

# ------------------------------------------------------------------------------- device functions

_ROUNDINGS = ("rn", "rz", "ru", "rd")


def _rounded(stems: str, roundings: Iterable[str] = _ROUNDINGS) -> list[str]:
    return [f"__{stem}_{rounding}" for stem in stems.split() for rounding in roundings]


_C_LIBRARY: Final = {
    "__expf": "expf",
    "__exp10f": "exp10f",
    "__logf": "logf",
    "__log2f": "log2f",
    "__log10f": "log10f",
    "__sinf": "sinf",
    "__cosf": "cosf",
    "__tanf": "tanf",
    "__tanhf": "tanhf",
    "__sincosf": "sincosf",
    "__powf": "powf",
    **dict.fromkeys(_rounded("fmaf fmaf_ieee"), "fmaf"),
    **dict.fromkeys(_rounded("fma"), "fma"),
    **dict.fromkeys(_rounded("fsqrt"), "sqrtf"),
    **dict.fromkeys(_rounded("dsqrt"), "sqrt"),
}

_ARITHMETIC = [
    *_rounded("fadd fsub fmul fdiv frcp dadd dsub dmul ddiv drcp"),
    *"__fdividef __saturatef".split(),
]
_CONVERSIONS = [
    *_rounded("float2int float2uint float2ll float2ull int2float uint2float ll2float ull2float"),
    *_rounded("double2int double2uint double2ll double2ull ll2double ull2double double2float"),
    *_rounded("int2double uint2double", ["rn"]),
    *"""
    __float_as_int __float_as_uint __int_as_float __uint_as_float __double_as_longlong
    __longlong_as_double __double2hiint __double2loint __hiloint2double
    """.split(),
]
_INTEGER = """
    __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __byte_perm __funnelshift_l
    __funnelshift_lc __funnelshift_r __funnelshift_rc __mul24 __umul24 __mulhi __umulhi __mul64hi
    __umul64hi __hadd __rhadd __uhadd __urhadd __sad __usad __dp4a mul24 umul24 mulhi umulhi
    umin umax llmin llmax ullmin ullmax
""".split()
_FLOATING = """
    rsqrt rsqrtf rcbrt rcbrtf sinpi sinpif cospi cospif sincospi sincospif tanpi tanpif erfinv
    erfinvf erfcinv erfcinvf erfcx erfcxf normcdf normcdff normcdfinv normcdfinvf cyl_bessel_i0
    cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f rhypot rhypotf norm normf rnorm rnormf norm3d
    norm3df rnorm3d rnorm3df norm4d norm4df rnorm4d rnorm4df fdivide fdividef exp10 sincos min max
""".split()
_LOADS = "__ldg __ldca __ldcg __ldcs __ldcv __ldlu".split()
_STORES = "__stwb __stcg __stcs __stwt".split()
_OTHER = "__trap __brkpt __nanosleep clock64".split()

DEVICE_FUNCTIONS: Final = _read_only(
    _C_LIBRARY
    | {"__frsqrt_rn": "g2o::rsqrtf"}
    | _intrinsics(
        [*_ARITHMETIC, *_CONVERSIONS, *_INTEGER, *_FLOATING, *_LOADS, *_STORES, *_OTHER, *FENCES]
    )
    | _ATOMIC_NAMES
)
"""Functions of device code -> what they are called in the translation."""

DEVICE_ONLY_FUNCTIONS: Final = _read_only({"clock": "g2o::clock"})
"""Names of the C library that mean something else in kernels and device functions."""

_C_MATH = """
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2
    log10 log1p logb pow sqrt cbrt hypot fabs floor ceil trunc round rint nearbyint fmod remainder
    copysign nextafter fdim fmax fmin fma erf erfc tgamma lgamma ldexp scalbn j0 j1 jn y0 y1 yn
""".split()

_THROUGH_POINTERS = frozenset("sincos sincospi sincospif norm normf rnorm rnormf".split())

PURE_MATH: Final = frozenset(
    [
        *_C_MATH,
        *(name + "f" for name in _C_MATH),
        *"abs labs llabs isnan isinf isfinite signbit lrint llrint lround llround".split(),
        *"lrintf llrintf lroundf llroundf ilogb ilogbf".split(),
        *(name for name in _C_LIBRARY if name != "__sincosf"),
        "__frsqrt_rn",
        *_ARITHMETIC,
        *_CONVERSIONS,
        *_INTEGER,
        *(name for name in _FLOATING if name not in _THROUGH_POINTERS),
    ]
)
"""Functions without side effects whose result depends on the values of their arguments alone."""

# ------------------------------------------------------------------------------------ the headers

REPLACED_INCLUDES: Final = frozenset(
    """
    cuda.h cuda_runtime.h cuda_runtime_api.h cuda_device_runtime_api.h device_launch_parameters.h
    device_functions.h device_types.h math_functions.h math_constants.h vector_types.h
    vector_functions.h vector_functions.hpp driver_types.h driver_functions.h
    device_atomic_functions.h cuda_profiler_api.h cudaProfiler.h texture_fetch_functions.h
    texture_indirect_functions.h texture_types.h surface_functions.h surface_types.h
    surface_indirect_functions.h cuda_texture_types.h cuda_surface_types.h channel_descriptor.h
    builtin_types.h host_defines.h common_functions.h device_double_functions.h
    sm_11_atomic_functions.h sm_12_atomic_functions.h sm_13_double_functions.h
    sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h sm_32_atomic_functions.h
    sm_32_intrinsics.h sm_35_atomic_functions.h sm_35_intrinsics.h sm_60_atomic_functions.h
    sm_61_intrinsics.h crt/device_functions.h crt/math_functions.h crt/host_defines.h
    crt/host_config.h cooperative_groups.h cooperative_groups/reduce.h
    cooperative_groups/memcpy_async.h cooperative_groups/scan.h curand_kernel.h curand.h
    cuda_fp16.h cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp
    """.split()
)
"""Headers whose `#include` becomes `#include "g2o_runtime.hpp"`, once a file."""

# --------------------------------------------------------------------------- what is not supported

UNSUPPORTED: Final = _read_only(
    {
        "cublas*": "cuBLAS has no counterpart in g2o: call a CPU BLAS (cblas_*) in its place",
        "cusparse*": "cuSPARSE has no counterpart in g2o: call a CPU sparse library in its place",
        "cusolver*": "cuSOLVER has no counterpart in g2o: call LAPACK in its place",
        "cufft*": "cuFFT has no counterpart in g2o: call FFTW in its place",
        "cudnn*": "cuDNN has no counterpart in g2o: call oneDNN in its place",
        "nccl*": "NCCL has no counterpart in g2o: there is one device, remove the exchange",
        "nvtx*": "NVTX marks ranges for NVIDIA's profilers: remove the call",
        "nvml*": "NVML reads the state of NVIDIA devices: remove the call",
        "thrust": "Thrust has no counterpart in g2o: use the C++17 algorithms in its place",
        "cub": "CUB has no counterpart in g2o: write the collective with shared memory",
        "wmma": "tensor-core fragments have no counterpart in g2o: write the product as a loop",
        "cudaGraph*": "CUDA graphs are not supported: enqueue the operations on a stream directly",
        "cudaStreamBeginCapture": "stream capture is not supported: enqueue the operations directly",
        "cudaStreamEndCapture": "stream capture is not supported: enqueue the operations directly",
        "cudaStreamIsCapturing": "stream capture is not supported: enqueue the operations directly",
        "cudaIpc*": "memory of other processes is not supported: use the system's shared memory",
        "cudaGraphics*": "graphics interoperability is not supported: copy through host memory",
        "cudaGL*": "graphics interoperability is not supported: copy through host memory",
        "cudaVDPAU*": "graphics interoperability is not supported: copy through host memory",
        "cudaEGL*": "graphics interoperability is not supported: copy through host memory",
        "cudaMemPool*": "memory pools are not supported: use cudaMalloc and cudaFree",
        "cudaExternalMemory*": "external memory is not supported: copy through host memory",
        "cudaImportExternal*": "external memory is not supported: copy through host memory",
        "cudaMipmappedArray*": "mipmapped arrays are not supported: use one array for each level",
        "cudaMallocMipmappedArray": "mipmapped arrays are not supported: use one array a level",
        "cudaFreeMipmappedArray": "mipmapped arrays are not supported: use one array a level",
        "cudaGetMipmappedArrayLevel": "mipmapped arrays are not supported: use one array a level",
        "cudaSurface*": "surfaces are not supported: use a pointer to linear memory",
        "cudaCreateSurfaceObject": "surfaces are not supported: use a pointer to linear memory",
        "cudaDestroySurfaceObject": "surfaces are not supported: use a pointer to linear memory",
        "cudaLaunchKernelEx*": "extended launches are not supported: use <<<...>>>",
        "cudaLaunchCooperativeKernelMultiDevice": "there is one device: launch the kernel on it",
        "cuTensorMap*": "tensor maps have no counterpart in g2o: copy with a loop",
        "__pipeline*": "asynchronous copies are not supported: copy with plain assignments",
        "__cvta*": "address spaces are not supported: all memory is one address space",
        "__isGlobal": "address spaces are not supported: all memory is one address space",
        "__isShared": "address spaces are not supported: all memory is one address space",
        "__isConstant": "address spaces are not supported: all memory is one address space",
        "__isLocal": "address spaces are not supported: all memory is one address space",
        "__fns": "the n-th set bit is not supported: write it as a loop over the bits",
        "__prof_trigger": "profiler counters are not supported: remove the call",
    }
)
"""Name, or prefix with `*` -> why it is not translated and what to do about it."""

_DRIVER_API = "the driver API is not supported: use the runtime API (cuda*)"
_UNKNOWN = "g2o does not know this name of CUDA: define it, or remove its use"

# ---------------------------------------------------------------------------------- the questions

_EMITTED: Final = _read_only({**RUNTIME_FUNCTIONS, **TYPES, **ENUMERATORS, **DEVICE_FUNCTIONS})
_PREFIXES: Final = tuple(
    (name.removesuffix("*"), reason) for name, reason in UNSUPPORTED.items() if name[-1] == "*"
)
_RUNTIME_NAME = re.compile(r"(?:make_)?cuda[A-Z]\w*|CUDA_\w+|CUDART_\w+")
_DRIVER_NAME = re.compile(r"cu[A-Z]\w*|CU[a-z]\w+|CU_\w+")


def emitted_name(cuda_name: str) -> str | None:
    """What the translation calls `cuda_name`; None when it keeps its name or has no counterpart.

    `emitted_name("cudaMemcpy2D")` is `g2o::memcpy_2d`; `emitted_name("cudaCheck")` is None.
    """
    return _EMITTED.get(cuda_name)


def unsupported_reason(cuda_name: str) -> str | None:
    """Why `cuda_name` is not translated and what to do about it; None where it is, or is not CUDA.

    Only names that resolve to a declaration of CUDA, or to none, are to be asked about: a program
    may well define a `cudaCheck` or a `cub` of its own.
    """
    if cuda_name in _EMITTED or cuda_name in LOWERED_NAMES:
        return None
    exact = UNSUPPORTED.get(cuda_name)
    if exact is not None:
        return exact
    for prefix, reason in _PREFIXES:
        if cuda_name.startswith(prefix):
            return reason
    if _DRIVER_NAME.fullmatch(cuda_name):
        return _DRIVER_API
    return _UNKNOWN if unknown_cuda_name(cuda_name) else None


def unknown_cuda_name(name: str) -> bool:
    """Is `name` spelled as CUDA's names are, but in no table? It must not stay in the output
    unless the program itself declares it."""
    if name in _EMITTED or name in LOWERED_NAMES:
        return False
    return _RUNTIME_NAME.fullmatch(name) is not None or _DRIVER_NAME.fullmatch(name) is not None
