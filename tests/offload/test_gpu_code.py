"""What a compiler for graphics processors says to translations: nothing that makes them slow."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.corpus.execution import translate
from tests.corpus.programs import PROGRAMS, CorpusProgram
from tests.offload.device import NVPTX, ON_DEVICES, needs_clang, needs_ptxas

_REMARKS: Final = ("-Rpass-missed=openmp-opt", "-Rpass-analysis=openmp-opt")
# Variables on the heap of the device, kernels that one thread goes through while others wait to be
# told what to do, and loops over threads that are called through a pointer.
_SLOW: Final = re.compile(r"^.*\[(?:OMP112|OMP121|OMP13[0-9]|OMP140)\].*$", re.MULTILINE)
# Shared memory of a launch, and warps.
_FEW: Final = ("softmax_rows",)


def _check(program: CorpusProgram, tmp_path: Path) -> None:
    translate(program, tmp_path, "--target", "offload")
    for name in program.outputs:
        if not name.endswith(".cpp"):
            continue
        command = [NVPTX.compiler, *NVPTX.flags, *_REMARKS, "-c", str(tmp_path / name)]
        done = subprocess.run(
            [*command, "-o", str(tmp_path / "x.o")],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr[:4000]
        assert _SLOW.findall(done.stderr) == []


@needs_clang
@needs_ptxas
@pytest.mark.parametrize("program", [case for case in PROGRAMS if case.id in _FEW])
def test_nothing_is_slow_by_the_way_it_is_written(program: CorpusProgram, tmp_path: Path) -> None:
    _check(program, tmp_path)


@needs_clang
@needs_ptxas
@pytest.mark.slow
@pytest.mark.parametrize("program", ON_DEVICES)
def test_corpus(program: CorpusProgram, tmp_path: Path) -> None:
    _check(program, tmp_path)
