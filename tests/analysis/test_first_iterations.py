"""A barrier in front of a loop orders what stands before it and the first iteration."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_KERNEL = """
__global__ void rounds(float *y, const float *x, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    float v = s[63 - t];
    __syncthreads();
    for (int r = 0; r < n; ++r) {
        s[PLACE * 64 + t] = v + s[(r & 1) * 64 + 63 - t];
        BARRIER
    }
    y[t] = v + s[t];
}
void go(float *y, float *x, int n) { rounds<<<1, 64>>>(y, x, n); }
"""
_IN_FRONT = 9


@pytest.mark.parametrize(
    ("place", "barrier", "removed"),
    [
        ("(1 - (r & 1))", "__syncthreads();", True),
        ("(r & 1)", "__syncthreads();", False),  # meets in the first iteration
        ("(1 - (r & 1))", "if (n > 3) __syncthreads();", False),  # in the second one, too
    ],
)
def test_barrier_in_front_of_a_loop(
    tmp_path: Path, place: str, barrier: str, removed: bool
) -> None:
    path = tmp_path / "rounds.cu"
    path.write_text(_KERNEL.replace("PLACE", place).replace("BARRIER", barrier))
    project = Project.alone(path, (), path.with_suffix(".omp.cpp"))
    made = translate_file(path, TranslateOptions(), "rounds.cu", project)
    assert made.ok, made.diagnostics
    gone = {
        one.span.file.line_and_column(one.span.begin)[0]
        for one in made.remarks
        if one.code == "G2O0301" and one.span is not None
    }
    assert (_IN_FRONT in gone) is removed
