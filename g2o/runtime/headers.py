"""The headers that are written beside translations."""

from __future__ import annotations

from importlib import resources
from typing import Final

RUNTIME_HEADER: Final = "g2o_runtime.hpp"
_GUARD: Final = b"#define G2O_RUNTIME_HPP\n"
_OFFLOAD: Final = b"#define G2O_OFFLOAD 1\n"


def runtime_header(target: str = "cpu") -> bytes:
    """The text of `g2o_runtime.hpp`; for devices alone it says itself that there is one."""
    text = resources.files("g2o.runtime").joinpath(RUNTIME_HEADER).read_bytes()
    return text.replace(_GUARD, _GUARD + _OFFLOAD, 1) if target == "offload" else text


def all_headers(target: str) -> dict[str, bytes]:
    """All that there are, by name."""
    files = {file.name: file for file in resources.files("g2o.runtime").iterdir()}
    texts = {name: file.read_bytes() for name, file in files.items() if name.endswith(".hpp")}
    return {**texts, RUNTIME_HEADER: runtime_header(target)}
