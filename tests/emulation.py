"""What CUDA programs print under emulation, kept from one run of the tests to the next.

That depends on the programs and on the emulator alone, and is slow to find out: it is in a file, as
translations are that have been looked at. `make golden` writes it anew; `make test` asks whether it
is that of the programs and of the emulator as they are (`tests/verify/test_emulation.py`), and
emulates where it is not. `make test-slow` emulates all of them.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from g2o.verify import build

UPDATE: Final = "G2O_TESTS_UPDATE_EMULATED"
"""Set in the environment where the file is to be written."""

ROOT: Final = Path(__file__).parents[1]
_KEPT: Final = Path(__file__).parent / "emulated.json"
_MUCH: Final = 30_000
_SOURCES: Final = (".cu", ".cuh", ".h", ".hpp")


def kept(program: Path) -> list[str] | None:
    """What the program, a file or all files of a folder, prints; None where nobody knows."""
    if UPDATE in os.environ or not _is_of_the_project(program):
        return None
    found = _all().get(_name(program))
    return found[1:] if found is not None and found[0] == key(program) else None


def keep(program: Path, printed: Sequence[str]) -> None:
    """Note what the program prints in each order of its threads, if that is asked for and few."""
    much = sum(map(len, printed)) > _MUCH
    if UPDATE not in os.environ or much or not _is_of_the_project(program):
        return
    with _KEPT.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known: dict[str, list[str]] = json.loads(file.read() or "{}")
        known = {name: one for name, one in known.items() if (ROOT / name).exists()}
        found = known.get(_name(program))
        if found is None or found[0] != key(program):  # else only times are others
            known[_name(program)] = [key(program), *printed]
        file.seek(0)
        file.truncate()
        file.write(json.dumps(dict(sorted(known.items())), indent=0) + "\n")


def names() -> dict[str, str]:
    """The programs of which something is kept, and what that depends on."""
    return {name: found[0] for name, found in _all().items()}


def key(program: Path) -> str:
    """A number for the sources and the emulator."""
    hashed = hashlib.sha256(_emulator())
    folder = program if program.is_dir() else program.parent
    files = [one for one in sorted(folder.iterdir()) if one.suffix in _SOURCES]
    for one in files:
        if program.is_dir() or one == program or one.suffix != ".cu":
            hashed.update(one.name.encode() + b"\n" + one.read_bytes())
    return hashed.hexdigest()[:16]


@functools.cache
def _all() -> dict[str, list[str]]:
    return json.loads(_KEPT.read_text()) if _KEPT.is_file() else {}


@functools.cache
def _emulator() -> bytes:
    folder = Path(build.__file__).parent
    hashed = hashlib.sha256()
    whole = (folder / "build.py", folder / "run.py", *(folder / "emulator").rglob("*"))
    for one in sorted(whole):
        if one.is_file() and one.suffix in (".py", *_SOURCES):
            hashed.update(one.name.encode() + b"\n" + one.read_bytes())
    return hashed.digest()


def _is_of_the_project(program: Path) -> bool:
    return program.resolve().is_relative_to(ROOT)


def _name(program: Path) -> str:
    return program.resolve().relative_to(ROOT).as_posix()
