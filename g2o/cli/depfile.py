"""`--depfile`: what a translation depends on, in the form that make, ninja and CMake read.

a.omp.cpp: a.cu \\
  include/shape.cuh
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import click

from g2o.cli.inputs import shown_path
from g2o.cli.outputs import is_special
from g2o.cli.report import encode

_QUOTED: Final = str.maketrans({" ": "\\ ", "#": "\\#", "$": "$$"})


@final
@dataclass(frozen=True, slots=True)
class Depfile:
    """Where it goes, and of what it is: of the translations where that is not said."""

    path: Path
    target: str | None

    def text(self, written: Iterable[Path], read: Iterable[str]) -> bytes:
        """The rule for what was `written`, as depending on those of the files `read` that exist.
        Raises click.UsageError where it has nothing to be of."""
        outputs = [shown_path(path) for path in written if not is_special(path)]
        own = {os.path.abspath(path) for path in outputs}  # noqa: PTH100
        names = sorted({os.path.abspath(name) for name in read} - own)  # noqa: PTH100
        found = [shown_path(Path(name)) for name in names if Path(name).is_file()]
        targets = outputs if self.target is None else [self.target]
        if not targets:
            raise click.UsageError("--depfile of what is not a file needs --depfile-target.")
        rule = " \\\n  ".join(name.translate(_QUOTED) for name in found)
        return encode(f"{' '.join(name.translate(_QUOTED) for name in targets)}: {rule}\n")
