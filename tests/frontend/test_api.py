"""The tables of names: complete, closed, and true to the runtime header and the declarations."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import g2o.runtime
from g2o.frontend.cuda.api import (
    ATOMICS,
    BARRIERS,
    DEVICE_FUNCTIONS,
    ENUMERATORS,
    FENCES,
    LOWERED_NAMES,
    MATH_CONSTANTS,
    PREDEFINED_MACROS,
    PURE_MATH,
    REPLACED_INCLUDES,
    RUNTIME_FUNCTIONS,
    TYPES,
    UNSUPPORTED,
    WARP_SHUFFLES,
    WARP_VOTES,
    emitted_name,
    emitted_names,
    unknown_cuda_name,
    unsupported_reason,
)
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.libraries import LIBRARY_DECLARATIONS
from g2o.frontend.cuda.unit import DECLARATIONS, compiler_includes
from g2o.runtime.headers import with_parts

RUNTIME = Path(g2o.runtime.__file__).parent
_STUBS = RUNTIME.parent / "frontend/output/headers"


@pytest.mark.parametrize(
    ("cuda", "emitted"),
    [
        ("cudaMalloc", "g2o::malloc"),
        ("cudaMemcpyAsync", "g2o::memcpy_async"),
        ("cudaMemcpy2DToArray", "g2o::memcpy_2d_to_array"),
        ("cudaMalloc3DArray", "g2o::malloc_3d_array"),
        ("cudaDeviceGetPCIBusId", "g2o::device_get_pci_bus_id"),
        ("cudaEventCreateWithFlags", "g2o::event_create_with_flags"),
        ("make_cudaExtent", "g2o::make_extent"),
        ("cudaError_t", "g2o::Error"),
        ("cudaError", "g2o::Error"),
        ("cudaDeviceProp", "g2o::DeviceProp"),
        ("cudaArray", "g2o::ArrayStorage"),
        ("cudaArray_t", "g2o::Array"),
        ("cudaSuccess", "g2o::Success"),
        ("CUDA_SUCCESS", "g2o::Success"),
        ("CUresult", "g2o::Error"),
        ("cuMemGetInfo", "g2o::mem_get_info"),
        ("cudaErrorInvalidValue", "g2o::ErrorInvalidValue"),
        ("cudaMemcpyHostToDevice", "g2o::MemcpyHostToDevice"),
        ("cudaDevAttrWarpSize", "g2o::DevAttrWarpSize"),
        ("atomicAdd", "g2o::atomic_add"),
        ("atomicCAS_system", "g2o::atomic_cas"),
        ("__expf", "expf"),
        ("__fmaf_rn", "fmaf"),
        ("__fmaf_rz", "g2o::fmaf_rz"),
        ("__sincosf", "sincosf"),
        ("__fdividef", "g2o::fdividef"),
        ("__popc", "g2o::popc"),
        ("rsqrtf", "g2o::rsqrtf"),
        ("min", "g2o::min"),
        ("__threadfence", "g2o::threadfence"),
        ("curand_init", "g2o::curand_init"),
        ("__half", "g2o::half"),
        ("CUDART_PI_F", "3.141592654f"),
        ("CUDART_CB", ""),
    ],
)
def test_emitted_name(cuda: str, emitted: str) -> None:
    assert emitted_name(cuda) == emitted
    assert not unknown_cuda_name(cuda)
    assert unsupported_reason(cuda) is None


@pytest.mark.parametrize("name", ["cudaCheck", "cudaMyMalloc", "float4", "threadIdx", "sinf", "x"])
def test_other_names_are_kept(name: str) -> None:
    assert emitted_name(name) is None


def test_what_is_spelled_as_cuda_but_in_no_table_is_found() -> None:
    assert unknown_cuda_name("cudaBrandNewFunction")
    assert unknown_cuda_name("cuMemAlloc")
    assert unknown_cuda_name("make_cudaThing")
    assert not unknown_cuda_name("customer")
    assert not unknown_cuda_name("cudahelper")
    assert not unknown_cuda_name("threadIdx")


def test_reasons_say_what_to_do() -> None:
    for name, reason in UNSUPPORTED.items():
        assert re.search(r": \w+", reason), name
        assert emitted_name(name) is None, name
    assert "BLAS" in (unsupported_reason("cublasXtSgemm") or "")
    assert "graphs" in (unsupported_reason("cudaGraphAddMemAllocNode") or "")
    assert "driver" in (unsupported_reason("cuLaunchKernel") or "")
    assert "host API" in (unsupported_reason("curandSetQuasiRandomGeneratorDimensions") or "")
    assert unsupported_reason("cudaBrandNewFunction") is not None
    assert unsupported_reason("__syncthreads") is None
    assert unsupported_reason("customer") is None


def test_sets_are_disjoint_and_known() -> None:
    kinds = [BARRIERS, WARP_SHUFFLES, WARP_VOTES, ATOMICS, FENCES, PURE_MATH]
    for index, first in enumerate(kinds):
        for second in kinds[index + 1 :]:
            assert not first & second
    assert BARRIERS | WARP_SHUFFLES | WARP_VOTES <= LOWERED_NAMES
    assert set(DEVICE_FUNCTIONS) >= ATOMICS | FENCES
    assert not LOWERED_NAMES & DEVICE_FUNCTIONS.keys()
    tables = [RUNTIME_FUNCTIONS, TYPES, ENUMERATORS, MATH_CONSTANTS, DEVICE_FUNCTIONS]
    assert sum(map(len, tables)) == len({name for table in tables for name in table})
    assert {"sqrtf", "__expf", "rsqrt", "__popc", "min", "__float2int_rn"} <= PURE_MATH
    assert not PURE_MATH & {"sincosf", "__sincosf", "norm", "clock64", "__ldg", "printf"}


def test_emitted_names_are_in_the_runtime_header(tmp_path: Path) -> None:
    """One program that names them all."""
    names = sorted(emitted_names())
    own = [name for name in names if name.startswith("g2o::")]
    libc = [name for name in names if re.fullmatch(r"[a-z]\w*", name)]
    numbers = [name for name in names if name not in own and name not in libc]
    assert len(own) > 400
    lines = ["#define _GNU_SOURCE", '#include "g2o_runtime.hpp"', "namespace own {"]
    lines += [f"using {name};" for name in own]
    lines += ["}", "namespace libc {", *(f"using ::{name};" for name in libc), "}"]
    lines += [f"const double constant_{i} = {text};" for i, text in enumerate(numbers)]
    program = tmp_path / "names.cpp"
    program.write_text(with_parts("\n".join(lines) + "\n"))
    command = [
        "g++",
        "-std=c++17",
        "-fsyntax-only",
        f"-I{RUNTIME}",
        f"-idirafter{_STUBS}",
        str(program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def declared(units: str) -> Iterator[tuple[Cursor, str]]:
    """What the declarations declare at global scope: the node and its name."""
    flags = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=c++17"]
    flags += ["--cuda-path=/nonexistent", "-Xclang", "-target-sdk-version=12.0"]
    flags += [
        f"-I{DECLARATIONS}",
        f"-I{LIBRARY_DECLARATIONS}",
        *compiler_includes(),
        "-include",
        "g2o_cuda.h",
    ]
    pending = list(TranslationUnit("program.cu", flags, {"program.cu": units.encode()}).top_level)
    while pending:
        cursor = pending.pop()
        if not cursor.file.startswith(str(DECLARATIONS)):
            continue
        if cursor.kind in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):
            pending.extend(cursor.children)
        elif cursor.kind == "ENUM_DECL":
            pending.extend(cursor.children)
            yield cursor, cursor.spelling
        elif cursor.kind != "NAMESPACE":
            yield cursor, cursor.spelling


KEPT = re.compile(
    r"(make_)?(u?(char|short|int|long|longlong)|float|double)[1-4]|dim3|operator.*|g2o_\w+"
    r"|texture|surface|__cudaPushCallConfiguration|__syncthreads|printf|"
)


def test_every_declared_name_is_translated_or_refused() -> None:
    includes = "".join(
        f"#include <{header}>\n" for header in sorted(REPLACED_INCLUDES) if "/" not in header
    )
    silent = {
        name
        for cursor, name in declared(includes)
        if not cursor.file.endswith(("x86_intrinsics.h", "omp.h"))
        and KEPT.fullmatch(name) is None
        and emitted_name(name) is None
        and name not in LOWERED_NAMES
        and unsupported_reason(name) is None
    }
    assert silent == set()


def test_every_translated_name_is_declared() -> None:
    """A name that no header declares can only be a slip of the pen."""
    includes = "".join(
        f"#include <{header}>\n" for header in sorted(REPLACED_INCLUDES) if "/" not in header
    )
    names = {name for _, name in declared(includes)}
    text = "".join(path.read_text() for path in DECLARATIONS.rglob("*.h"))
    names |= set(re.findall(r"#define (\w+)", text))
    known = {*RUNTIME_FUNCTIONS, *TYPES, *ENUMERATORS, *MATH_CONSTANTS, *DEVICE_FUNCTIONS}
    assert known - names == set()


def test_predefined_macros_are_those_of_the_header() -> None:
    text = (DECLARATIONS / "g2o_cuda.h").read_text()
    defined = dict(re.findall(r"^#define (\w+) (\d+)$", text, re.MULTILINE))
    runtime = (RUNTIME / "g2o_runtime.hpp").read_text()
    emitted = dict(re.findall(r"^#define (G2O\w*) (\d+)$", runtime, re.MULTILINE))
    assert defined.pop("G2O_CUDA_ARCH") == emitted["G2O_CUDA_ARCH"]
    assert defined == {name: emitted[new] for name, new in PREDEFINED_MACROS.items()}


def test_constants_have_the_values_of_math_constants() -> None:
    text = (DECLARATIONS / "math_constants.h").read_text()
    values = dict(re.findall(r"^#define (\w+) (\S.*)$", text, re.MULTILINE))
    assert values.keys() == MATH_CONSTANTS.keys()
    for name, emitted in MATH_CONSTANTS.items():
        if re.fullmatch(r"-?[\d.e+-]+f?", emitted):
            assert emitted == values[name], name
