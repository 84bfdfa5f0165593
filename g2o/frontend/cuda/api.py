"""The names of CUDA: what each is called in the translation, and what no translation exists for.

Every table is closed. A name is renamed only when it stands in one of them: a program's own
`cudaCheck` keeps its name, and a name of CUDA that no table knows is found by `unknown_cuda_name`,
so that success is never reported while CUDA is left in the output. `naming.py` has the rule behind
the regular entries.
"""

from __future__ import annotations

import re
from typing import Final

from g2o.frontend.cuda.names_device import (
    ATOMICS,
    BARRIERS,
    BUILTIN_VARIABLES,
    COMPILER_FUNCTIONS,
    DEVICE_FUNCTIONS,
    DEVICE_ONLY_FUNCTIONS,
    DEVICE_TYPES,
    FENCES,
    HALF_CONSTANTS,
    HALF_FUNCTIONS,
    LOWERED_NAMES,
    PURE_MATH,
    WARP_BARRIERS,
    WARP_REDUCTIONS,
    WARP_SHUFFLES,
    WARP_VOTES,
)
from g2o.frontend.cuda.names_numbers import (
    COMPLEX_FUNCTIONS,
    COMPLEX_TYPES,
    FP8_FUNCTIONS,
    FP8_TYPES,
    FP8_VALUES,
    LIBRARY_NAMES,
    PACKED_FUNCTIONS,
)
from g2o.frontend.cuda.names_runtime import (
    DROPPED_MACROS,
    ENUMERATORS,
    MATH_CONSTANTS,
    RUNTIME_FUNCTIONS,
    TYPES,
)
from g2o.frontend.cuda.names_unsupported import UNSUPPORTED
from g2o.frontend.cuda.naming import read_only, words

__all__ = [
    "ATOMICS",
    "BARRIERS",
    "BUILTIN_VARIABLES",
    "COMPLEX_TYPES",
    "CONDITION_NAMES",
    "DEVICE_FUNCTIONS",
    "DEVICE_ONLY_FUNCTIONS",
    "DEVICE_TYPES",
    "DROPPED_MACROS",
    "ENUMERATORS",
    "FENCES",
    "FP8_TYPES",
    "HALF_CONSTANTS",
    "HALF_FUNCTIONS",
    "INCLUDE_GUARDS",
    "LOWERED_NAMES",
    "MATH_CONSTANTS",
    "PREDEFINED_MACROS",
    "PURE_MATH",
    "REPLACED_INCLUDES",
    "RUNTIME_FUNCTIONS",
    "TYPES",
    "UNSUPPORTED",
    "WARP_BARRIERS",
    "WARP_REDUCTIONS",
    "WARP_SHUFFLES",
    "WARP_VOTES",
    "emitted_name",
    "emitted_names",
    "starts_library_name",
    "unknown_cuda_name",
    "unsupported_reason",
]

PREDEFINED_MACROS: Final = read_only(
    {
        "__CUDACC__": "G2O",
        "__NVCC__": "G2O",
        "__CUDACC_VER_MAJOR__": "G2O_CUDA_VERSION_MAJOR",
        "__CUDACC_VER_MINOR__": "G2O_CUDA_VERSION_MINOR",
        "__CUDACC_VER_BUILD__": "G2O_CUDA_VERSION_BUILD",
        "CUDART_VERSION": "G2O_CUDA_VERSION",
        "CUDA_VERSION": "G2O_CUDA_VERSION",
    }
)
"""Macros that are defined while CUDA is read and that no host compiler defines: what each becomes.
The runtime header defines those with the same values, so that the compiler of the translation takes
the branches that were translated.

`__CUDA_ARCH__` is not among them: the host side of its conditions is read and kept."""

INCLUDE_GUARDS: Final = frozenset(
    words(
        """
        __DRIVER_TYPES_H__ __CUDA_RUNTIME_H__ __CUDA_RUNTIME_API_H__ __VECTOR_TYPES_H__
        __VECTOR_FUNCTIONS_H__ __DEVICE_LAUNCH_PARAMETERS_H__
        """
    )
)
"""Macros by which headers ask whether CUDA's have been included: always, as nvcc includes them."""

CONDITION_NAMES: Final = read_only({**dict.fromkeys(INCLUDE_GUARDS, "G2O"), **PREDEFINED_MACROS})
"""Macros in conditions -> what the runtime header defines in their place."""

