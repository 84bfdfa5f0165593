"""Functions of CUDA and the C library whose effects are known by name."""

from __future__ import annotations

import re
from typing import Final

from g2o.ir.expressions import Call, Member

_VALUES = """
    abs fabs fabsf labs llabs sqrt sqrtf cbrt cbrtf rsqrt rsqrtf exp expf exp2 exp2f exp10 exp10f
    expm1 expm1f log logf log2 log2f log10 log10f log1p log1pf pow powf powi sin sinf cos cosf tan
    tanf asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf asinh
    asinhf acosh acoshf atanh atanhf erf erff erfc erfcf tgamma tgammaf lgamma lgammaf ceil ceilf
    floor floorf round roundf rint rintf trunc truncf nearbyint nearbyintf fmod fmodf remainder
    remainderf fma fmaf fmin fminf fmax fmaxf fdim fdimf hypot hypotf copysign copysignf min max
    isnan isinf isfinite signbit lrint lrintf llrint llrintf lround lroundf llround llroundf ilogbf
    umin umax llmin llmax sinpi sinpif cospi cospif ldexp ldexpf
    scalbn scalbnf ilogb logb fdividef __expf __exp10f __logf __log2f __log10f __powf __sinf
    __cosf __tanf __fdividef __saturatef __fmaf_rn __fmul_rn __fadd_rn __fsub_rn __fdiv_rn
    __frcp_rn __fsqrt_rn __frsqrt_rn __dmul_rn __dadd_rn __fma_rn __drcp_rn __dsqrt_rn __ddiv_rn
    __mul24 __umul24 __mulhi __umulhi __mul64hi __umul64hi __popc __popcll __clz __clzll __ffs
    __ffsll __brev __brevll __byte_perm __sad __usad __hadd __rhadd __uhadd __urhadd
    __int_as_float __float_as_int __uint_as_float __float_as_uint __double_as_longlong
    __longlong_as_double __hiloint2double __double2hiint __double2loint __int2double_rn
    __uint2double_rn __float2half __half2float __funnelshift_l __funnelshift_r make_float2
    make_float3 make_float4 make_double2 make_double3 make_double4 make_int2 make_int3 make_int4
    make_uint2 make_uint3 make_uint4 make_char2 make_char4 make_uchar2 make_uchar3 make_uchar4
    make_short2 make_short4 make_ushort2 make_ushort4 make_longlong2 make_ulonglong2 normcdf
    normcdff normcdfinv normcdfinvf erfinv erfinvf erfcinv norm3d norm3df norm4d norm4df rnorm3d
    __builtin_inf __builtin_inff __builtin_nan __builtin_nanf __builtin_huge_val
    __builtin_huge_valf rnorm3df rhypot rhypotf rcbrt rcbrtf g2o::shift_left g2o::shift_right
    lrint lrintf llrint llrintf lround lroundf llround llroundf ilogbf logbf rnorm4d rnorm4df
    tanpi tanpif erfcx erfcxf cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f j0 j0f j1
    j1f jn jnf y0 y0f y1 y1f yn ynf nextafter nextafterf scalbln scalblnf fdivide digamma digammaf
    __tanhf erfcinvf cuCreal cuCimag cuConj cuCadd cuCsub cuCmul cuCdiv cuCabs cuCfma cuCrealf
    cuCimagf cuConjf cuCaddf cuCsubf cuCmulf cuCdivf cuCabsf cuCfmaf make_cuComplex
    make_cuFloatComplex make_cuDoubleComplex cuComplexDoubleToFloat cuComplexFloatToDouble
    __half22float2 __low2float __high2float __low2half __high2half __low2half2 __high2half2
    __half2half2 __halves2half2 __floats2half2_rn __float22half2_rn __float2half2_rn
    __float2half_rn __float2half_rz __float2half_ru __float2half_rd __double2half
    __bfloat162float __bfloat1622float2 __low2bfloat16 __high2bfloat16 __bfloat162bfloat162
    __halves2bfloat162 __floats2bfloat162_rn __float22bfloat162_rn __float2bfloat162_rn
    __float2bfloat16 __float2bfloat16_rn __float2bfloat16_rz __float2bfloat16_ru
    __float2bfloat16_rd __double2bfloat16
"""

