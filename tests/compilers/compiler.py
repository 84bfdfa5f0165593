"""A compiler that takes `g2o_runtime.hpp` as read, where that changes nothing (see `__init__.py`).

    compiler.py /place/g++ -O1 -fopenmp -c a.cpp -o a.o

Nothing changes for a source that includes it behind headers of the system only, as it is in the
repository, with options that say nothing of headers and by which the header is not warned of. What
does not compile so is compiled as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_NAME = "g2o_runtime.hpp"
_RUNTIME = Path(__file__).resolve().parents[2] / "g2o" / "runtime" / _NAME
_FIRST = re.compile(rb'(?:\s|//[^\n]*\n|#include <[^\n]*\n)*#include "g2o_runtime\.hpp"\n')
_OTHER_MODES = ("-E", "-M", "-S", "-x", "-i", "-fopenmp-targets", "-foffload", "--offload", "@")
_NOT_OF_HEADERS = ("-I", "-L", "-l", "-Wl,", "-c", "-fsyntax-only")
_APART = ("-o", "-I", "-L")  # options whose argument may stand behind them
_LINKED = (".o", ".a", ".so")
_OFTEN = 2  # sources with the same options before the header is read for them


def main(invoked: str, *arguments: str) -> None:
    """Becomes the compiler, but for sources that compile with the header as it was read."""
    place = Path(invoked).parent
    compiler = _compiler(Path(invoked).name, place)
    header = _header_for(place, compiler, arguments)
    if header is not None:
        command = (compiler, "-include", str(header), *arguments)
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode == 0:
            sys.stdout.buffer.write(done.stdout)
            sys.stderr.buffer.write(done.stderr)
            return
    os.execv(compiler, (compiler, *arguments))


def _compiler(name: str, place: Path) -> str:
    folders = map(Path, os.environ.get("PATH", "").split(os.pathsep))
    candidates = (str(one / name) for one in folders if one != place)
    return next((one for one in candidates if os.access(one, os.X_OK)), name)


def _header_for(place: Path, compiler: str, arguments: Sequence[str]) -> Path | None:
    """The header that the compiler has read with these options; None where it does not matter."""
    sources = [one for one in arguments if one.endswith(".cpp") and not one.startswith("-")]
    if len(sources) != 1 or any(one.startswith(_OTHER_MODES) for one in arguments):
        return None
    runtime = _RUNTIME.read_bytes()
    source = Path(sources[0])
    if not source.is_file() or _FIRST.match(source.read_bytes()) is None:
        return None
    if _included(source, arguments) != runtime:
        return None
    options = _options(arguments, sources[0])
    key = hashlib.sha256(repr((compiler, options)).encode() + runtime).hexdigest()[:16]
    folder = place / key
    folder.mkdir(exist_ok=True)
    made = folder / f"{_NAME}.{'pch' if 'clang' in compiler else 'gch'}"
    if made.is_file() or (_is_frequent(folder) and _made((compiler, *options), made)):
        return folder / _NAME
    return None


def _options(arguments: Sequence[str], source: str) -> list[str]:
    """Those that a header is read with."""
    options: list[str] = []
    before = ""
    for one in arguments:
        belongs = before in _APART
        before = one
        if not (belongs or one == source or one in _APART or one.startswith(_NOT_OF_HEADERS)):
            options += () if one.endswith(_LINKED) else (one,)
    return options


def _is_frequent(folder: Path) -> bool:
    """Is this not one of the first sources with such options?"""
    return not any(_is_first(folder / str(number)) for number in range(_OFTEN))


def _is_first(mark: Path) -> bool:
    """Has nobody left this mark before?"""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _made(command: Sequence[str], made: Path) -> bool:
    """Has the header been read? One process does it; others do not wait for that."""
    if not _is_first(made.with_name("lock")):
        return False
    header, new = made.with_name(_NAME), made.with_name("new")
    header.write_bytes(_RUNTIME.read_bytes())
    done = (*command, "-x", "c++-header", str(header), "-o", str(new))
    finished = subprocess.run(done, capture_output=True, check=False)
    if finished.returncode != 0 or finished.stderr:  # it would be warned of once only
        return False
    new.replace(made)
    return True


def _included(source: Path, arguments: Sequence[str]) -> bytes:
    """The header that the source includes."""
    folders = [source.parent]
    for before, one in zip(("", *arguments), arguments, strict=False):
        if before == "-I":
            folders.append(Path(one))
        elif one.startswith("-I") and one != "-I":
            folders.append(Path(one[2:]))
    places = (one / _NAME for one in folders)
    return next((one.read_bytes() for one in places if one.is_file()), b"")


if __name__ == "__main__":
    main(*sys.argv[1:])
