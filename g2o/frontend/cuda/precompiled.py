"""Headers as clang keeps them: read once for all translations, in hundredths of a second.

A file for each header and each way of reading it stands below the user's cache directory, and a
list of what it was made from beside it: where one of those has changed since, it is made again.
Several processes may make it at the same time, and where it cannot be kept, it lives as long as the
process.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

from g2o.diagnostics.source import note_read
from g2o.frontend.cuda.clang_library import clang_version
from g2o.frontend.cuda.clang_unit import TranslationUnit, precompile
from g2o.user_cache import UNFINISHED, cache_place

_KEPT: Final = 16  # files of some megabytes
_ROOM: Final = 512 * 1024 * 1024  # bytes; libclang ends the process where a disk gets full
_OUTDATED: Final = re.compile(r"precompiled|PCH|AST file")
_SEARCHED: Final = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")  # clang looks there, too


@final
@dataclass(frozen=True, slots=True)
class Precompiled:
    """`path` is what clang has kept of a header that includes `files`."""

    path: Path
    files: tuple[str, ...]


@functools.cache
def precompiled(header: Path, arguments: tuple[str, ...]) -> Precompiled | None:
    """The header as clang reads it with `arguments`; None where it cannot be kept."""
    searched = [os.environ.get(name) for name in _SEARCHED]
    key = repr((clang_version(), str(header), arguments, searched))
    name = f"headers-{hashlib.sha256(key.encode()).hexdigest()[:16]}.pch"
    for place in (cache_place, _own_place):
        path = place() / name
        files = _made_from(path) or _made(header, arguments, path)
        if files:
            with contextlib.suppress(OSError):
                os.utime(path)  # what is in use is not the oldest
            return Precompiled(path, files)
    return None


def unit_behind(
    header: Path,
    header_arguments: tuple[str, ...],
    root: str,
    arguments: tuple[str, ...],
    texts: Mapping[str, bytes],
    *,
    searched: Sequence[str] = (),
    skips: bool = False,
) -> TranslationUnit | None:
    """The file `root`, read with `arguments` behind a header that has been read with its own; None
    where that cannot be kept, or one of the directories `searched` has a file by the name of one
    that the header includes. Raises OSError where libclang cannot read the file at all."""
    for _ in range(2):
        kept = precompiled(header, header_arguments)
        if kept is None or _are_hidden(kept.files, header_arguments, searched):
            return None
        words = (*arguments, "-include-pch", str(kept.path))
        try:
            unit = TranslationUnit(root, words, texts, skips=skips)
        except OSError:
            unit = None
        if unit is not None and not any(_OUTDATED.search(one.text) for one in unit.messages):
            for file in kept.files:
                note_read(file)
            return unit
        _forget(kept.path)  # clang does not accept it
    return None


@functools.cache
def may_mention(header: Path, arguments: tuple[str, ...], name: str) -> bool:
    """May the header, or what it includes, have the name in it?"""
    kept = precompiled(header, arguments)
    try:
        return kept is None or any(name.encode() in Path(one).read_bytes() for one in kept.files)
    except OSError:
        return True


def _are_hidden(files: Sequence[str], arguments: Sequence[str], searched: Sequence[str]) -> bool:
    """May a file be found in front of one of these, by the name that one is included by?"""
    places = [Path(place) for place in searched if os.path.isdir(place)]  # noqa: PTH112 - is a str
    if not places:
        return False
    found = {place: {one.name for one in place.iterdir()} for place in places}
    libraries = [b for a, b in zip(arguments, arguments[1:], strict=False) if a == "-isystem"]
    names = {_included_by(file, libraries) for file in files}
    return any(
        name.partition("/")[0] in known and (place / name).is_file()
        for place, known in found.items()
        for name in names
    )


def _included_by(file: str, libraries: Sequence[str]) -> str:
    """How a file of one of the directories is spelled; of others only the last part counts."""
    below = [file[len(one) + 1 :] for one in libraries if file.startswith(f"{one}/")]
    return min(below, key=len) if below else file.rpartition("/")[2]


def _forget(path: Path) -> None:
    precompiled.cache_clear()
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # what cannot be replaced is made for this process alone


def _list_of(path: Path) -> Path:
    return path.with_suffix(".json")


def _made_from(path: Path) -> tuple[str, ...]:
    """The files of a header that is kept; empty where it is not, or one of them has changed."""
    try:
        listed = cast("dict[str, list[int]]", json.loads(_list_of(path).read_text()))
        is_same = path.is_file() and all(_state(name) == was for name, was in listed.items())
    except (OSError, ValueError):
        return ()
    return tuple(listed) if is_same else ()


def _state(name: str) -> list[int]:
    found = Path(name).stat()
    return [found.st_size, found.st_mtime_ns]


def _made(header: Path, arguments: tuple[str, ...], target: Path) -> tuple[str, ...]:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(target.parent).free < _ROOM:
            return ()
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=UNFINISHED) as scratch:
            made = Path(scratch) / target.name
            files = precompile(str(header), arguments, str(made))
            if not files:
                return ()
            listed = {name: _state(name) for name in files}
            _list_of(made).write_text(json.dumps(listed))
            made.replace(target)
            _list_of(made).replace(_list_of(target))
        _without_oldest(target.parent)
    except OSError:
        return ()
    return files


def _without_oldest(directory: Path) -> None:
    files = sorted(directory.glob("headers-*.pch"), key=lambda file: file.stat().st_mtime)
    for file in files[:-_KEPT]:
        file.unlink(missing_ok=True)
        _list_of(file).unlink(missing_ok=True)


@functools.cache
def _own_place() -> Path:
    """A directory that goes with the process."""
    directory = tempfile.TemporaryDirectory(prefix="g2o-")
    atexit.register(directory.cleanup)
    return Path(directory.name)
