"""The runtime header as clang keeps it: read once for all translations, in hundredths of a second.

A file for each set of headers and each language standard stands below the user's cache directory.
clang itself sees whether what it was made from has changed since; several processes may make it at
the same time, and where it cannot be kept, it lives as long as the process.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from g2o.frontend.cuda.clang_library import clang_version
from g2o.frontend.cuda.clang_unit import precompile
from g2o.runtime.headers import RUNTIME_HEADER, companion_headers

_KEPT: Final = 12  # files of ten megabytes


@functools.cache
def precompiled(headers: tuple[str, ...], arguments: tuple[str, ...]) -> Path | None:
    """The file with the runtime header and `headers` of the runtime behind it, as clang reads them
    with `arguments`; None where there is none."""
    folder = resources.files("g2o.runtime")
    if not isinstance(folder, Path):
        return None
    files = [folder / name for name in (*headers, RUNTIME_HEADER)]
    read = {*files, *(folder / name for name in companion_headers() if headers)}
    digest = hashlib.sha256(repr((clang_version(), str(folder), headers, arguments)).encode())
    for file in sorted(read):
        digest.update(file.read_bytes())
    name = f"headers-{digest.hexdigest()[:16]}.pch"
    arguments = tuple("c++-header" if one == "c++" else one for one in arguments)
    for place in (_cache, _own_place):
        found = place() / name
        if found.is_file() or _made(files, arguments, found):
            return found
    return None


def forget(path: Path) -> None:
    """Have a file that clang does not accept made again."""
    precompiled.cache_clear()
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # what cannot be replaced is made for this process alone


def _made(files: Sequence[Path], arguments: Sequence[str], target: Path) -> bool:
    first, *others = reversed(files)
    included = [word for other in others[:-1] for word in ("-include", str(other))]
    main = others[-1] if others else first
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".g2o-") as scratch:
            made = Path(scratch) / target.name
            if not precompile(str(main), [*arguments, *included], str(made)):
                return False
            made.replace(target)
        _without_oldest(target.parent)
    except OSError:
        return False
    return True


def _without_oldest(directory: Path) -> None:
    files = sorted(directory.glob("headers-*.pch"), key=lambda file: file.stat().st_mtime)
    for file in files[:-_KEPT]:
        file.unlink(missing_ok=True)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "g2o"


@functools.cache
def _own_place() -> Path:
    """A directory that goes with the process."""
    directory = tempfile.TemporaryDirectory(prefix="g2o-")
    atexit.register(directory.cleanup)
    return Path(directory.name)
