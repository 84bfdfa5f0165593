"""Where threads meet in shared memory, and where they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.analysis import thread_machine
from g2o.analysis.meetings import find_meetings
from g2o.diagnostics.diagnostic import Diagnostic
from g2o.ir.kernel import Kernel, LaunchShape
from g2o.transforms.recognise import recognise
from g2o.transforms.warp_phases import order_lanes_that_meet
from tests.analysis.kernels import read_kernel

_HEAD = """
__global__ void k(float *x, const int *at, int n) {
    __shared__ float s[512];
    __shared__ float tile[16][17];
    __shared__ int total;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
"""


def _meetings(directory: Path, body: str, block: tuple[str | None, ...]) -> tuple[bool, bool]:
    """Do lanes of a warp meet, and threads of different warps?"""
    read = read_kernel(directory, f"{_HEAD}{body}\n}}\n")
    x, y, z = block
    kernel = recognise(Kernel(read.function, LaunchShape(block=(x, y, z))), read.functions)
    found = find_meetings(kernel, read.effects).meetings
    return any(one.in_warp for one in found), any(one.across for one in found)


@pytest.mark.parametrize(
    "body",
    [
        "s[t] = x[i]; s[t] *= 2; x[i] = s[t];",
        "s[t] = x[i]; __syncthreads(); x[i] = s[t + 1];",
        "for (int h = 32; h > 0; h /= 2) { if (t < h) s[t] += s[t + h]; __syncthreads(); }",
        "for (int h = n; h > 0; h >>= 1) { if (t < h) s[t] += s[t + h]; __syncthreads(); }",
        "for (int h = 1; h < 64; h *= 2) { if (t % (2 * h) == 0) s[t] += s[t + h];"
        " __syncthreads(); }",
        "s[t + 8] = x[i]; if (t < 8) { s[t] = x[i]; s[t + 72] = x[i]; }",
        "s[2 * t] = x[i]; s[2 * t + 1] = x[i]; x[i] = s[2 * t] + s[2 * t + 1];",
        "if (n > 0) s[t] = x[i]; else x[i] = s[t + 1];",
        "if (at[t] > 0) s[t] = x[i]; else x[i] = s[t + 1];",
        "if (t == 0) total = 0; __syncthreads(); atomicAdd(&total, 1); atomicAdd(&total, 2);",
        "if (t == 0) { total = n; s[0] = total; }",
        "s[at[i]] = 1; x[i] = s[at[i]];",
        "for (int k = 0; k < n; ++k) { s[t] = x[k]; __syncthreads(); x[k] = s[63 - t];"
        " __syncthreads(); }",
        "s[t] = 0; s[t + 1] = 0;",
        "float *mine = s + 4 * t; mine[0] = 1; mine[3] = 2; x[i] = mine[2];",
        "if (t >= 8) return; s[t] = x[i]; x[i] = s[t + 8];",
    ],
)
def test_threads_that_keep_apart_or_wait(tmp_path: Path, body: str) -> None:
    assert _meetings(tmp_path, body, ("64", "1", "1")) == (False, False)
    assert _meetings(tmp_path, body, (None, None, None)) == (False, False)


@pytest.mark.parametrize(
    "body",
    [
        "s[t] = x[i]; x[i] = s[t ^ 1];",
        "if (t < 32) { s[t] += s[t + 16]; s[t] += s[t + 8]; }",
        "if (t < 32) { s[t] = 0; t += 16; s[t] = x[i]; }",
        "int w = t / 32 * 32, lane = t % 32; s[w + lane] = 1; x[i] = s[w + (lane + 1) % 32];",
        "if (t == 0) total = n; if (t < 32) x[i] = total;",
        "if (t < 32) for (int k = 0; k < n; ++k) { x[k] = s[t]; s[31 - t] = k; }",
        "s[t] = x[i]; __threadfence_block(); if (t < 32) x[i] = s[at[i]];",
        "float *row = tile[t / 32]; int l = t % 32; if (l < 16) { row[l] = 1;"
        " x[i] = row[15 - l]; }",
        "float *any = at[0] ? s : s + at[1]; any[t] = 1; __threadfence_block();"
        " if (t < 32) x[i] = any[31 - t];",
        "float *last = s + n; if (t < 32) { last[t] = 1; x[i] = last[31 - t]; }",
        "if (t < 32) { struct { int a; } *unused = 0; (void)unused; tile[t / 8][t % 8] = 1;"
        " x[i] = tile[t % 4][t / 4]; }",
    ],
)
def test_lanes_that_meet(tmp_path: Path, body: str) -> None:
    assert _meetings(tmp_path, body, ("64", "1", "1")) == (True, False)
    in_warp, _ = _meetings(tmp_path, body, (None, None, None))
    assert in_warp


@pytest.mark.parametrize(
    ("body", "in_warp"),
    [
        ("s[t] = x[i]; x[i] = s[63 - t];", False),
        ("s[t] = x[i]; __syncwarp(); x[i] = s[t + 1];", False),
        ("s[t] = x[i]; x[i] = s[t + 1];", True),
        ("if (t == 0) total = n; x[i] = total;", True),
    ],
)
def test_threads_of_different_warps_that_meet(tmp_path: Path, body: str, in_warp: bool) -> None:
    assert _meetings(tmp_path, body, ("64", "1", "1")) == (in_warp, True)


def test_rows_of_unknown_width_meet_only_where_they_do_for_every_width(tmp_path: Path) -> None:
    apart = "int y = threadIdx.y; tile[y][t] = 1; x[i] = tile[y][t]; s[y * 16 + t] = x[i];"
    assert _meetings(tmp_path, apart, (None, None, None)) == (False, False)
    meet = "int y = threadIdx.y; tile[y][t] = 1; x[i] = tile[y][t + 1];"
    assert _meetings(tmp_path, meet, (None, None, None)) == (True, False)
    turned = "int y = threadIdx.y; tile[y][t] = x[i]; x[i] = tile[t][y];"
    assert _meetings(tmp_path, turned, ("16", "16", "1")) == (True, True)


def test_long_stencils_are_looked_at_to_their_end(tmp_path: Path) -> None:
    sums = " ".join(f"own += s[t * 5 + {m}] * x[{n} * n + i];" for n in range(60) for m in range(5))
    body = f"s[t * 5] = x[i]; float own = 0; {sums} x[i] = own; __syncthreads();"
    meets = f"{body} s[t * 5] = own; x[i] = s[t];"
    waits = f"{body} s[t * 5] = own; __syncthreads(); x[i] = s[t];"
    assert _meetings(tmp_path, meets, (None, None, None)) == (True, True)
    assert _meetings(tmp_path, waits, (None, None, None)) == (False, False)


def test_what_is_too_large_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_machine, "_EFFORT", 500)
    body = "s[t] = x[i]; " + "s[t] += x[i] * s[t + 1]; " * 30
    read = read_kernel(tmp_path, f"{_HEAD}{body}\n}}\n")
    remarks: list[Diagnostic] = []
    order_lanes_that_meet(Kernel(read.function), read.functions, remarks)
    assert "G2O0320" in [one.code for one in remarks]
