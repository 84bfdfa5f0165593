"""The headers that are written beside translations: the runtime's, and parts that are used.

#include "g2o_runtime.hpp"
#include "g2o_atomics.hpp"      // the code below says g2o::atomic_add

What a part declares is listed in `declared.json`, which a test compares with the parts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Final

RUNTIME_HEADER: Final = "g2o_runtime.hpp"
RUNTIME: Final = Path(__file__).parent
"""The folder of the headers."""
C_RUNTIME_HEADER: Final = "g2o_runtime.h"
C_ERRORS_HEADER: Final = "g2o_errors.h"
"""What error estimates are in C, and what those of C++ are made from."""
C_MATH_HEADER: Final = "g2o_math.h"
"""What derivatives of `math.h` need that is not in it."""
C_HEADERS: Final = (C_ERRORS_HEADER, C_MATH_HEADER, C_RUNTIME_HEADER)
C_TAPES: Final = {
    **{one: one for one in ("double", "float", "int", "long")},
    **{"unsigned int": "unsigned_int", "unsigned long": "unsigned_long"},
    **{"unsigned": "unsigned_int", "bool": "Bool", "_Bool": "Bool"},
}
"""What types of values C has tapes for, and what these are called in `g2o_runtime.h`."""
OVER_OTHERS: Final = {
    **dict.fromkeys(("cublas.h", "cublas_v2.h", "cublas_api.h"), "g2o_cublas.hpp"),
    "cublasLt.h": "g2o_cublaslt.hpp",
    "cufft.h": "g2o_cufft.hpp",
    "cusolverDn.h": "g2o_cusolver.hpp",
}
"""The parts that need CBLAS, FFTW or LAPACK, by the headers of CUDA that they are for."""
_GUARD: Final = b"#define G2O_RUNTIME_HPP\n"
_OFFLOAD: Final = b"#define G2O_OFFLOAD 1\n"
_NAME: Final = re.compile(r"\bg2o::(?:\w+::)*(\w+)")
_MACRO: Final = re.compile(r"^[ \t]*#[ \t]*define\b(?:.*\\\r?\n)*.*", re.MULTILINE)
_INCLUDE: Final = re.compile(
    r'^(?P<line>[ \t]*#include "(?P<name>(?:[^"\n]*/)?g2o_runtime\.hpp)")'
    r"[ \t]*(?:/\*[\s\S]*?\*/[ \t]*)*(?://[^\n]*?)?(?P<end>\r?\n)",
    re.MULTILINE,
)
"""The directive, with the comments behind it."""


def runtime_header(target: str = "cpu") -> bytes:
    """The text of `g2o_runtime.hpp`; for devices alone it says itself that there is one."""
    text = resources.files("g2o.runtime").joinpath(RUNTIME_HEADER).read_bytes()
    return text.replace(_GUARD, _GUARD + _OFFLOAD, 1) if target == "offload" else text


def c_header(name: str) -> bytes:
    """The text of one of `C_HEADERS`."""
    return resources.files("g2o.runtime").joinpath(name).read_bytes()


def all_headers(target: str) -> dict[str, bytes]:
    """All that there are, by name."""
    files = {file.name: file for file in resources.files("g2o.runtime").iterdir()}
    texts = {name: file.read_bytes() for name, file in files.items() if _is_of_cxx(name)}
    return {**texts, RUNTIME_HEADER: runtime_header(target)}


@cache
def companion_headers() -> frozenset[str]:
    """The headers beside the runtime's that translations may include, and those may include."""
    names = (file.name for file in resources.files("g2o.runtime").iterdir())
    return frozenset(filter(_is_of_cxx, names)) - {RUNTIME_HEADER}


def _is_of_cxx(name: str) -> bool:
    return name.endswith(".hpp") or name == C_ERRORS_HEADER


def names_of_parts() -> tuple[str, ...]:
    """What the parts of the runtime declare in namespace `g2o`."""
    return tuple(_part_of_name())


def names_of_part(part: str) -> frozenset[str]:
    return frozenset(_declared()[part])


def parts() -> tuple[str, ...]:
    """The parts of the runtime, which are no libraries of their own."""
    return tuple(_declared())


@cache
def _declared() -> dict[str, list[str]]:
    text = resources.files("g2o.runtime").joinpath("declared.json").read_text("utf-8")
    declared: dict[str, list[str]] = json.loads(text)
    return declared


@cache
def _part_of_name() -> dict[str, str]:
    return {name: part for part, names in _declared().items() for name in names}


def with_parts(
    code: str,
    through_macros: Iterable[str] = (),
    pasted: Iterable[str] = (),
    libraries: Iterable[str] | None = None,
) -> str:
    """`code` with the parts of the runtime that it names, included behind the runtime header.

    Those that need other libraries are included where more than a macro names them, which may never
    be used, unless the code includes them itself, under a condition. `through_macros` is what it
    names by macros of other files, `pasted` what such macros put behind `g2o::`. `libraries` are
    the parts that need others and that code may use, None where all of them are: what is named
    without the library's header is left out by the preprocessor.
    """
    include = _INCLUDE.search(code)
    if include is None:
        return code
    part_of = _part_of_name()
    allowed = OVER_OTHERS.values() if libraries is None else libraries
    over_others = {part for part in allowed if f'{part}"' not in code}
    named = {*_NAME.findall(_MACRO.sub("", code)), *through_macros}
    parts = sorted(
        {part_of[name] for name in (*_NAME.findall(code), *pasted) if name in part_of}
        - {*OVER_OTHERS.values()}
        | {part_of[name] for name in named if part_of.get(name) in over_others}
    )
    line, name = include["line"] + include["end"], PurePosixPath(include["name"])
    added = (line.replace(f'"{name}"', f'"{name.with_name(part)}"') for part in parts)
    return code[: include.end()] + "".join(added) + code[include.end() :]