_TEXTURES = """
    1Dfetch 1D 2D 3D 1DLayered 2DLayered 1DLod 2DLod 3DLod 1DGrad 2DGrad 3DGrad Cubemap
    CubemapLayered 2Dgather
"""
_SURFACES = "1D 2D 3D 2DLayered"

_ARITHMETIC = "fadd fsub fmul fdiv fmaf frcp fsqrt dadd dsub dmul ddiv fma drcp dsqrt"

_ROUNDED = """
    float2int float2uint float2ll float2ull double2int double2uint double2ll double2ull
    int2float uint2float ll2float ull2float ll2double ull2double double2float
"""

CONVERSIONS: Final = frozenset(
    f"__{stem}_{rounding}" for stem in _ROUNDED.split() for rounding in ("rn", "rz", "ru", "rd")
)
"""Conversions between kinds of numbers with a stated rounding."""

_WITH_ROUNDING: Final = frozenset(
    f"__{stem}_{rounding}" for stem in _ARITHMETIC.split() for rounding in ("rn", "rz", "ru", "rd")
)

ROUNDED: Final = "g2o::rounded"
"""What stands behind assignments in kernels whose rounding errors are estimated."""

_CLASSES = """
    isnan isinf isfinite isnormal signbit isgreater isgreaterequal isless islessequal islessgreater
    isunordered fpclassify
"""

CLASSIFICATIONS: Final = frozenset(
    f"{prefix}{name}" for name in _CLASSES.split() for prefix in ("", "__builtin_")
) | {"__builtin_isinf_sign"}
"""What kind of number one is, which macros of C spell with functions of the compiler."""

# No effect but their value, which depends on nothing but their arguments.
PURE_FUNCTIONS: Final = (
    frozenset(_VALUES.split())
    | CONVERSIONS
    | _WITH_ROUNDING
    | CLASSIFICATIONS
    | frozenset({"g2o::zero", "__builtin_expect", ROUNDED})
)

_STANDARD: Final = frozenset({"clamp"})

_NARROW_FLOAT: Final = re.compile(r"\b(?:half|nv_bfloat16)2?$")


def is_pure(call: Call) -> bool:
    """Has a call of what has no body here no effect but its value, which only the arguments
    decide? So are conversions of numbers of half precision, `float(h)`."""
    if call.key.startswith("?"):
        return False
    if call.name in PURE_FUNCTIONS or is_standard(call):
        return True
    match call.arguments:
        case (Member(base=base, name=name),) if name == call.name and name.startswith("operator "):
            return not call.key and _NARROW_FLOAT.search(base.type.spelling) is not None
        case _:
            return False


def is_standard(call: Call) -> bool:
    """Is it C++'s own function where programs like to have one of that name, too?"""
    return call.name in _STANDARD and (not call.key or call.key.startswith("c:@N@std@"))


# CUDA's functions with these names take numbers by value, and states of generators by address.
RANDOM_NUMBERS: Final = ("curand", "skipahead")

# They read memory behind their arguments and write none.
READING_FUNCTIONS: Final = frozenset(
    {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldcv", "__ldlu", "ThreadLoad"}
)

# They read a texture, or read and write a surface; what they read may go behind a first argument.
IMAGE_ACCESSES: Final = frozenset(
    [f"tex{kind}" for kind in _TEXTURES.split()]
    + [f"surf{kind}{access}" for kind in _SURFACES.split() for access in ("read", "write")]
)

# They write the memory behind their first argument: what the second one is.
STORING_FUNCTIONS: Final = frozenset({"__stwb", "__stcg", "__stcs", "__stwt"})

# Of the math library: they change what pointers among their arguments lead to, and nothing else.
RESULTS_BEHIND_POINTERS: Final = frozenset(
    f"{name}{end}" for name in ("frexp", "modf", "remquo") for end in ("", "f")
)

# They can be seen from outside, but change nothing of the program.
OUTPUT_FUNCTIONS: Final = frozenset(
    {
        *("printf", "puts", "putchar", "__assert_fail", "assert"),
        *("fprintf", "fputs", "fputc", "fflush", "perror", "exit", "abort"),
    }
)
