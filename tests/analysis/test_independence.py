"""Loops whose iterations may run at the same time, and loops for which that is not proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.analysis.independence import dependence_between_iterations, pointers_of
from g2o.ir.statements import Declare, For
from g2o.ir.traverse import walk
from tests.analysis.kernels import read_kernel

_HEAD = """
struct Cell { float a, b; };
__constant__ float weights[8];
__device__ float peek(const float *p, int i) { return p[i]; }
__device__ void poke(float *p, int i) { p[i] = 1; }
__device__ float pure(float v) { return v * v; }
__global__ void k(float *y, float *z, const float *x, const int *at, Cell *cells,
                  float *__restrict__ r, const float *__restrict__ c, int n) {
    float outer = 0;
    for (int i = 0; i < n; ++i) {
"""


def _dependence(directory: Path, body: str, shared_out: bool = False) -> str | None:
    kernel = read_kernel(directory, f"{_HEAD}{body}\n    }}\n    y[0] = outer;\n}}\n")
    loop = next(node for node in walk(kernel.function.body) if isinstance(node, For))
    assert isinstance(loop.initial, Declare)
    variable = loop.initial.variables[0].symbol
    apart = pointers_of(kernel.function.parameters) if shared_out else ()
    return dependence_between_iterations(
        loop.body, variable, kernel.effects, set(), apart, {} if shared_out else None
    )


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = 2 * x[i] + y[i];",
        "y[i + 4] = y[i + 4] + 1;",
        "y[2 * i] = 0; y[2 * i + 1] = 1;",
        "y[i + n] = pure(x[i + n]);",
        "int j = 3 * i; y[j] = y[j + 2];",
        "cells[i].a = cells[i].b;",
        "*(y + i) = *(x + i);",
        "r[i] = x[i + 1] + peek(x, n - i);",
        "y[i] = c[n - i];",
        "y[i] = weights[i % 8] * weights[0];",
        "y[i] = at[i + 1];",
        "atomicAdd(&y[at[i]], 1.0f);",
        "float v = 0; for (int k = 0; k < n; ++k) v += c[i * n + k]; r[i] = v;",
        "float v[4]; v[at[i] % 4] = 1; r[i] = v[0];",
    ],
)
def test_iterations_are_independent(tmp_path: Path, body: str) -> None:
    assert _dependence(tmp_path, body) is None


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = y[i + 1];",
        "y[i] = x[i + 1];",
        "y[0] = x[i];",
        "y[at[i]] = 1;",
        "y[i * n] = 1;",
        "y[2 * i] = 0; y[2 * i + 2] = 1;",
        "y[i / 2] = x[i];",
        "outer += x[i];",
        "poke(y, i);",
        "y[i] = peek(z, i);",
        "y[i] = 1; z[i + 1] = 2;",
        "float *p = y + i; p[0] = 1;",
        "y[(int)atomicAdd(z, 1.0f)] = 1;",
        "atomicAdd(&y[0], 1.0f); y[i] = 0;",
        "cells[i].a = x[2 * i];",
        "static float last; y[i] = last; last = x[i];",
        "volatile float *v = y; v[i] = 1;",
    ],
)
def test_iterations_may_depend_on_each_other(tmp_path: Path, body: str) -> None:
    assert _dependence(tmp_path, body) is not None


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = x[i + 1];",
        "const float *p = x + 4 * i; y[i] = p[n];",
        "y[i % n * 8 + i / n] = x[i];",
        "int a = i % n, rest = i / n; y[rest % 3 + rest / 3 * 8 + a] += 1;",
        "int a = i - i / n * n, b = i / n; float *p = y + 8 * b + a; for (int k = 0; k < 3; ++k) "
        "{ *p = x[k]; p += n; }",
        "y[i + 3] = z[i + 3]; y[n * i] = 0;",
        "cells[i].a = x[2 * i]; cells[i].b = x[n];",
    ],
)
def test_iterations_that_threads_share_out_are_independent(tmp_path: Path, body: str) -> None:
    assert _dependence(tmp_path, body, shared_out=True) is None


@pytest.mark.parametrize(
    "body",
    [
        "y[i % 32] = x[i];",
        "y[i % n] += x[i];",
        "y[i / n] = x[i];",
        "y[i + n] = y[i] + 1;",
        "y[i % n * 8 + i / n % 8] = x[i];",
        "float *p = y + i % n; *p = x[i];",
        "float *p = y + i; p = y + n; *p = x[i];",
        "float *p = y + i; float *&q = p; q = y; *p = x[i];",
        "unsigned char c = i; y[c] = x[i];",
        "y[(unsigned char)i] = x[i];",
        "y[i & 31] = x[i];",
        "y[at[i]] = x[i];",
        "y[at[i] + 1] = 0;",
        "y[min(i, 3)] = x[i];",
        "outer += x[i];",
        "y[i] = 0; y[i + gridDim.x * blockDim.x] = x[i];",
        "int ahead = blockDim.x; y[i] = 0; y[i + ahead] = x[i];",
    ],
)
def test_iterations_that_threads_share_out_may_depend(tmp_path: Path, body: str) -> None:
    assert _dependence(tmp_path, body, shared_out=True) is not None
