"""CUDA in kernels and device functions: what each name becomes, and the sets passes ask about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from g2o.frontend.cuda.naming import intrinsics, read_only, words

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
    words("""
    __all_sync __any_sync __uni_sync __ballot_sync __all __any __ballot __activemask
    __match_any_sync __match_all_sync
    """)
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
ASYNC_COPIES: Final = frozenset(
    {"__pipeline_memcpy_async", "__pipeline_commit", "__pipeline_wait_prior"}
)

LOWERED_NAMES: Final = LOWERED | WARP_REDUCTIONS | ASYNC_COPIES
"""Names that no emitted name stands for: kernels lose them when they become loops."""

_DIRECTED = ("rz", "ru", "rd")
_ROUNDINGS = ("rn", *_DIRECTED)


def _rounded(stems: str, roundings: Iterable[str] = _ROUNDINGS) -> list[str]:
    return [f"__{stem}_{rounding}" for stem in words(stems) for rounding in roundings]


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
    "__fmaf_rn": "fmaf",
    "__fmaf_ieee_rn": "fmaf",
    **{f"__fmaf_ieee_{rounding}": f"g2o::fmaf_{rounding}" for rounding in _DIRECTED},
    "__fma_rn": "fma",
    "__fsqrt_rn": "sqrtf",
    "__dsqrt_rn": "sqrt",
}

_ARITHMETIC = [
    *_rounded("fadd fsub fmul fdiv frcp dadd dsub dmul ddiv drcp"),
    *_rounded("fmaf fma fsqrt dsqrt", _DIRECTED),
    *words("__frsqrt_rn __fdividef __saturatef"),
]
_CONVERSIONS = [
    *_rounded("float2int float2uint float2ll float2ull int2float uint2float ll2float ull2float"),
    *_rounded("double2int double2uint double2ll double2ull ll2double ull2double double2float"),
    *_rounded("int2double uint2double", ["rn"]),
    *words("""
    __float_as_int __float_as_uint __int_as_float __uint_as_float __double_as_longlong
    __longlong_as_double __double2hiint __double2loint __hiloint2double
    """),
]
_INTEGER = words("""
    __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __byte_perm __funnelshift_l
    __funnelshift_lc __funnelshift_r __funnelshift_rc __mul24 __umul24 __mulhi __umulhi __mul64hi
    __umul64hi __hadd __rhadd __uhadd __urhadd __sad __usad __dp4a __dp2a_lo __dp2a_hi __fns
    mul24 umul24 mulhi umulhi umin umax llmin llmax ullmin ullmax
""")
_FLOATING = words("""
    rsqrt rsqrtf rcbrt rcbrtf sinpi sinpif cospi cospif sincospi sincospif tanpi tanpif erfinv
    erfinvf erfcinv erfcinvf erfcx erfcxf normcdf normcdff normcdfinv normcdfinvf cyl_bessel_i0
    cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f rhypot rhypotf norm normf rnorm rnormf norm3d
    norm3df rnorm3d rnorm3df norm4d norm4df rnorm4d rnorm4df fdivide fdividef exp10 sincos min max
""")
_LOADS = words("__ldg __ldca __ldcg __ldcs __ldcv __ldlu")
_STORES = words("__stwb __stcg __stcs __stwt")
_OTHER = words("__trap __brkpt __prof_trigger __nanosleep clock64")

_TEXTURES = words(
    """
    tex1Dfetch tex1D tex2D tex3D tex1DLayered tex2DLayered tex1DLod tex2DLod tex3DLod
    texCubemap texCubemapLayered tex2Dgather tex1DGrad tex2DGrad tex3DGrad
    surf1Dread surf2Dread surf3Dread surf2DLayeredread
    surf1Dwrite surf2Dwrite surf3Dwrite surf2DLayeredwrite
    """
)
_CURAND = words(
    """
    curand_init skipahead curand curand_uniform curand_uniform_double curand_normal
    curand_normal_double curand_log_normal curand_log_normal_double curand_poisson curand_normal2
    curand_normal2_double curand_log_normal2 curand4 curand_uniform4 curand_uniform2_double
    curand_uniform4_double curand_normal4 curand_normal4_double curand_log_normal4
    """
)

DEVICE_FUNCTIONS: Final = read_only(
    _C_LIBRARY
    | intrinsics(
        [
            *_ARITHMETIC,
            *_CONVERSIONS,
            *_INTEGER,
            *_FLOATING,
            *_LOADS,
            *_STORES,
            *_OTHER,
            *FENCES,
            *_TEXTURES,
            *_CURAND,
        ]
    )
    | _ATOMIC_NAMES
)
"""Functions of device code -> what they are called in the translation."""

COMPILER_FUNCTIONS: Final = read_only(
    {"__builtin_assume": "g2o::assume", "__assume": "g2o::assume"}
)
"""Functions that compilers of CUDA know without a declaration."""

DEVICE_ONLY_FUNCTIONS: Final = read_only(
    {name: f"g2o::{name}" for name in words("clock fmin fminf fmax fmaxf")}
)
"""Names of the C library that mean something else in kernels and device functions, or that are
calls there where the runtime has inline code."""

_C_MATH = words("""
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2
    log10 log1p logb pow sqrt cbrt hypot fabs floor ceil trunc round rint nearbyint fmod remainder
    copysign nextafter fdim fmax fmin fma erf erfc tgamma lgamma ldexp scalbn j0 j1 jn y0 y1 yn
