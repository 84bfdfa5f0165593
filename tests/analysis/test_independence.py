"""Loops whose iterations may run at the same time, and loops for which that is not proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.analysis.independence import dependence_between_iterations
from g2o.ir.statements import Declare, For
from g2o.ir.symbols import Symbol
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


def _dependence(directory: Path, body: str, arrays: set[tuple[str, str, int]]) -> str | None:
    """Why iterations depend on each other; `arrays` is filled with those that have to be apart."""
    kernel = read_kernel(directory, f"{_HEAD}{body}\n    }}\n    y[0] = outer;\n}}\n")
    loop = next(node for node in walk(kernel.function.body) if isinstance(node, For))
    assert isinstance(loop.initial, Declare)
    variable = loop.initial.variables[0].symbol
    expected: set[tuple[Symbol, Symbol, int]] = set()
    found = dependence_between_iterations(
        loop.body, variable, kernel.effects, set(), expected=expected
    )
    arrays.update((one.name, other.name, scale) for one, other, scale in expected)
    strict = dependence_between_iterations(loop.body, variable, kernel.effects, set())
    assert (strict is None) == (found is None and not expected)
    return found


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
        "int a = i % n, b = i / n; y[b * n + a] += 1;",
        "int a = i % 4, b = i / 4 % n, c = i / (4 * n); y[(c * n + b) * 4 + a + 3] = 1;",
    ],
)
def test_iterations_are_independent(tmp_path: Path, body: str) -> None:
    assert _dependence(tmp_path, body, set()) is None


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
        "y[i % n * 8 + i / n] = x[i];",
        "y[i] = 0; y[i + gridDim.x * blockDim.x] = x[i];",
        "unsigned char c = i; y[c] = x[i];",
        "y[i & 31] = x[i];",
        "int a = i % n, b = i / n % 3; y[b * n + a] += 1;",
        "int a = i % n, b = i / n; y[b * 4 + a] += 1;",
        "int m = 4, a = i % m; m = 8; y[i / m * m + a] += 1;",
    ],
)
def test_iterations_may_depend_on_each_other(tmp_path: Path, body: str) -> None:
    assert _dependence(tmp_path, body, set()) is not None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y[i] = 2 * x[i] + y[i];", {("y", "x", 1)}),
        ("y[i] = c[n - i] + at[i];", set[tuple[str, str, int]]()),
        ("y[3 * i] = x[3 * i + 1] + z[3 * i];", {("y", "x", 3), ("y", "z", 3)}),
    ],
)
def test_arrays_that_have_to_be_apart(
    tmp_path: Path, body: str, expected: set[tuple[str, str, int]]
) -> None:
    found: set[tuple[str, str, int]] = set()
    assert _dependence(tmp_path, body, found) is None
    assert found == expected
