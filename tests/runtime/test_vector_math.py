"""The exponentials and logarithms of vector loops, by the C library's in wider types."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.runtime.headers import RUNTIME

_CHECK = Path(__file__).with_name("vector_math.cpp")
_FLAGS = ("-std=c++17", "-fopenmp", f"-I{RUNTIME}", "-Wall", "-Wextra", "-Werror")


_ASSOCIATIVE = "-fno-trapping-math -fno-signed-zeros -fassociative-math"


@pytest.mark.parametrize(
    "command", ["g++ -O3 -march=native", "clang++-19 -O2", f"g++ -O2 -march=native {_ASSOCIATIVE}"]
)
def test_numbers_are_next_to_the_exact_ones(command: str, tmp_path: Path) -> None:
    compiler, *options = command.split()
    built = tmp_path / "check"
    subprocess.run([compiler, *_FLAGS, *options, str(_CHECK), "-o", str(built)], check=True)
    only_floats = ["floats"] if _ASSOCIATIVE in command else []
    done = subprocess.run([str(built), *only_floats], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
