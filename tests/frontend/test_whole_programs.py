"""Programs with the host code of common suites, one for each part of CUDA that they use.

The first line of each says what it prints. The translation has to build without a warning and to
print that.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from tests.together import printed_at_once

_PROGRAMS = sorted((Path(__file__).parent / "whole_programs").glob("*.cu"))
_COMPILE = ("g++", "-std=c++17", "-O0", "-fopenmp", "-Wall", "-Wextra", "-Werror")

_APART = ("launch_wrappers", "types_of_namespaces")  # they say that a name is in no namespace


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the translation of each program prints: they are built together."""
    folder = tmp_path_factory.mktemp("programs")
    texts: list[tuple[str, str]] = []
    for path in _PROGRAMS:
        source = folder / path.name
        source.write_text(path.read_text())
        assert run_g2o(["translate", "-q", "--no-self-check", str(source)]) == 0
        texts.append((path.stem, source.with_suffix(".omp.cpp").read_text()))
    apart = [one for one in texts if one[0] in _APART]
    printed = printed_at_once([one for one in texts if one not in apart], folder, _COMPILE)
    for name, _ in apart:
        _run([*_COMPILE, f"{name}.omp.cpp", "-o", name], folder)
        printed[name] = _run([f"./{name}"], folder)
    return printed


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("path", _PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path, printed: dict[str, str]) -> None:
    expected = path.read_text().splitlines()[0].removeprefix("// out: ").split()
    assert printed[path.stem].split() == expected
