"""Translation and differentiation take time in proportion to the code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.large_kernels import chain, species, stencil

_GRAD = ("--grad", "stencil(v)/(u)")


def _stencil(statements: int) -> str:
    return stencil(statements, 3 * statements // 10)


def _seconds(source: str, folder: Path, *options: str) -> float:
    """Processor time of the faster of two translations."""
    file = folder / "large.cu"
    file.write_text(source)
    command = [sys.executable, "-m", "g2o", "translate", "-q", "--no-self-check", *options, file]
    times: list[float] = []
    for number in range(2):
        before = os.times().children_user
        output = folder / f"{number}.omp.cpp"  # each run has something to do
        subprocess.run([*command, "-o", output], check=True, timeout=600)
        times.append(os.times().children_user - before)
    return min(times)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "size", "options"),
    [
        pytest.param(_stencil, 500, (), id="stencil"),
        pytest.param(_stencil, 500, _GRAD, id="stencil-grad"),
        pytest.param(chain, 400, (), id="chain"),
        pytest.param(chain, 200, _GRAD, id="chain-grad"),
        pytest.param(species, 400, (), id="species"),
        pytest.param(species, 200, _GRAD, id="species-grad"),
    ],
)
def test_twice_the_statements_take_little_more_than_twice_the_time(
    make: Callable[[int], str], size: int, options: tuple[str, ...], tmp_path: Path
) -> None:
    small = _seconds(make(size), tmp_path, *options)
    large = _seconds(make(2 * size), tmp_path, *options)
    print(f"{small:.2f} s for {size} statements, {large:.2f} s for {2 * size}")
    assert large / small < 2.6
