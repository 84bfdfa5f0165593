"""Constructs of C++ in device code, one small program each.

Every file of `constructs/` defines `__global__ void k(int *out, int n)`; its first line has the
eight numbers that two blocks of four threads are to write. The translation has to build without a
warning and to write them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from tests.together import printed_at_once

_CONSTRUCTS = sorted((Path(__file__).parent / "constructs").glob("*.cu"))
_COMPILE = (
    *("g++", "-std=c++17", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror"),
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
    std::printf("\\n");
    cudaFree(out);
}
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the translation of each construct prints: all are one program, whose parts are named."""
    folder = tmp_path_factory.mktemp("constructs")
    texts: list[tuple[str, str]] = []
    for path in _CONSTRUCTS:
        source = folder / path.name
        source.write_text(path.read_text() + _MAIN)
        assert run_g2o(["translate", "-q", "--no-self-check", str(source)]) == 0
        texts.append((path.stem, source.with_suffix(".omp.cpp").read_text()))
    return printed_at_once(texts, folder, _COMPILE)


@pytest.mark.parametrize("path", _CONSTRUCTS, ids=lambda path: path.stem)
def test_construct(path: Path, printed: dict[str, str]) -> None:
    expected = path.read_text().splitlines()[0].removeprefix("// out: ").split()
    assert printed[path.stem].split() == expected
