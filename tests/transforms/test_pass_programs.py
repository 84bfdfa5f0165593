"""Programs for single passes: how the translation reads, and that it does what the source does."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from tests.golden import orphans
from tests.together import agreements_once

_HERE = Path(__file__).parent
_AT_ONCE = 24
_EXPECTED = _HERE / "expected"
_PROGRAMS = sorted(path.stem for path in (_HERE / "programs").glob("*.cu"))


@pytest.mark.parametrize("program", _PROGRAMS)
def test_translation_reads_as_before(
    program: str, tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    source = _HERE / "programs" / f"{program}.cu"
    words = ["--in-root", str(source.parent), "--out-root", str(tmp_path), "--quiet"]
    assert run_g2o(["translate", str(source), *words]) == 0
    text = (tmp_path / f"{program}.omp.cpp").read_bytes().decode("latin-1")
    golden(_EXPECTED / f"{program}.omp.cpp", text.split("\n", 2)[2])  # the first lines say how


@pytest.mark.parametrize("program", _PROGRAMS)
def test_translation_does_what_the_emulated_program_does(
    program: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    group = _PROGRAMS.index(program) // _AT_ONCE
    names = _PROGRAMS[group * _AT_ONCE : (group + 1) * _AT_ONCE]
    sources = [_HERE / "programs" / f"{name}.cu" for name in names]
    found = agreements_once(f"transforms{group}", sources, tmp_path_factory.getbasetemp())
    assert not found[program]


def test_every_golden_belongs_to_a_program() -> None:
    expected = {_EXPECTED / f"{program}.omp.cpp" for program in _PROGRAMS}
    assert orphans(_EXPECTED, "*", expected) == []


@pytest.mark.parametrize("target", ["cpu", "portable"])
def test_clang_vectorises_loops_that_store_integers(tmp_path: Path, target: str) -> None:
    if shutil.which("clang++-19") is None:
        pytest.skip("clang++-19 is not installed")
    source = _HERE / "programs" / "stored_integers.cu"
    words = ["--target", target, "--out-root", str(tmp_path), "--quiet"]
    assert run_g2o(["translate", str(source), *words]) == 0
    flags = ["-std=c++17", "-O2", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-c"]
    command = ["clang++-19", *flags, "stored_integers.omp.cpp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
