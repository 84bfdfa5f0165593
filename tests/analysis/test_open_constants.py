"""Block sizes and extents that are one constant of the build, whatever its value."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import Translation, translate_file

_OPEN = """
#ifdef WIDTH
#define BLOCK WIDTH
#else
#define BLOCK 16
#endif
"""
_KERNEL = """
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n)
{{
    __shared__ float s[{extents}];
    int tx = threadIdx.x, ty = threadIdx.y;
    {write} = b[ty * n + tx];
    __syncthreads();
    if (ty < 5) a[ty * n + tx] = {read};
}}
void run(float *a, float *b, int n) {{ dim3 block({block}); k<<<1, block>>>(a, b, n); }}
"""


def _translated(
    directory: Path, extents: str, write: str, read: str, block: str = "BLOCK, BLOCK"
) -> Translation:
    kernel = _KERNEL.format(extents=extents, write=write, read=read, block=block)
    path = directory / "open.cu"
    path.write_text(_OPEN + kernel)
    project = Project.alone(path, (), directory / "open.omp.cpp")
    translation = translate_file(path, TranslateOptions(), path.name, project)
    assert translation.ok, translation.diagnostics
    return translation


def _removed(translation: Translation) -> int:
    return sum(figures.removed for figures in translation.figures)


@pytest.mark.parametrize(
    ("extents", "write", "read", "block"),
    [
        ("BLOCK][BLOCK", "s[ty][tx]", "s[ty][tx]", "BLOCK, BLOCK"),
        ("BLOCK * BLOCK", "s[ty * BLOCK + tx]", "s[ty * BLOCK + tx]", "BLOCK, BLOCK"),
        ("BLOCK][BLOCK", "s[tx][ty]", "s[tx][ty]", "BLOCK, BLOCK"),
        ("2 * BLOCK", "s[tx]", "s[tx]", "2 * BLOCK"),
        ("BLOCK][BLOCK", "s[ty][tx]", "s[ty][tx]", "BLOCK, 4"),
    ],
)
def test_own_elements(tmp_path: Path, extents: str, write: str, read: str, block: str) -> None:
    assert _removed(_translated(tmp_path, extents, write, read, block)) == 1


@pytest.mark.parametrize(
    ("extents", "write", "read", "block"),
    [
        ("BLOCK][BLOCK", "s[ty][tx]", "s[tx][ty]", "BLOCK, BLOCK"),
        ("BLOCK][BLOCK", "s[ty][tx]", "s[ty][BLOCK - 1 - tx]", "BLOCK, BLOCK"),
        # apart for 16 threads, not for others
        ("64", "s[tx]", "s[tx % 16]", "BLOCK, 1"),
        ("64", "s[tx]", "s[tx < 16 ? tx : 0]", "BLOCK, 1"),
        ("BLOCK * 16", "s[ty * BLOCK + tx]", "s[ty * 16 + tx]", "BLOCK, BLOCK"),
        ("2 * BLOCK", "s[tx]", "s[tx < BLOCK ? tx + BLOCK : tx - BLOCK]", "2 * BLOCK"),
    ],
)
def test_elements_of_others(
    tmp_path: Path, extents: str, write: str, read: str, block: str
) -> None:
    assert _removed(_translated(tmp_path, extents, write, read, block)) == 0


def test_what_launches_say_is_asserted(tmp_path: Path) -> None:
    translation = _translated(tmp_path, "BLOCK][BLOCK", "s[ty][tx]", "s[ty][tx]")
    assert "assert(block.x == BLOCK && block.y == BLOCK)" in translation.code


def test_threads_that_meet_are_those_of_this_build(tmp_path: Path) -> None:
    translation = _translated(tmp_path, "BLOCK][BLOCK", "s[ty][tx]", "s[tx][ty]")
    (kept,) = (one for one in translation.remarks if one.code == "G2O0302")
    numbers = [int(word) for word in kept.message.replace(",", " ").replace(")", " ").split()
               if word.isdigit()]  # fmt: skip
    assert "two threads meet in 's'" in kept.message
    assert len(numbers) == 4
    assert all(number < 16 for number in numbers)


def test_lanes_meet_in_blocks_of_this_build(tmp_path: Path) -> None:
    kernel = """
__global__ void k(float *m, int n)
{
    __shared__ float s[BLOCK][BLOCK];
    int t = threadIdx.x;
    for (int i = 0; i < BLOCK; ++i)
        s[i][t] = m[i * n + t];
    __syncthreads();
    for (int i = 0; i < BLOCK - 1; ++i) {
        if (t > i)
            for (int j = 0; j <= i; ++j)
                s[i + 1][t] -= s[i + 1][j] * s[j][t];
        __syncthreads();
    }
    m[t] = s[BLOCK - 1][t];
}
void run(float *m, int n) { k<<<1, BLOCK>>>(m, n); }
"""
    path = tmp_path / "open.cu"
    path.write_text(_OPEN + kernel)
    project = Project.alone(path, (), tmp_path / "open.omp.cpp")
    translation = translate_file(path, TranslateOptions(), path.name, project)
    assert translation.ok
    assert "lane" not in translation.code