REPLACED_INCLUDES: Final = frozenset(
    words(
        """
        cuda.h cuda_runtime.h cuda_runtime_api.h cuda_device_runtime_api.h
        device_launch_parameters.h device_functions.h device_types.h math_functions.h
        math_constants.h vector_types.h vector_functions.h vector_functions.hpp driver_types.h
        driver_functions.h device_atomic_functions.h cuda_profiler_api.h cudaProfiler.h
        cuda_gl_interop.h
        texture_fetch_functions.h texture_indirect_functions.h texture_types.h surface_functions.h
        surface_types.h surface_indirect_functions.h cuda_texture_types.h cuda_surface_types.h
        channel_descriptor.h builtin_types.h host_defines.h common_functions.h
        device_double_functions.h sm_11_atomic_functions.h sm_12_atomic_functions.h
        sm_13_double_functions.h sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h
        sm_32_atomic_functions.h sm_32_intrinsics.h sm_35_atomic_functions.h sm_35_intrinsics.h
        sm_60_atomic_functions.h sm_61_intrinsics.h crt/device_functions.h crt/math_functions.h
        crt/host_defines.h crt/host_config.h cooperative_groups.h cooperative_groups/reduce.h
        cooperative_groups/memcpy_async.h cooperative_groups/scan.h
        cooperative_groups/details/helpers.h curand_kernel.h curand.h
        curand_globals.h curand_uniform.h curand_normal.h curand_normal_static.h curand_lognormal.h
        curand_poisson.h curand_philox4x32_x.h curand_mrg32k3a.h curand_discrete2.h curand_mtgp32.h
        curand_mtgp32_host.h curand_mtgp32_kernel.h curand_mtgp32dc_p_11213.h
        cuda_pipeline.h cuda_pipeline_primitives.h
        cuda_fp16.h cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp cuda_fp8.h cuda_fp8.hpp cuComplex.h
        nvToolsExt.h nvtx3/nvToolsExt.h
        cublas.h cublas_v2.h cublas_api.h cublasLt.h cufft.h library_types.h
        cusparse.h cusparse_v2.h cusolverDn.h cusolver_common.h
        """
    )
)
"""Headers whose `#include` becomes `#include "g2o_runtime.hpp"`, once a file."""

_EMITTED: Final = read_only(
    {
        **RUNTIME_FUNCTIONS,
        **TYPES,
        **ENUMERATORS,
        **MATH_CONSTANTS,
        **DROPPED_MACROS,
        **DEVICE_FUNCTIONS,
        **COMPILER_FUNCTIONS,
        **DEVICE_TYPES,
        **HALF_CONSTANTS,
        **HALF_FUNCTIONS,
        **PACKED_FUNCTIONS,
        **COMPLEX_FUNCTIONS,
        **COMPLEX_TYPES,
        **FP8_FUNCTIONS,
        **FP8_TYPES,
        **FP8_VALUES,
        **LIBRARY_NAMES,
    }
)
_PREFIXES: Final = tuple(
    (name.removesuffix("*"), reason) for name, reason in UNSUPPORTED.items() if name[-1] == "*"
)
_RUNTIME_NAME = re.compile(r"(?:make_)?cuda[A-Z]\w*|CUDA_\w+|CUDART_\w+")
_DRIVER_NAME = re.compile(r"cu[A-Z]\w*|CU[a-z]\w+|CU_\w+|CUDA_ERROR_\w+|CUDA_SUCCESS")
_DRIVER_API = "the driver API is not supported: use the runtime API (cuda*)"
_UNKNOWN = "g2o has no counterpart for this name of CUDA: define one, or remove its use"


def emitted_name(cuda_name: str) -> str | None:
    """What the translation calls `cuda_name`; None when it keeps its name or has no counterpart.

    `emitted_name("cudaMemcpy2D")` is `g2o::memcpy_2d`; `emitted_name("cudaCheck")` is None. The
    empty string means that the name goes without a replacement.
    """
    return _EMITTED.get(cuda_name)


def begins_emitted_name(prefix: str) -> bool:
    """Do names of CUDA that have a counterpart in namespace `g2o` begin so: `cuda`, `cublas`?"""
    return len(prefix) > 1 and any(
        name.startswith(prefix) and (emitted or "").startswith("g2o::")
        for name, emitted in _EMITTED.items()
    )


def starts_library_name(text: str) -> bool:
    """Is `text` how names of a library begin that are in namespace `g2o`: `cublas`, `CUFFT_`?"""
    return len(text) >= len("cufft") and any(name.startswith(text) for name in LIBRARY_NAMES)


def emitted_names() -> frozenset[str]:
    """Every name that a translation may have in place of one of CUDA's."""
    return frozenset(filter(None, (*_EMITTED.values(), *DEVICE_ONLY_FUNCTIONS.values())))


def unsupported_reason(cuda_name: str) -> str | None:
    """Why `cuda_name` is not translated and what to do about it; None where it is, or is not CUDA.

    Only names that resolve to a declaration of CUDA, or to none, are to be asked about: a program
    may well define a `cudaCheck` or a `cub` of its own.
    """
    if cuda_name in _EMITTED or cuda_name in LOWERED_NAMES or cuda_name in PREDEFINED_MACROS:
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
    unless the program itself declares it, or PyTorch does."""
    if name == "CUDA_NUM_THREADS":  # of ATen/cuda/detail/KernelUtils.h, and of many programs
        return False
    if name in _EMITTED or name in LOWERED_NAMES or name in PREDEFINED_MACROS:
        return False
    return _RUNTIME_NAME.fullmatch(name) is not None or _DRIVER_NAME.fullmatch(name) is not None
