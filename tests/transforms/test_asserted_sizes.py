"""Kernels that assert how large blocks are have blocks of that size, without a launch in sight."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.interop.translate import translate

_KERNEL = """\
#include <cassert>
__device__ int place(int t) {{ return {place}; }}
__global__ void sums(const float *x, float *y, int n)
{{
    __shared__ float part[64];
    {front}
    int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < n; i += blockDim.x)
        sum += x[blockIdx.x * n + i];
    part[place(t)] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {{
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }}
    if (t == 0)
        y[blockIdx.x] = part[0];
}}
{launch}
"""
_SUM = "reduction(+ : sum)"


def _translated(folder: Path, front: str, place: str = "t", launch: str = "") -> str:
    path = folder / "sums.cu"
    path.write_text(_KERNEL.format(front=front, place=place, launch=launch))
    made = translate(path, associative_math=True)
    assert made.ok, made.diagnostics
    return made.code


@pytest.mark.parametrize(
    "front",
    [
        "assert(blockDim.x == 64);",
        "assert(64 == blockDim.x && blockDim.y == 1 && blockDim.z == 1);",
        "const int rows = gridDim.x; assert(blockDim.x == 4 * 16); (void)rows;",
    ],
)
def test_sizes_are_those_of_launches(front: str, tmp_path: Path) -> None:
    code = _translated(tmp_path, front)
    assert _SUM in code
    assert code.count("block.x == 64") == 1


@pytest.mark.parametrize(
    ("front", "place", "launch"),
    [
        ("", "t", ""),
        ("if (n == 0) return; assert(blockDim.x == 64);", "t", ""),  # not of all threads
        ("assert(blockDim.x <= 64);", "t", ""),
        ("assert(blockDim.x == 64 || n == 3);", "t", ""),
        ("assert(blockDim.x == 64);", "t + 0 * threadIdx.y", ""),  # blocks may be planes
        ("assert(blockDim.x == 64);", "t", "void f(float *x) { sums<<<4, 32>>>(x, x, 9); }"),
    ],
)
def test_nothing_else_is(front: str, place: str, launch: str, tmp_path: Path) -> None:
    code = _translated(tmp_path, front, place, launch)
    if "32>>>" in launch:  # the launch is believed, and the program ends at its assertion
        assert "assert(32 == 64);" in code
        assert "block.x == 32" in code
    else:
        assert _SUM not in code
        assert ("assert(" in code) == bool(front)


def test_grids_have_the_size_that_is_asserted(tmp_path: Path) -> None:
    code = _translated(tmp_path, "assert(gridDim.x == 2 && gridDim.y == 1 && blockDim.x == 64);")
    assert "grid.x == 2 && grid.y == 1" in code
    assert _SUM in code


def test_what_else_is_asserted_stays(tmp_path: Path) -> None:
    code = _translated(tmp_path, "assert(blockDim.x == 64 && n > 0);")
    assert "n > 0" in code