""")

_THROUGH_POINTERS = frozenset(words("sincos sincospi sincospif norm normf rnorm rnormf"))

PURE_MATH: Final = frozenset(
    [
        *_C_MATH,
        *(name + "f" for name in _C_MATH),
        *words("abs labs llabs isnan isinf isfinite signbit lrint llrint lround llround"),
        *words("lrintf llrintf lroundf llroundf ilogb ilogbf"),
        *(name for name in _C_LIBRARY if name != "__sincosf"),
        *_ARITHMETIC,
        *_CONVERSIONS,
        *_INTEGER,
        *(name for name in _FLOATING if name not in _THROUGH_POINTERS),
    ]
)
"""Functions without side effects whose result depends on the values of their arguments alone."""

DEVICE_TYPES: Final = read_only(
    {
        **intrinsics(
            words(
                """
                curandState curandState_t curandStateXORWOW curandStateXORWOW_t
                curandStatePhilox4_32_10 curandStatePhilox4_32_10_t
                """
            )
        ),
        **dict.fromkeys(words("__half half nv_half __nv_half"), "g2o::half"),
        **dict.fromkeys(words("__half2 half2 nv_half2 __nv_half2"), "g2o::half2"),
        **dict.fromkeys(words("__nv_bfloat16 nv_bfloat16"), "g2o::nv_bfloat16"),
        **dict.fromkeys(words("__nv_bfloat162 nv_bfloat162"), "g2o::nv_bfloat162"),
        **dict.fromkeys(words("__half_raw __nv_half_raw"), "g2o::half_raw"),
        **dict.fromkeys(words("__half2_raw __nv_half2_raw"), "g2o::half2_raw"),
        "__nv_bfloat16_raw": "g2o::nv_bfloat16_raw",
        "__nv_bfloat162_raw": "g2o::nv_bfloat162_raw",
    }
)
"""Types of the device libraries -> types of g2o_runtime.hpp."""

_HALF_BOTH = words(
    """
    exp exp2 exp10 log log2 log10 sin cos tanh tanh_approx sqrt rsqrt rcp floor ceil trunc rint
    """
)
_HALF_PAIRED = words("add sub mul max min fma neg abs isnan")
_HALF_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
_HALF_NAMES = (("half", "half2"), ("bfloat16", "bfloat162"))
_HALF_INTEGERS = ("int", "uint", "short", "ushort", "ll", "ull")

HALF_FUNCTIONS: Final = read_only(
    intrinsics(
        [
            *(form + name for name in _HALF_BOTH for form in ("h", "h2")),
            *(f"__h{name}{pair}" for name in _HALF_PAIRED for pair in ("", "2")),
            *(f"__h{name}{pair}_rn" for name in ("add", "sub", "mul") for pair in ("", "2")),
            *(f"__h{name}{pair}_sat" for name in ("add", "sub", "mul") for pair in ("", "2")),
            *(f"__h{name}{pair}_nan" for name in ("max", "min") for pair in ("", "2")),
            *(f"__hfma{pair}_{form}" for form in ("sat", "relu") for pair in ("", "2")),
            *(
                form.format(name + unordered)
                for name in _HALF_COMPARED
                for unordered in ("", "u")
                for form in ("__h{}", "__h{}2", "__h{}2_mask", "__hb{}2")
            ),
            *words("__hdiv __h2div __hisinf __hcmadd __low2float __high2float __lowhigh2highlow"),
            *(
                form.format(one, two)
                for one, two in _HALF_NAMES
                for form in words(
                    """
                    __float2{0} __double2{0} __{0}2float __{0}2char_rz __{0}2uchar_rz
                    __{0}_as_short __{0}_as_ushort __short_as_{0} __ushort_as_{0} make_{1} __{0}2{1}
                    __float2{1}_rn __floats2{1}_rn __float22{1}_rn __{1}2float2 __low2{0} __high2{0}
                    __low2{1} __high2{1} __halves2{1} __lows2{1} __highs2{1}
                    """
                )
            ),
            *(
                name
                for one, _ in _HALF_NAMES
                for name in _rounded(
                    " ".join(
                        [
                            f"float2{one}",
                            *(f"{integer}2{one}" for integer in _HALF_INTEGERS),
                            *(f"{one}2{integer}" for integer in _HALF_INTEGERS),
                        ]
                    )
                )
            ),
        ]
    )
)
"""Functions of cuda_fp16.h and cuda_bf16.h, all without side effects."""

HALF_CONSTANTS: Final = read_only(
    {
        f"CUDART_{name}_{kind}": f"g2o::{name}_{kind}"
        for kind in ("FP16", "BF16")
        for name in words("INF NAN MIN_DENORM MAX_NORMAL NEG_ZERO ZERO ONE")
    }
)
"""Macros of the same headers."""
