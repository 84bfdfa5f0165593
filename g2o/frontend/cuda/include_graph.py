"""Which file includes which, read from their text: both branches of every condition count.

System headers and files that are not there do not take part.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import SourceFile, text_as_name
from g2o.frontend.cuda.reading import read_source

_INCLUDE: Final = re.compile(
    r"""^[ \t]*(\#)[ \t]*include[ \t]*([<"])([^>"\n]*)[>"]""", re.MULTILINE | re.VERBOSE
)
_SYSTEM: Final = re.compile(r"/usr/|/opt/|.*/(?:site|dist)-packages/|.*/torch/include/")
_SEARCH_FLAGS: Final = ("-I", "-iquote")


@final
@dataclass(frozen=True, slots=True)
class Inclusion:
    """`#include` at `offset` of its file, as spelled, and the real path that it leads to."""

    spelled: str
    target: Path
    offset: int


def search_directories(flags: Sequence[str]) -> tuple[Path, ...]:
    """The directories of `-I` and `-iquote`, in order."""
    found: list[Path] = []
    remaining = iter(flags)
    for flag in remaining:
        option = next((one for one in _SEARCH_FLAGS if flag.startswith(one)), None)
        if option is not None:
            value = flag.removeprefix(option) or next(remaining, ".")
            found.append(Path(value))
    return tuple(found)


@final
class IncludeGraph:
    """Files by real path, each read once. A file that cannot be read includes nothing."""

    def __init__(self, directories: Iterable[Path]) -> None:
        """`directories` are searched for what does not stand beside the including file."""
        self._directories = tuple(dict.fromkeys(directories))
        self._sources: dict[Path, SourceFile | None] = {}
        self._direct: dict[Path, tuple[Inclusion, ...]] = {}
        self._closures: dict[Path, tuple[Path, ...]] = {}

    def source(self, path: Path) -> SourceFile | None:
        if path not in self._sources:
            self._sources[path] = _read(path)
        return self._sources[path]

    def direct(self, path: Path) -> tuple[Inclusion, ...]:
        """The includes of the file at `path`, in order."""
        if path not in self._direct:
            self._direct[path] = tuple(self._inclusions(path))
        return self._direct[path]

    def closure(self, path: Path) -> tuple[Path, ...]:
        """All files that `path` includes, directly or not, nearest first; never itself."""
        known = self._closures.get(path)
        if known is None:
            known = self._closures[path] = tuple(self._reached(path))
        return known

    def _reached(self, path: Path) -> dict[Path, None]:
        found: dict[Path, None] = {}
        pending = [path]
        while pending:
            current = pending.pop(0)
            for inclusion in self.direct(current):
                if inclusion.target not in found and inclusion.target != path:
                    found[inclusion.target] = None
                    pending.append(inclusion.target)
        return found

    def _inclusions(self, path: Path) -> Iterator[Inclusion]:
        source = self.source(path)
        for line in _INCLUDE.finditer("" if source is None else source.text):
            target = self._resolve(path.parent, line.group(3), quoted=line.group(2) == '"')
            if target is not None:
                yield Inclusion(line.group(3), target, line.start(1))

    def _resolve(self, beside: Path, header: str, *, quoted: bool) -> Path | None:
        for directory in ((beside,) if quoted else ()) + self._directories:
            candidate = real_path(directory / text_as_name(header))
            if candidate.is_file():
                return None if is_of_system(str(candidate)) else candidate
        return None


def is_of_system(path: str) -> bool:
    """Does the file at a real path belong to the system, or to an installed package of Python's?"""
    return _SYSTEM.match(path) is not None


def real_path(path: Path) -> Path:
    """The file that `path` leads to; unlike `Path.resolve`, a loop of links does not raise."""
    return Path(os.path.realpath(path))


def _read(path: Path) -> SourceFile | None:
    try:
        return read_source(path)
    except OSError:
        return None
