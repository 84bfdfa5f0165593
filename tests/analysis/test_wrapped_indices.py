"""Indices that wrap round: what is said to never meet does not, in any small grid; and the forms
that periodic neighbours are written in are told apart."""

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
from g2o.analysis.grid_conflicts import GridConflicts
from g2o.ir.kernel import Kernel
from g2o.polyhedral.solver import Solver
from g2o.transforms.recognise import recognise
from tests.analysis.kernels import read_kernel

_Part = Callable[[int, int], int]


def _quotient(value: int, divisor: int) -> int:
    """C++'s: rounded towards zero."""
    whole = abs(value) // abs(divisor)
    return whole if (value < 0) == (divisor < 0) else -whole


def _rest(value: int, divisor: int) -> int:
    return value - divisor * _quotient(value, divisor)


# A coordinate i of a thread, and the number n of places along it.
_PARTS: Final[dict[str, _Part]] = {
    "i": lambda i, n: i,
    "(i + 1) % n": lambda i, n: _rest(i + 1, n),
    "(i - 1 + n) % n": lambda i, n: _rest(i - 1 + n, n),
    "(i - 2 + n) % n": lambda i, n: _rest(i - 2 + n, n),
    "(i - 1) % n": lambda i, n: _rest(i - 1, n),
    "(i + n - 1) % n": lambda i, n: _rest(i + n - 1, n),
    "(i + n / 2) % n": lambda i, n: _rest(i + _quotient(n, 2), n),
    "(2 * i) % n": lambda i, n: _rest(2 * i, n),
    "i / n": lambda i, n: _quotient(i, n),
    "(i - n) / n": lambda i, n: _quotient(i - n, n),
    "n - 1 - i": lambda i, n: n - 1 - i,
    "(i == 0 ? n - 1 : i - 1)": lambda i, n: n - 1 if i == 0 else i - 1,
    "(i < n - 1 ? i + 1 : 0)": lambda i, n: i + 1 if i < n - 1 else 0,
    "(i == 0 ? 0 : i - 1)": lambda i, n: max(i - 1, 0),
}
_GUARDS: Final[dict[str, Callable[[int, int, int, int], bool]]] = {
    "x < w && y < h": lambda x, y, w, h: x < w and y < h,
    "x < w": lambda x, y, w, h: x < w,
    "y < h": lambda x, y, w, h: y < h,
    "x < w && y == 0": lambda x, y, w, h: x < w and y == 0,
    "x + w * y < w * h": lambda x, y, w, h: x + w * y < w * h,
}
_JOINED: Final[dict[str, Callable[[int, int, int, int], int]]] = {
    "R * w + C": lambda r, c, w, h: r * w + c,
    "C * h + R": lambda r, c, w, h: c * h + r,
    "(R * w + C) * 3 + 1": lambda r, c, w, h: (r * w + c) * 3 + 1,
    "2 * w * h + R * w + C": lambda r, c, w, h: 2 * w * h + r * w + c,
    "R + C": lambda r, c, w, h: r + c,
}
_Place = tuple[str, str, str, str]
_PLACES = st.tuples(
    st.sampled_from(sorted(_PARTS)),
    st.sampled_from(sorted(_PARTS)),
    st.sampled_from(sorted(_JOINED)),
    st.sampled_from(sorted(_GUARDS)),
)


def _index(place: _Place) -> str:
    column, row, joined, _ = place
    row = row.replace("n", "h").replace("i", "y")
    column = column.replace("n", "w").replace("i", "x")
    return joined.replace("R", f"({row})").replace("C", f"({column})")


def _conflicts(source: str) -> list[bool]:
    """For every two stores of a kernel, in order: may they meet?"""
    with tempfile.TemporaryDirectory() as folder:
        read = read_kernel(Path(folder), source)
    kernel = recognise(Kernel(read.function, read.shape), read.functions)
    model = memory_model(kernel, read.functions.for_node(kernel.body), True)
    writes = [one for one in model.accesses if one.kind is AccessKind.WRITE]
    judge = GridConflicts(model, Solver())
    pairs = itertools.combinations_with_replacement(writes, 2)
    return [judge.may_meet(one, other) for one, other in pairs]


