"""Races that need more threads than any launch shows are told with the size, not as certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_TILE = """
__global__ void tile(float *y, const float *x, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    for (int k = 0; k < n; k += 16) {
        s[t] = x[k + t];
        y[k + t] = s[t];
    }
}
"""
_PAIRS = """
__global__ void pairs(float *y, const float *x)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t / 2] = x[t];
    y[t] = s[t];
}
"""


def _races(tmp_path: Path, text: str) -> list[Diagnostic]:
    path = tmp_path / "races.cu"
    path.write_text(text)
    project = Project.alone(path, (), path.with_suffix(".omp.cpp"))
    made = translate_file(path, TranslateOptions(races=True), "races.cu", project)
    assert made.ok, made.diagnostics
    return [one for one in (*made.diagnostics, *made.remarks) if one.code == "G2O0308"]


@pytest.mark.parametrize(
    ("block", "severity"), [("b", Severity.REMARK), ("32", Severity.WARNING), ("16", None)]
)
def test_more_threads_than_are_shown(tmp_path: Path, block: str, severity: Severity | None) -> None:
    launch = f"void go(float *y, float *x, int n, int b) {{ tile<<<1, {block}>>>(y, x, n); }}\n"
    found = _races(tmp_path, _TILE + launch)
    assert {one.severity for one in found} == ({severity} if severity is not None else set())
    if severity is Severity.REMARK:
        assert "threadIdx.x = 16 meets threadIdx.x = 0, in blocks with blockDim.x > 16" in (
            found[0].notes[0].message
        )


def test_threads_behind_the_end_of_a_tile_do_not_race(tmp_path: Path) -> None:
    launch = "void go(float *y, float *x, int n, int b) { tile<<<1, b>>>(y, x, n); }\n"
    assert _races(tmp_path, _TILE.replace("[256]", "[16]") + launch) == []


def test_two_threads_are_enough(tmp_path: Path) -> None:
    launch = "void go(float *y, float *x, int b) { pairs<<<1, b>>>(y, x); }\n"
    found = _races(tmp_path, _PAIRS + launch)
    (certain,) = (one for one in found if one.severity is Severity.WARNING)
    assert "threadIdx.x = 1 meets threadIdx.x = 0" in certain.notes[0].message


def test_a_loop_that_may_not_run_is_no_way(tmp_path: Path) -> None:
    """Without an iteration there is no barrier between the stores: whether `n` is ever 0, nobody
    knows."""
    text = """
__global__ void trips(float *y, const float *x, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0;
    s[t] = x[t];
    for (int k = 0; k < n; ++k) {
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    s[63 - t] = sum;
    __syncthreads();
    y[t] = s[t];
}
void go(float *y, float *x, int n) { trips<<<1, 64>>>(y, x, n); }
"""
    assert [one.severity for one in _races(tmp_path, text)] == [Severity.REMARK]
    known = text.replace("k < n", "k < 3")
    assert _races(tmp_path, known) == []
