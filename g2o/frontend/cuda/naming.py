"""The rule by which names of CUDA become names of g2o.

cudaMemcpy2DToArray        -> g2o::memcpy_2d_to_array     functions: snake case
cudaEvent_t, cudaEvent     -> g2o::Event                  types: no `cuda`, no `_t`
cudaMemcpyHostToDevice     -> g2o::MemcpyHostToDevice     enumerators and flags: no `cuda`
__fdividef                 -> g2o::fdividef               intrinsics: no underscores
curand_init                -> g2o::curand_init            cuRAND: as they are
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

_WORD = re.compile(r"\d+D|P2P|SMem|[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+")


def words(text: str) -> tuple[str, ...]:
    """The names of a table that is written as running text."""
    return tuple(text.split())


def prefixed(prefix: str, text: str) -> tuple[str, ...]:
    return tuple(prefix + name for name in words(text))


def read_only(table: dict[str, str]) -> Mapping[str, str]:
    return MappingProxyType(table)


def snake_case(name: str) -> str:
    """`Memcpy2DToArray` -> `memcpy_2d_to_array`."""
    return "_".join(word.lower() for word in _WORD.findall(name))


def functions(names: Iterable[str]) -> dict[str, str]:
    return {name: "g2o::" + snake_case(name.removeprefix("cuda")) for name in names}


def types(names: Iterable[str]) -> dict[str, str]:
    return {name: "g2o::" + name.removeprefix("cuda").removesuffix("_t") for name in names}


def enumerators(names: Iterable[str]) -> dict[str, str]:
    return {name: "g2o::" + name.removeprefix("cuda") for name in names}


def intrinsics(names: Iterable[str]) -> dict[str, str]:
    """Without leading underscores; names that have none stay as they are, inside `g2o`."""
    return {name: "g2o::" + name.lstrip("_") for name in names}
