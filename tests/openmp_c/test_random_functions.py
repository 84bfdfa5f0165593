"""Adjoints of random functions are the transposes of their tangents, which are differences."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.openmp_c.random_c.checks import Checked, check, reduced_function
from tests.openmp_c.random_c.functions import RandomFunction, random_function

_AT_ONCE: Final = 26
"""Functions of one program: starting compilers takes longer than most of them."""

_MOST_REFUSED: Final = 5
"""Functions of a program that may be refused; all in all it is one of fifty."""


def _checked(first: int, folder: Path, compiler: str = "gcc") -> None:
    functions = [random_function(first + at) for at in range(_AT_ONCE)]
    found = check(functions, folder, compiler)
    assert not found.wrong, _told(found, functions, folder, compiler)
    assert len(found.refused) < _MOST_REFUSED, found.refused


def _told(found: Checked, functions: list[RandomFunction], folder: Path, compiler: str) -> str:
    """What is wrong, and the first function with that as small as it gets."""
    name = next(iter(found.wrong))
    known = [one for one in functions if one.name == name]
    small = reduced_function(known[0], folder, compiler)[0] if known else ""
    return f"{found.wrong}\n{small}"


@pytest.mark.parametrize("first", range(0, 4 * _AT_ONCE, _AT_ONCE))
def test_random_functions(first: int, tmp_path: Path) -> None:
    _checked(first, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(4 * _AT_ONCE, 120 * _AT_ONCE, _AT_ONCE))
def test_more_random_functions(first: int, tmp_path: Path) -> None:
    _checked(first, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(120 * _AT_ONCE, 130 * _AT_ONCE, _AT_ONCE))
def test_random_functions_with_another_compiler(first: int, tmp_path: Path) -> None:
    _checked(first, tmp_path, "clang-19")
