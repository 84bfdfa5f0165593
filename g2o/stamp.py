"""What tells one g2o from another: what depends on g2o itself is made again when that changes.

Loaded in front of all other modules; needs none of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Final

_PACKAGES: Final = ("clang", "clang_format", "islpy")


def program_stamp() -> list[tuple[str, int, int]]:
    """g2o itself and what it calls, by the sizes and times of its files."""
    pending = [os.path.dirname(os.path.abspath(__file__))]  # noqa: PTH100, PTH120
    found: list[tuple[str, int, int]] = []
    while pending:
        for entry in os.scandir(pending.pop()):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    pending.append(entry.path)
            else:
                found.append(_stamp(entry.path))
    found += map(_stamp, _of_packages())
    return sorted(found)


def _of_packages() -> Iterator[str]:
    for folder in sys.path:
        for name in _PACKAGES:
            yield os.path.join(folder, name, "__init__.py")  # noqa: PTH118
    for folder in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        for name in ("gcc", "g++", "cc"):
            yield os.path.join(folder, name)  # noqa: PTH118


def _stamp(path: str) -> tuple[str, int, int]:
    try:
        stat = os.stat(path)  # noqa: PTH116
    except OSError:
        return path, -1, -1
    return path, stat.st_size, stat.st_mtime_ns
