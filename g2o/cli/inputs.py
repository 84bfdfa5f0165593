"""Whether an input file is CUDA source text that can be read at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from g2o.diagnostics.diagnostic import Diagnostic, Severity


def inspect(path: Path) -> Iterator[Diagnostic]:
    """What speaks against translating `path`, as diagnostics about the whole file."""
    shown_as = shown_path(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            yield _error("G2O0003", "is a directory, not a CUDA source file", shown_as)
            return
        if not stat.S_ISREG(mode):
            yield _error("G2O0004", "cannot read: not a regular file", shown_as)
            return
        data = path.read_bytes()
    except FileNotFoundError:
        yield _error("G2O0002", "no such file", shown_as)
    except OSError as fault:
        yield _error("G2O0004", f"cannot read: {fault.strerror or fault}", shown_as)
    else:
        yield from _inspect_data(data, shown_as)


def _inspect_data(data: bytes, shown_as: str) -> Iterator[Diagnostic]:
    if b"\0" in data:
        reason = f"not a text file: it has a NUL byte at offset {data.index(0)}"
        yield _error("G2O0005", reason, shown_as)
    elif not data:
        yield Diagnostic(Severity.WARNING, "G2O0006", "file is empty", path=shown_as)


def _error(code: str, message: str, shown_as: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, code, message, path=shown_as)


def shown_path(path: Path) -> str:
    """`path` as messages name it: as the user did, but relative where it lies below `.`."""
    if not path.is_absolute():
        return str(path)
    relative = os.path.relpath(path)
    return str(path) if relative.startswith(os.pardir) else relative
