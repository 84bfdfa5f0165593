"""What every thread computes alike is computed once: the cost of `normalize` is linear in n.

As it is written, each of n threads sums n squares.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.corpus.execution import GCC, translate
from tests.corpus.programs import CorpusProgram, corpus_programs

_ELEMENTS = 1_000_000
_REPEATS = "50"


def _normalize() -> CorpusProgram:
    (program,) = (one for one in corpus_programs() if one.name == "normalize")
    return program


def _seconds(executable: Path, elements: int) -> float:
    """Processor time of the fastest of three runs on one thread."""
    times: list[float] = []
    for _ in range(3):
        before = os.times().children_user
        subprocess.run(
            [executable, str(elements), _REPEATS],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            timeout=120,
        )
        times.append(os.times().children_user - before)
    return min(times)


@pytest.mark.slow
def test_four_times_the_elements_cost_less_than_six_times_as_much(tmp_path: Path) -> None:
    translate(_normalize(), tmp_path, "--quiet")
    executable = tmp_path / "normalize"
    command = [GCC.compiler, "-O2", "-std=c++17", "-fopenmp", "-I", str(tmp_path)]
    subprocess.run([*command, tmp_path / "normalize.omp.cpp", "-o", executable], check=True)
    small, large = _seconds(executable, _ELEMENTS), _seconds(executable, 4 * _ELEMENTS)
    print(f"normalize: {small:.3f} s for n = {_ELEMENTS}, {large:.3f} s for 4 n")
    assert large / small < 6
