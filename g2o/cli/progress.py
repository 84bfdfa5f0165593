"""A line that says how far a command is: over many files, or over one that takes long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from g2o.cli.inputs import shown_path

T = TypeVar("T")

_CLEAR_LINE: Final = "\r\x1b[2K"
_PATIENCE: Final = 2.0  # seconds


def with_progress(paths: Sequence[Path], results: Iterator[T], *, quiet: bool) -> Iterator[T]:
    """`results` of `paths` one by one. On stderr, where that is a terminal, stands meanwhile which
    file is waited for, with `[3/17]` in front of several, and from the third second on how long."""
    if quiet or not sys.stderr.isatty():
        yield from results
        return
    for number, path in enumerate(paths, start=1):
        counted = f"[{number}/{len(paths)}] " if len(paths) > 1 else ""
        with _shown(f"{counted}{shown_path(path)}", at_once=len(paths) > 1):
            result = next(results)
        yield result


@contextmanager
def _shown(text: str, *, at_once: bool) -> Generator[None]:
    ended = threading.Event()
    ticking = threading.Thread(target=_tick, args=(text, ended), daemon=True)
    if at_once:
        _print(text)
    ticking.start()
    try:
        yield
    finally:
        ended.set()
        ticking.join()
        _print("")


def _tick(text: str, ended: threading.Event) -> None:
    begin = time.monotonic()
    wait = _PATIENCE
    while not ended.wait(wait):
        _print(f"{text}: {time.monotonic() - begin:.0f} s")
        wait = 1.0


def _print(line: str) -> None:
    print(f"{_CLEAR_LINE}{line}", end="", file=sys.stderr, flush=True)
