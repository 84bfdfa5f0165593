"""What every emulated program is built of, compiled once: the emulator's core and its header.

Both stand below the user's cache directory, in a folder for each compiler and each set of its
options. Several processes may make them at the same time; where they cannot be kept, each build
does without.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from g2o.user_cache import cache_place

EMULATOR: Final = Path(__file__).parent / "emulator"
HEADER: Final = "cuda_emulator.hpp"
_KEPT: Final = 6  # folders; a header that g++ has read takes fifty megabytes
_CHANGES_HEADERS: Final = ("-D", "-U", "-I", "-i", "@", "-W", "-x")


def kept_object(command: Sequence[str], source: str) -> Path | None:
    """The object that `command` makes of C++ `source`; None where it cannot be kept."""
    return _kept((*command, "-c"), source, "core.cpp", "core.o")


def precompiled_header(command: Sequence[str]) -> Path | None:
    """What to `-include` in place of the emulator's header: beside it stands what the compiler has
    made of it with `command`. None where options may change what the header says."""
    if any(word.startswith(_CHANGES_HEADERS) for word in command[1:] if word != "-w"):
        return None
    text = f'#include "{EMULATOR / HEADER}"\n'
    emulated = (*command, "-DG2O_EMULATED_SOURCE", "-x", "c++-header")
    made = _kept(emulated, text, HEADER, f"{HEADER}.gch")
    return made and made.with_name(HEADER)


def forget(header: Path) -> None:
    """Have a header that the compiler does not accept read anew for the next build."""
    with contextlib.suppress(OSError):
        header.with_name(f"{HEADER}.gch").unlink()


def _kept(command: tuple[str, ...], text: str, source: str, name: str) -> Path | None:
    digest = hashlib.sha256(repr((command, _version(command[0]), text)).encode())
    digest.update(_emulator_digest())
    place = cache_place()
    folder = place / f"emulator-{digest.hexdigest()[:16]}"
    target = folder / name
    if target.is_file():
        with contextlib.suppress(OSError):
            os.utime(folder)  # what is in use is not the oldest
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            _write_once(folder / source, text, Path(scratch) / source)
            made = Path(scratch) / target.name
            wanted = (*command, str(folder / source), "-o", str(made))
            if subprocess.run(wanted, capture_output=True, check=False).returncode != 0:
                return None
            made.replace(target)
        _without_oldest(place)
    except OSError:  # no place to keep it
        return None
    return target


def _write_once(path: Path, text: str, scratch: Path) -> None:
    """clang wants a header to be what it was when it was read, down to its date."""
    scratch.write_bytes(os.fsencode(text))
    with contextlib.suppress(FileExistsError):
        path.hardlink_to(scratch)


@functools.cache
def _emulator_digest() -> bytes:
    digest = hashlib.sha256(str(EMULATOR).encode())
    for header in sorted(EMULATOR.rglob("*.h*")):
        digest.update(header.read_bytes())
    return digest.digest()


@functools.cache
def _version(compiler: str) -> bytes:
    try:
        return subprocess.run((compiler, "--version"), capture_output=True, check=False).stdout
    except OSError:
        return b""


def _without_oldest(place: Path) -> None:
    folders = sorted(place.glob("emulator-*/"), key=lambda one: one.stat().st_mtime)
    for folder in folders[:-_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)
