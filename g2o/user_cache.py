"""What is kept between processes, below the user's cache directory.

Everything here is a copy of what can be made again. Entries appear whole, by a rename; several
processes may make the same one at the same time, and the first wins. What a killed process leaves
behind is never taken for an entry, and goes with the next that is made.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

UNFINISHED: Final = ".making-"
_ABANDONED: Final = 3600.0  # seconds after which no compiler works on an entry any more
_LARGEST: Final = 512 * 1024 * 1024  # bytes of entries of a kind


def cache_place() -> Path:
    """The directory of g2o's own below the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "g2o"


def kept_folder(name: str, make: Callable[[Path], None], most: int) -> Path:
    """The new entry `name`, a folder that `make` fills, or that of a process that was faster. Of
    its kind, which is the name up to its hyphen, `most` entries are kept.

    Raises OSError where nothing can be kept there, and what `make` raises.
    """
    place = cache_place()
    target = place / name
    place.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=place))
    try:
        make(made)
        made.chmod(0o755)
        _put(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    _without_oldest(place, name.partition("-")[0], most)
    return target


def drop(entry: Path) -> None:
    """Remove an entry, a file or a folder, at once as others see it."""
    if not entry.is_dir():
        entry.unlink(missing_ok=True)
        return
    gone = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=entry.parent))
    try:
        entry.rename(gone / entry.name)
    except FileNotFoundError:
        pass  # another process was faster
    finally:
        shutil.rmtree(gone, ignore_errors=True)


def entries() -> Iterator[tuple[str, Path, int]]:
    """All that is kept: the kind, the place and the bytes of each entry."""
    place = cache_place()
    for entry in sorted(place.iterdir()) if place.is_dir() else ():
        inner = entry.rglob("*") if entry.is_dir() else (entry,)
        size = sum(_size(one) for one in inner)
        yield entry.name.lstrip(".").partition("-")[0], entry, size


def _put(made: Path, target: Path) -> None:
    try:
        made.rename(target)
    except OSError:
        if not target.is_dir():
            raise  # else another process was faster


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _without_oldest(place: Path, kind: str, most: int) -> None:
    """Remove the entries of a kind that were not used for longest, and what was never finished."""
    now = time.time()
    known = sorted(((_used(one), one) for one in place.glob(f"{kind}-*")), reverse=True)
    total = 0
    for index, (_, entry) in enumerate(known):
        total += sum(_size(file) for file in entry.iterdir()) if entry.is_dir() else _size(entry)
        if index >= most or (index and total > _LARGEST):
            drop(entry)
    for left in place.glob(f"{UNFINISHED}*"):
        if now - _used(left) > _ABANDONED:
            shutil.rmtree(left, ignore_errors=True)


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
