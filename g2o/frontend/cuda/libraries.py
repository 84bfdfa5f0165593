"""NVIDIA's libraries: what their headers and names look like, and what to do instead.

Some have a header beside the runtime's that stands for them, with their own names; those in C have
parts of the runtime, and their names are in namespace `g2o`. A call of what these lack cannot be
replaced by text; the error says where it is and what would work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Note, error
from g2o.diagnostics.source import SourceSpan

LIBRARY_DECLARATIONS: Final = Path(__file__).parent / "declarations" / "libraries"
"""Has a file for each header of a library that is known: the list of those."""

_PROVIDED: Final = {
    "thrust": "g2o_thrust.hpp",
    "cub": "g2o_cub.hpp",
    "cuda": "g2o_libcudacxx.hpp",
    "cupy": "g2o_cupy.hpp",
    "ATen": "g2o_torch.hpp",
    "c10": "g2o_torch.hpp",
    "THC": "g2o_torch.hpp",
}
"""By folder of its headers, or name of its namespace."""


@final
@dataclass(frozen=True, slots=True)
class Library:
    """`headers` and `names` are patterns for the whole of a header's name and of an identifier.

    `namespace` is one that the library's users spell, where it has one.
    """

    title: str
    headers: re.Pattern[str]
    names: re.Pattern[str] | None
    namespace: str | None
    advice: str

    def fault(self, span: SourceSpan, name: str | None = None) -> Diagnostic:
        """The error for a use of the library, or of its `name`, at `span`."""
        message = f"{self.title} is not translated"
        if name is not None:
            message = f"'{name}' of {self._name} is not translated"
        return error("G2O0206", message, span, Note(self.advice))

    def device_fault(self, span: SourceSpan) -> Diagnostic:
        """The error for a use of a library that runs on the host alone."""
        message = f"{self._name} is translated for --target cpu only"
        note = Note("its algorithms run on the host, which cannot reach a device's memory")
        return error("G2O0206", message, span, note)

    @property
    def _name(self) -> str:
        return self.title.removeprefix("this part of ")


def _library(
    title: str, headers: str, names: str | None, namespace: str | None, advice: str
) -> Library:
    pattern = None if names is None else re.compile(names)
    return Library(title, re.compile(headers), pattern, namespace, advice)


LIBRARIES = (
    _library(
        "this part of Thrust",
        r"thrust/.*",
        None,
        None,
        "use the algorithms of the C++ standard library",
    ),
    _library(
        "this part of CUB", r"cub/.*", None, None, "write the block's operation with shared memory"
    ),
    _library(
        "this part of cuBLAS",
        r"cublasXt\.h",
        r"cublas\w+|CUBLAS(LT)?_\w+",
        None,
        "call the BLAS that the program is linked with (cblas_*), or write the operation as a loop",
    ),
    _library(
        "this part of cuSPARSE",
        r"cusparseLt\.h",
        r"cusparse\w+|CUSPARSE_\w+",
        None,
        "call a CPU sparse library in its place",
    ),
    _library(
        "this part of cuSOLVER",
        r"cusolver(Sp|Rf|Mg)\w*\.h",
        r"cusolver\w+|CUSOLVER_\w+",
        None,
        "call LAPACK in its place",
    ),
    _library(
        "this part of cuFFT",
        r"cufft(Xt|w)\.h",
        r"cufft\w+|CUFFT_\w+",
        None,
        "call the FFTW that the program is linked with (fftw_*)",
    ),
    _library(
        "this part of cuRAND's host interface",
        r"curand_(discrete|precalc)\w*\.h",
        r"curand(SetQuasi|Get(Dir|Scr|Prop)|CreatePoisson|DestroyDist|Discrete|GenerateLongLong)\w*"
        r"|curandGenerateBinomial\w*|CURAND_(RNG|ORDERING)_QUASI_\w+",
        None,
        "use a generator of pseudo-random numbers, or <random>",
    ),
    _library(
        "cuDNN",
        r"cudnn\w*\.h",
        r"cudnn[A-Z]\w*|CUDNN_\w+",
        None,
        "call a CPU neural-network library in its place",
    ),
    _library("NCCL", r"nccl\.h", r"nccl[A-Z]\w*", None, "call MPI in its place"),
    _library(
        "this part of NVTX",
        r"(nvtx3/)?nv[tT]\w*[eE]xt\w*\.h|nvtx3/.*",
        r"nvtx\w+",
        "nvtx3",
        "remove the annotations",
    ),
    _library("NVML", r"nvml\.h", r"nvml[A-Z]\w*", None, "remove the queries of the device"),
    _library("NPP", r"npp\w*\.h", r"npp[a-z]?[A-Z_]\w*", None, "write the image operation out"),
    _library("NVRTC", r"nvrtc\.h", r"nvrtc[A-Z]\w*", None, "compile the kernels with the program"),
    _library(
        "the warp matrix interface",
        r"mma\.h",
        None,
        "nvcuda",
        "write the product of tiles with plain loops",
    ),
    _library(
        "this part of libcu++",
        r"(cuda|nv)/(std/.*|[^.]*)",  # its headers have no endings
        None,
        None,
        "use the C++ standard library's counterpart, or CUDA's built-in functions",
    ),
    _library(
        "CUTLASS", r"(cutlass|cute)/.*", None, "cutlass", "write the product with plain loops"
    ),
)


def provided_header(header: str) -> str | None:
    """The header of the runtime that stands for a library's: `g2o_thrust.hpp` for `thrust/sort.h`.

    Only `/` separates the parts of a name here.
    """
    provided = _PROVIDED.get(header.split("/", 1)[0])
    is_known = provided is not None and (LIBRARY_DECLARATIONS / header).is_file()
    return provided if is_known and ".." not in header else None


def provided_headers() -> frozenset[str]:
    """The headers beside the runtime's that translations may include."""
    return frozenset(_PROVIDED.values())


def is_provided(namespace: str) -> bool:
    """Whether names of this namespace of a library may be left as they are."""
    return namespace in _PROVIDED


def library_of_header(header: str) -> Library | None:
    return next((one for one in LIBRARIES if one.headers.fullmatch(header)), None)


@lru_cache(maxsize=4096)
def library_of_name(name: str) -> Library | None:
    """The library that an identifier belongs to by its spelling."""
    return next((one for one in LIBRARIES if one.names and one.names.fullmatch(name)), None)


@lru_cache(maxsize=4096)
def library_of_namespace(name: str) -> Library | None:
    return next((one for one in LIBRARIES if one.namespace == name), None)
