"""Constructs of C++ in device code, one small program each.

Every file of `constructs/` defines `__global__ void k(int *out, int n)`; its first line has the
eight numbers that two blocks of four threads are to write. The translation has to build without a
warning and to write them.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_CONSTRUCTS = sorted((Path(__file__).parent / "constructs").glob("*.cu"))
_COMPILE = (
    *("g++", "-std=c++17", "-O0", "-fopenmp", "-Wall", "-Wextra", "-Werror"),
    "-Wno-unused-parameter",  # what the source does not use
)
_MAIN = """
#include <cstdio>
#ifndef LAUNCH
#define LAUNCH k<<<2, 4>>>(out, 8)
#endif
int main()
{
    int *out;
    cudaMallocManaged(&out, 8 * sizeof(int));
    LAUNCH;
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i)
        std::printf("%d ", out[i]);
    cudaFree(out);
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the runtime header compiled: it takes most of the time to compile a program."""
    folder = tmp_path_factory.mktemp("constructs")
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


@pytest.mark.parametrize("path", _CONSTRUCTS, ids=lambda path: path.stem)
def test_construct(path: Path, folder: Path) -> None:
    text = path.read_text()
    expected = text.splitlines()[0].removeprefix("// out: ").split()
    source = folder / path.name
    source.write_text(text + _MAIN)
    assert run_g2o(["translate", "-q", str(source)]) == 0
    program = f"./{path.stem}"
    _run([*_COMPILE, f"{path.stem}.omp.cpp", "-o", program], folder)
    assert _run([program], folder).split() == expected