def _two_dimensions(body: str) -> str:
    return (
        "__global__ void k(double *a, const double *v, int w, int h) {\n"
        "    int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        f"    {body}\n}}\n"
    )


def _meet(first: _Place, second: _Place) -> bool:
    """Do they, in some small grid?"""
    sizes = (-3, -2, -1, 1, 2, 3, 4)
    for w, h in itertools.product(sizes, repeat=2):
        places: list[dict[int, set[tuple[int, int]]]] = []
        for column, row, joined, guard in (first, second):
            found: dict[int, set[tuple[int, int]]] = {}
            for x, y in itertools.product(range(4), repeat=2):
                if _GUARDS[guard](x, y, w, h):
                    place = _JOINED[joined](_PARTS[row](y, h), _PARTS[column](x, w), w, h)
                    found.setdefault(place, set()).add((x, y))
            places.append(found)
        for place in places[0].keys() & places[1].keys():
            if len(places[0][place] | places[1][place]) > 1:
                return True
    return False


@settings(max_examples=15, deadline=None)
@given(_PLACES, _PLACES)
def test_what_never_meets_does_not(first: _Place, second: _Place) -> None:
    body = (
        f"if ({first[3]}) a[{_index(first)}] = v[0]; if ({second[3]}) a[{_index(second)}] = v[1];"
    )
    one, both, other = _conflicts(_two_dimensions(body))
    assert one or not _meet(first, first)
    assert other or not _meet(second, second)
    assert both or not _meet(first, second)


@pytest.mark.parametrize("joined", ["R * w + C", "(R * w + C) * 3 + 1", "2 * w * h + R * w + C"])
@pytest.mark.parametrize(
    "part",
    [
        *("(i + 1) % n", "(i - 1 + n) % n", "(i + n - 1) % n"),
        *("(i == 0 ? n - 1 : i - 1)", "(i < n - 1 ? i + 1 : 0)"),
    ],
)
def test_periodic_neighbours_are_told_apart(part: str, joined: str) -> None:
    place = (part, part, joined, "x < w && y < h")
    assert not _meet(place, place)
    body = f"if ({place[3]}) a[{_index(place)}] = v[0];"
    assert _conflicts(_two_dimensions(body)) == [False]


_LINEAR: Final = """
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w * h)
        return;
    int x = i % w, y = i / w;
"""
_TABLE: Final = "__constant__ int C[4] = {0, 1, -1, 0};\n"
_OVER_TABLE: Final = (
    "if (x < w && y < h) for (int q = 0; q < 4; ++q)"
    " a[q * w * h + y * w + (x - C[q] + w) % w] = v[0];"
)


def test_rows_and_columns_of_a_linear_index() -> None:
    head = "__global__ void k(double *a, const double *v, int w, int h) {"
    body = "a[(y - 1 + h) % h * w + (x + 1) % w] = v[0];"
    assert _conflicts(f"{head}{_LINEAR}{body}}}\n") == [False]


def test_steps_from_a_table() -> None:
    assert _conflicts(_TABLE + _two_dimensions(_OVER_TABLE)) == [False]


def test_steps_from_a_table_of_the_thread() -> None:
    table = "const int C[4] = {0, 1, -1, 0}; "
    assert _conflicts(_two_dimensions(table + _OVER_TABLE)) == [False]


@pytest.mark.parametrize(
    "source",
    [
        # Steps of unknown length may lead to places below zero.
        "__constant__ int C[4];\n" + _two_dimensions(_OVER_TABLE),
        _TABLE + 'void f() { cudaMemcpyToSymbol(C, "", 4); }\n' + _two_dimensions(_OVER_TABLE),
        _two_dimensions("int C[4] = {0, 1, -1, 0}; C[w] = h; " + _OVER_TABLE),
        # A table of another name of the same thread.
        _two_dimensions("const int C[4] = {0, 1, -w, 0}; " + _OVER_TABLE),
        # The rows of two planes.
        _TABLE + _two_dimensions(_OVER_TABLE.replace("q * w * h", "q * w")),
    ],
)
def test_tables_that_say_too_little(source: str) -> None:
    assert _conflicts(source) == [True]
