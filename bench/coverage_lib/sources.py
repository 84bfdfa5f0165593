"""Source files of a program: which hold CUDA, what they include, which libraries they need."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import final

CUDA_SUFFIXES = frozenset({".cu", ".cuh"})

_CUDA = re.compile(
    r"__global__|__device__|__shared__|__constant__|<<<|\bcuda[A-Z]\w*\s*\(|\bcuda\w+_t\b"
    r"|\b(?:threadIdx|blockIdx|blockDim|gridDim|dim3|__half2?|half2|__syncthreads)\b"
    r"|#\s*include\s*[<\"](?:cuda|curand|cooperative_groups|device_launch)"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?P<quote>[<\"])(?P<name>[^>\"]+)[>\"]", re.M)
_KERNEL = re.compile(r"\b__global__\b(?P<head>[^;{]*)\{")

LIBRARIES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (library, re.compile(pattern))
    for library, pattern in (
        ("thrust", r"thrust/"),
        ("cub", r"cub/"),
        ("cublas", r"cublas"),
        ("cusparse", r"cusparse"),
        ("cusolver", r"cusolver"),
        ("cufft", r"cufft"),
        ("cudnn", r"cudnn"),
        ("curand host API", r"curand\.h$"),
        ("libcu++", r"cuda/(?:std/|atomic|barrier|pipeline|ptx|functional)"),
        ("mpi", r"mpi\.h$"),
        ("nccl", r"nccl"),
        ("nvshmem", r"nvshmem"),
        ("cutlass", r"(?:cutlass|cute)/"),
        ("boost", r"boost/"),
        ("OpenGL", r"(?:GL|GLFW)/"),
        ("OpenCV", r"opencv"),
        ("nvtx", r"nvToolsExt|nvtx3/"),
        ("npp", r"npp[is]?\.h$"),
        ("nvml", r"nvml\.h$"),
        ("python", r"(?:Python\.h|torch/|pybind11/)"),
        ("gsl", r"gsl/"),
        ("driver API", r"^cuda\.h$"),
    )
)
NOT_THIRD_PARTY = frozenset({"driver API"})


@final
@dataclass(frozen=True, slots=True)
class Closure:
    """Files reached from a set of sources by `#include`."""

    files: tuple[Path, ...]
    includes: Mapping[Path, frozenset[Path]]
    missing: tuple[str, ...]

    def cuda_files(self) -> frozenset[Path]:
        """Files with CUDA in them, and those that include one."""
        known = {file for file in self.files if contains_cuda(file)}
        while more := {file for file in self.files if self.includes[file] & known} - known:
            known |= more
        return frozenset(known)


def read_text(path: Path) -> str:
    """The text of a source file, whatever its encoding."""
    return path.read_text(encoding="utf-8", errors="replace")


def contains_cuda(path: Path) -> bool:
    """Whether a file is CUDA by its name, or by syntax, runtime calls or headers in its code."""
    if path.suffix in CUDA_SUFFIXES:
        return True
    return _CUDA.search(_COMMENT.sub(" ", read_text(path))) is not None


def count_kernels(files: tuple[Path, ...]) -> int:
    """Number of `__global__` function definitions in `files`."""
    return sum(len(_KERNEL.findall(_COMMENT.sub(" ", read_text(file)))) for file in files)


def include_closure(sources: tuple[Path, ...], include_dirs: tuple[Path, ...]) -> Closure:
    """The sources and every file they include that exists here, in order of discovery."""
    includes: dict[Path, frozenset[Path]] = {}
    missing: dict[str, None] = {}
    queue = list(sources)
    while queue:
        file = queue.pop(0)
        if file in includes:
            continue
        targets: dict[Path, None] = {}
        for match in _INCLUDE.finditer(_COMMENT.sub(" ", read_text(file))):
            target = _resolve(match["name"], match["quote"] == '"', file.parent, include_dirs)
            if target is None:
                missing[match["name"]] = None
            else:
                targets[target] = None
        includes[file] = frozenset(targets)
        queue.extend(targets)
    return Closure(tuple(includes), includes, tuple(missing))


def third_party(missing: tuple[str, ...], link_libraries: tuple[str, ...]) -> tuple[str, ...]:
    """Libraries, other than CUDA's runtime, that a program needs."""
    needed = {
        library
        for library, pattern in LIBRARIES
        if library not in NOT_THIRD_PARTY and any(pattern.search(name) for name in missing)
    }
    needed |= {
        name for name in link_libraries if re.match(r"cu(?:blas|sparse|solver|fft|dnn|rand)", name)
    }
    return tuple(sorted(needed))


def _resolve(name: str, quoted: bool, directory: Path, dirs: tuple[Path, ...]) -> Path | None:
    for place in (directory, *dirs) if quoted else dirs:
        candidate = place / name
        if candidate.is_file():
            return candidate.resolve()
    return None
