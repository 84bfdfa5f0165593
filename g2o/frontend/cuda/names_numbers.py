"""CUDA's libraries of numbers: packed integers, complex numbers and floats of eight bits.

__vaddss2(a, b)            -> g2o::vaddss2(a, b)
cuCmulf(a, b)              -> g2o::complex_mul(a, b)      one name for float and double
__nv_fp8_e4m3              -> g2o::fp8_e4m3
"""

from __future__ import annotations

import re
from typing import Final

from g2o.frontend.cuda.naming import intrinsics, read_only, words
from g2o.runtime.headers import names_of_parts

_PACKED_OPERATIONS = words(
    """
    abs absss neg negss add addss addus sub subss subus absdiffs absdiffu avgs avgu haddu mins minu
    maxs maxu cmpeq cmpne cmpges cmpgeu cmpgts cmpgtu cmples cmpleu cmplts cmpltu seteq setne
    setges setgeu setgts setgtu setles setleu setlts setltu sads sadu
    """
)
_EXTREMA = ("max", "min")
PACKED_FUNCTIONS: Final = read_only(
    intrinsics(
        [
            *(f"__v{operation}{lanes}" for operation in _PACKED_OPERATIONS for lanes in "24"),
            *(
                f"__vi{stem}_{parts}".format(extremum)
                for stem in ("add{}", "{}3")
                for extremum in _EXTREMA
                for parts in ("s32", "s32_relu", "u32", "s16x2", "s16x2_relu", "u16x2")
            ),
            *(f"__vi{extremum}_{p}_relu" for extremum in _EXTREMA for p in ("s32", "s16x2")),
            *(
                f"__vib{extremum}_{parts}"
                for extremum in _EXTREMA
                for parts in ("s32", "u32", "s16x2", "u16x2")
            ),
        ]
    )
)
"""Arithmetic on the two halves or four bytes of a word, and minima and maxima of several values."""

_COMPLEX_OPERATIONS = {
    "cuCreal": "real",
    "cuCimag": "imag",
    "cuConj": "conj",
    "cuCadd": "add",
    "cuCsub": "sub",
    "cuCmul": "mul",
    "cuCdiv": "div",
    "cuCabs": "abs",
    "cuCfma": "fma",
}
COMPLEX_FUNCTIONS: Final = read_only(
    {
        **{
            f"{name}{suffix}": f"g2o::complex_{operation}"
            for name, operation in _COMPLEX_OPERATIONS.items()
            for suffix in ("", "f")
        },
        "cuComplexFloatToDouble": "g2o::complex_to_double",
        "cuComplexDoubleToFloat": "g2o::complex_to_float",
        "make_cuComplex": "make_float2",
        "make_cuFloatComplex": "make_float2",
        "make_cuDoubleComplex": "make_double2",
    }
)
"""Functions of cuComplex.h."""

COMPLEX_TYPES: Final = read_only(
    {
        "cuComplex": "g2o::FloatComplex",
        "cuFloatComplex": "g2o::FloatComplex",
        "cuDoubleComplex": "g2o::DoubleComplex",
    }
)

FP8_TYPES: Final = read_only(
    {
        **{
            f"__nv_fp8{lanes}_{form}": f"g2o::fp8{lanes}_{form}"
            for lanes in ("", "x2", "x4")
            for form in ("e4m3", "e5m2")
        },
        "__nv_fp8_storage_t": "g2o::fp8_storage",
        "__nv_fp8x2_storage_t": "g2o::fp8x2_storage",
        "__nv_fp8x4_storage_t": "g2o::fp8x4_storage",
        "__nv_saturation_t": "g2o::Fp8Saturation",
        "__nv_fp8_interpretation_t": "g2o::Fp8Format",
    }
)

FP8_VALUES: Final = read_only(
    {
        "__NV_NOSAT": "g2o::FP8_NOSAT",
        "__NV_SATFINITE": "g2o::FP8_SATFINITE",
        "__NV_E4M3": "g2o::FP8_E4M3",
        "__NV_E5M2": "g2o::FP8_E5M2",
    }
)

FP8_FUNCTIONS: Final = read_only(
    {
        "__nv_cvt_float_to_fp8": "g2o::float_to_fp8",
        "__nv_cvt_double_to_fp8": "g2o::double_to_fp8",
        "__nv_cvt_float2_to_fp8x2": "g2o::float2_to_fp8x2",
        "__nv_cvt_double2_to_fp8x2": "g2o::double2_to_fp8x2",
        "__nv_cvt_halfraw_to_fp8": "g2o::half_raw_to_fp8",
        "__nv_cvt_halfraw2_to_fp8x2": "g2o::half2_raw_to_fp8x2",
        "__nv_cvt_bfloat16raw_to_fp8": "g2o::bfloat16_raw_to_fp8",
        "__nv_cvt_bfloat16raw2_to_fp8x2": "g2o::bfloat162_raw_to_fp8x2",
        "__nv_cvt_fp8_to_halfraw": "g2o::fp8_to_half_raw",
        "__nv_cvt_fp8x2_to_halfraw2": "g2o::fp8x2_to_half2_raw",
    }
)
"""Conversions of cuda_fp8.h."""

_OF_C_LIBRARIES = re.compile(
    r"cu(rand[A-Z]|blas|fft|sparse|solver)\w+|CU(RAND|BLAS|BLASLT|FFT|SPARSE|SOLVER|DA_C|DA_R)_\w+"
    r"|(csrilu02|csric02|syevj|gesvdj)Info(_t)?"
)
_LIBRARY_NAMES = [name for name in names_of_parts() if _OF_C_LIBRARIES.fullmatch(name)]

LIBRARY_NAMES: Final = read_only(
    {
        **intrinsics(_LIBRARY_NAMES),
        **{f"{name}_v2": f"g2o::{name}" for name in _LIBRARY_NAMES if name.startswith("cublas")},
        **dict.fromkeys(words("cudaDataType cudaDataType_t"), "g2o::DataType"),
    }
)
"""The host interfaces of the libraries that the runtime has parts for, as far as these go."""
