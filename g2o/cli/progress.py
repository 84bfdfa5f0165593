"""A line that says how far a command over many files is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from g2o.cli.inputs import shown_path

_CLEAR_LINE = "\r\x1b[2K"


def with_progress(paths: Sequence[Path], *, quiet: bool) -> Iterator[Path]:
    """`paths` one by one, with `[3/17] src/a.cu` on stderr where that is a terminal."""
    visible = not quiet and len(paths) > 1 and sys.stderr.isatty()
    for number, path in enumerate(paths, start=1):
        if visible:
            line = f"{_CLEAR_LINE}[{number}/{len(paths)}] {shown_path(path)}"
            print(line, end="", file=sys.stderr, flush=True)
        yield path
    if visible:
        print(_CLEAR_LINE, end="", file=sys.stderr, flush=True)
