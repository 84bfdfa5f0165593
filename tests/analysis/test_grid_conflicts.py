"""GridConflicts against small grids: what it says never meets does not meet in any of them."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2o.analysis.access_collector import memory_model
from g2o.analysis.accesses import AccessKind
from g2o.analysis.distinct_writes import distinct_writes
from g2o.analysis.grid_conflicts import GridConflicts
from g2o.analysis.index_forms import IndexForms
from g2o.analysis.own_values import OwnValues
from g2o.ir.kernel import Kernel, LaunchShape
from g2o.polyhedral.solver import Solver
from g2o.transforms.recognise import recognise
from tests.analysis.kernels import read_kernel

_INDICES: Final[dict[str, Callable[[int, int, int, int], int]]] = {
    "t": lambda t, b, d, n: t,
    "b": lambda t, b, d, n: b,
    "b * blockDim.x + t": lambda t, b, d, n: b * d + t,
    "(b * blockDim.x + t) * 2": lambda t, b, d, n: (b * d + t) * 2,
    "b * blockDim.x + t + 1": lambda t, b, d, n: b * d + t + 1,
    "b * (blockDim.x - 1) + t": lambda t, b, d, n: b * (d - 1) + t,
    "b * 4 + t": lambda t, b, d, n: b * 4 + t,
    "b * n + t": lambda t, b, d, n: b * n + t,
    "t * n + b": lambda t, b, d, n: t * n + b,
    "t * gridDim.x + b": lambda t, b, d, n: t * 3 + b,
    "(b * blockDim.x + t) / 2": lambda t, b, d, n: (b * d + t) // 2,
    "(b * blockDim.x + t) % 4": lambda t, b, d, n: (b * d + t) % 4,
    "n - 1 - (b * blockDim.x + t)": lambda t, b, d, n: n - 1 - (b * d + t),
    "(b * blockDim.x + t) * n": lambda t, b, d, n: (b * d + t) * n,
    "n": lambda t, b, d, n: n,
    "7": lambda t, b, d, n: 7,
}
_GUARDS: Final[dict[str, Callable[[int, int, int, int], bool]]] = {
    "true": lambda t, b, d, n: True,
    "t == 0": lambda t, b, d, n: t == 0,
    "b == 0": lambda t, b, d, n: b == 0,
    "t < n": lambda t, b, d, n: t < n,
    "b < n": lambda t, b, d, n: b < n,
    "b * blockDim.x + t < n": lambda t, b, d, n: b * d + t < n,
    "b * blockDim.x + t == 2": lambda t, b, d, n: b * d + t == 2,
    "t % 2 == 0": lambda t, b, d, n: t % 2 == 0,
    "t < n && b == 1": lambda t, b, d, n: t < n and b == 1,
    "n > 0": lambda t, b, d, n: n > 0,
}
_PLACES = st.tuples(st.sampled_from(sorted(_INDICES)), st.sampled_from(sorted(_GUARDS)))


def _says(first: tuple[str, str], second: tuple[str, str]) -> bool:
    """What the analysis answers for two stores of a kernel."""
    source = (
        "__global__ void k(double *x, const double *v, int n) {\n"
        "    int t = threadIdx.x, b = blockIdx.x;\n"
        f"    if ({first[1]}) x[{first[0]}] = v[0];\n"
        f"    if ({second[1]}) x[{second[0]}] = v[1];\n}}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        read = read_kernel(Path(folder), source)
    kernel = recognise(Kernel(read.function, LaunchShape()), read.functions)
    model = memory_model(kernel, read.functions.for_node(kernel.body), True)
    one, other = (a for a in model.accesses if a.kind is AccessKind.WRITE)
    return GridConflicts(model, Solver()).may_meet(one, other)


def _meet(first: tuple[str, str], second: tuple[str, str]) -> bool:
    """Do they, in some small grid?"""
    for size, n in itertools.product((1, 2, 3, 5), (-1, 0, 1, 2, 4, 9)):
        places: list[dict[int, set[tuple[int, int]]]] = []
        for index, guard in (first, second):
            found: dict[int, set[tuple[int, int]]] = {}
            for b, t in itertools.product(range(3), range(size)):
                if _GUARDS[guard](t, b, size, n):
                    found.setdefault(_INDICES[index](t, b, size, n), set()).add((b, t))
            places.append(found)
        for place in places[0].keys() & places[1].keys():
            if len(places[0][place] | places[1][place]) > 1:
                return True
    return False


@settings(max_examples=30, deadline=None)
@given(_PLACES, _PLACES)
def test_what_never_meets_does_not(first: tuple[str, str], second: tuple[str, str]) -> None:
    if not _says(first, second):
        assert not _meet(first, second)


@pytest.mark.parametrize(
    ("index", "guard"),
    [
        ("b * blockDim.x + t", "true"),
        ("b * blockDim.x + t", "b * blockDim.x + t < n"),
        ("n - 1 - (b * blockDim.x + t)", "b * blockDim.x + t < n"),
        ("b * n + t", "t < n"),
        ("b", "t == 0"),
    ],
)
def test_what_is_told_apart(index: str, guard: str) -> None:
    """The answers that plain increments live on are not lost."""
    assert not _meet((index, guard), (index, guard))
    assert not _says((index, guard), (index, guard))


_IN_LOOPS: Final[dict[str, Callable[[int, int, int, int, int], int]]] = {
    "j": lambda j, t, b, d, n: j,
    "b * n + j": lambda j, t, b, d, n: b * n + j,
    "b * n + j + 1": lambda j, t, b, d, n: b * n + j + 1,
    "b * n + n - 1 - j": lambda j, t, b, d, n: b * n + n - 1 - j,
    "b * (n - 1) + j": lambda j, t, b, d, n: b * (n - 1) + j,
    "b * 4 + j": lambda j, t, b, d, n: b * 4 + j,
    "b * n + j % 2": lambda j, t, b, d, n: b * n + j % 2,
    "j * gridDim.x + b": lambda j, t, b, d, n: j * 3 + b,
    "j * n + t": lambda j, t, b, d, n: j * n + t,
    "b * n + t": lambda j, t, b, d, n: b * n + t,
}
_LOOPS: Final[dict[str, Callable[[int, int, int], range]]] = {
    "int j = t; j < n; j += blockDim.x": lambda t, d, n: range(t, n, d),
    "int j = 0; j < n; ++j": lambda t, d, n: range(n),
    "int j = t; j < n; ++j": lambda t, d, n: range(t, n),
    "int j = t; j <= n; j += blockDim.x": lambda t, d, n: range(t, n + 1, d),
    "int j = n - 1 - t; j >= 0; j -= blockDim.x": lambda t, d, n: range(n - 1 - t, -1, -d),
}
_STORES_IN_LOOPS = st.tuples(st.sampled_from(sorted(_IN_LOOPS)), st.sampled_from(sorted(_LOOPS)))


def _says_of_loops(first: tuple[str, str], second: tuple[str, str], *, of_blocks: bool) -> bool:
    """What the analysis answers for two stores in loops."""
    source = (
        "__global__ void k(double *x, const double *v, int n) {\n"
        "    int t = threadIdx.x, b = blockIdx.x;\n"
        f"    for ({first[1]}) x[{first[0]}] = v[0];\n"
        f"    for ({second[1]}) x[{second[0]}] = v[1];\n}}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        read = read_kernel(Path(folder), source)
    kernel = recognise(Kernel(read.function, LaunchShape()), read.functions)
    model = memory_model(kernel, read.functions.for_node(kernel.body), True)
    one, other = (a for a in model.accesses if a.kind is AccessKind.WRITE)
    return GridConflicts(model, Solver(), of_blocks=of_blocks).may_meet(one, other)


def _meet_in_loops(first: tuple[str, str], second: tuple[str, str], *, of_blocks: bool) -> bool:
    """Do two threads meet there in some small grid, or with `of_blocks` two blocks?"""
    for size, n in itertools.product((1, 2, 3, 5), (-1, 0, 1, 2, 4, 9)):
        places: list[dict[int, set[tuple[int, int]]]] = []
        for index, loop in (first, second):
            found: dict[int, set[tuple[int, int]]] = {}
            for b, t in itertools.product(range(3), range(size)):
                for j in _LOOPS[loop](t, size, n):
                    who = (b, 0 if of_blocks else t)
                    found.setdefault(_IN_LOOPS[index](j, t, b, size, n), set()).add(who)
            places.append(found)
        for place in places[0].keys() & places[1].keys():
            if len(places[0][place] | places[1][place]) > 1:
                return True
    return False


@settings(max_examples=40, deadline=None)
@given(_STORES_IN_LOOPS, _STORES_IN_LOOPS, st.booleans())
def test_loops_that_never_meet_do_not(
    first: tuple[str, str], second: tuple[str, str], of_blocks: bool
) -> None:
    if not _says_of_loops(first, second, of_blocks=of_blocks):
        assert not _meet_in_loops(first, second, of_blocks=of_blocks)


@pytest.mark.parametrize(
    ("first", "second", "of_blocks"),
    [
        ("int j = t; j < n; j += blockDim.x", "int j = t; j < n; j += blockDim.x", False),
        ("int j = t; j < n; j += blockDim.x", "int j = 0; j < n; ++j", True),
    ],
)
def test_rows_of_parametric_length_are_apart(first: str, second: str, of_blocks: bool) -> None:
    stores = ("b * n + j", first), ("b * n + j", second)
    assert not _meet_in_loops(*stores, of_blocks=of_blocks)
    assert not _says_of_loops(*stores, of_blocks=of_blocks)


def _last_meets_itself(body: str) -> bool:
    """May threads meet at the last store of a kernel? The others are known to be without races."""
    source = (
        "__global__ void k(double *x, double *y, const double *v,\n"
        "                  const int *__restrict__ at, int n, int m) {\n"
        "    int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;\n"
        f"    {body}\n}}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        read = read_kernel(Path(folder), source)
    kernel = recognise(Kernel(read.function, LaunchShape()), read.functions)
    model = memory_model(kernel, read.functions.for_node(kernel.body), True)
    last = [one for one in model.accesses if one.kind is AccessKind.WRITE][-1]
    effects = read.functions.for_node(kernel.body)
    values = OwnValues(kernel.body, effects, IndexForms(kernel.body))
    proofs = tuple(one for one in distinct_writes(model, Solver(), values) if one.id != last.id)
    return GridConflicts(model, Solver(), proofs).may_meet(last, last)


@pytest.mark.parametrize(
    "body",
    [
        "__shared__ double s[64]; s[t] = v[t]; x[b * 64 + t] = 1.0;",
        "__shared__ double s[64]; x[b * 64 + t] = s[t];",
        "__shared__ double s[8][8]; s[t / 8][t % 8] = v[t]; x[b * 64 + t] = 1.0;",
        "__shared__ double s[66]; s[t + 1] = s[t] + s[t + 2]; x[b * 64 + t] = 1.0;",
        "__shared__ double s[64]; if (t < n) { s[t] = v[t]; x[b * 64 + t] = 1.0; }",
    ],
)
def test_shared_arrays_bound_their_indices(body: str) -> None:
    assert not _last_meets_itself(body)


@pytest.mark.parametrize(
    "body",
    [
        "__shared__ double s[65]; s[t] = v[t]; x[b * 64 + t] = 1.0;",
        "__shared__ double s[64]; if (t < n) s[t] = v[t]; x[b * 64 + t] = 1.0;",
        "__shared__ double s[64]; for (int k = 0; k < n; ++k) s[t] = v[k]; x[b * 64 + t] = 1.0;",
        "__shared__ double s[64]; if (v[t] > 0.0) s[t] = 1.0; x[b * 64 + t] = 1.0;",
        "__shared__ double s[64]; if (n > 2) return; s[t] = v[t]; x[(b * n - b) * 64 + t] = 1.0;",
        "__shared__ double s[64]; s[t / 2] = v[t]; x[b * 64 + t] = 1.0;",
        "extern __shared__ double s[]; s[t] = v[t]; x[b * 64 + t] = 1.0;",
        "__shared__ char s[64]; ((double *)s)[t / 8] = v[t]; x[b * 8 + t] = 1.0;",
    ],
)
def test_shared_arrays_that_say_too_little(body: str) -> None:
    assert _last_meets_itself(body)


@pytest.mark.parametrize(
    "body",
    [
        "y[b * n + t] = v[threadIdx.x]; x[2 * (b * n + t)] = 1.0;",
        "y[b * n + t] += v[t]; x[3 * (b * n + t) + 1] = 1.0;",
        "y[b * n + t] += 1.0; y[b * m + t] += v[t]; x[b * n + t] = 1.0;",
        "int k = at[i]; if (t < m) { y[k] = 2.0 * v[i]; x[k] = 1.0; }",
        "int k = at[i]; double e = v[i]; e *= n; y[k] = sin(e); x[k] = 1.0;",
        "int k = at[i]; double e = 0; for (int j = 0; j < 3; ++j) e += v[3 * i + j]; y[k] = e;"
        " x[k] = 1.0;",
        "int k = at[i]; y[k] = y[k] + v[k]; x[k] = 1.0;",
    ],
)
def test_writes_without_races_tell_threads_apart(body: str) -> None:
    assert not _last_meets_itself(body)


@pytest.mark.parametrize(
    "body",
    [
        "y[b * n + t] = 1.0; x[2 * (b * n + t)] = 1.0;",  # all may store the same
        "y[b * n + t] = v[b * n + t]; x[2 * (b * n + t)] = 1.0;",
        "y[b * n + t] += v[t]; x[b * m + t] = 1.0;",
        "y[b * n + t] += v[t]; x[(b * n + t) / 2] = 1.0;",
        "if (t < m) y[b * n + t] += v[t]; x[b * n + t] = 1.0;",
        "for (int k = 0; k < m; ++k) y[b * n + t + k] += v[t]; x[b * n + t] = 1.0;",
        "atomicAdd(&y[b * n + t], v[t]); x[b * n + t] = 1.0;",
        "int k = at[t]; y[k] = v[k]; x[k] = 1.0;",
        "int k = at[i]; y[k] = v[k / 2]; x[k] = 1.0;",
        "int k = at[i]; y[k] = v[at[i + 1]]; x[k] = 1.0;",
        "int k = at[i]; y[k] = v[i] > 0.0 ? 1.0 : 2.0; x[k] = 1.0;",
        "int k = at[i]; y[k] = floor(v[i]); x[k] = 1.0;",
        "int k = at[i]; double e = v[k]; if (n > 2) e = v[i]; y[k] = e; x[k] = 1.0;",
        "int k = at[i]; double e = v[k]; for (int j = 0; j < n; ++j) e += v[i * n + j]; y[k] = e;"
        " x[k] = 1.0;",
        "int k = at[i]; y[k] = v[i] + v[i + 1]; x[k] = 1.0;",
        "int k = n - i < i ? n - i : i; y[k] = v[i] + v[n - i]; x[k] = 1.0;",
    ],
)
def test_writes_that_say_too_little(body: str) -> None:
    assert _last_meets_itself(body)
