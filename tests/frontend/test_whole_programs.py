"""Programs with the host code of common suites, one for each part of CUDA that they use.

The first line of each says what it prints. The translation has to build without a warning and to
print that.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_PROGRAMS = sorted((Path(__file__).parent / "whole_programs").glob("*.cu"))
_COMPILE = ("g++", "-std=c++17", "-O0", "-fopenmp", "-Wall", "-Wextra", "-Werror")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the runtime header compiled: it takes most of the time to compile a program."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "empty.cu").write_text("__global__ void k() {}\n")
    assert run_g2o(["translate", "-q", str(folder / "empty.cu")]) == 0
    _run([*_COMPILE, "-x", "c++-header", "g2o_runtime.hpp"], folder)
    return folder


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("path", _PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = path.read_text()
    expected = text.splitlines()[0].removeprefix("// out: ").split()
    source = folder / path.name
    source.write_text(text)
    code = run_g2o(["translate", "-q", str(source)])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    program = f"./{path.stem}"
    _run([*_COMPILE, f"{path.stem}.omp.cpp", "-o", program], folder)
    assert _run([program], folder).split() == expected
