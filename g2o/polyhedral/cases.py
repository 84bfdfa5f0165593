"""Alternatives that cannot be are struck out before isl is asked about all of them together.

    x >= 0, n >= 1, (n <= 0 or r < n), (x < 0 and r <= 0 or x >= 0 and r >= 0)
    ->  x >= 0, n >= 1, r < n, r >= 0

isl multiplies alternatives out. Most of those in the definitions of quotients, remainders and
extremes contradict what else is known, each for itself.
"""

from __future__ import annotations

from math import prod
from typing import Final

from g2o.polyhedral.formula import (
    FALSE,
    Atom,
    Formula,
    Or,
    conjunction,
    conjuncts,
    disjunction,
)
from g2o.polyhedral.solver import Solver

_FEW_COMBINATIONS: Final = 64
"""Alternatives of all disjunctions, multiplied out, that isl is asked about at once."""

_MOST_SPLITS: Final = 4


def without_impossible(formula: Formula, solver: Solver) -> Formula:
    """The same set: what is struck out has no solution beside the rest."""
    parts = conjuncts(formula)
    before: tuple[Atom, ...] | None = None
    while True:
        certain = tuple(part for part in parts if isinstance(part, Atom))
        if certain == before:
            return conjunction(parts)
        left: list[Formula] = []
        for part in parts:
            if isinstance(part, Or):
                part = disjunction(solver.possible(part.parts, certain))
            left.extend(conjuncts(part))
        parts, before = conjuncts(conjunction(left)), certain


def excludes(formula: Formula, solver: Solver, depth: int = _MOST_SPLITS) -> bool:
    """Is it proved that the formula has no solution?

    Alternatives are taken one after the other while there are many; the first that may be ends it.
    """
    left = without_impossible(formula, solver)
    if left == FALSE:
        return True
    open_ones = [part for part in conjuncts(left) if isinstance(part, Or)]
    if prod(len(one.parts) for one in open_ones) <= _FEW_COMBINATIONS:
        return solver.excludes(left)
    if depth == 0:
        return False
    split = min(open_ones, key=lambda one: len(one.parts))
    rest = [part for part in conjuncts(left) if part is not split]
    return all(excludes(conjunction((*rest, one)), solver, depth - 1) for one in split.parts)
