"""What questions about a kernel may cost."""

from __future__ import annotations

import pytest

from g2o.polyhedral import solver as solvers
from g2o.polyhedral.formula import Formula, conjunction, less
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.solver import NoSolution, Solver, Undecided


def _contradiction(number: int) -> Formula:
    """x > number and x < number, in a way that isl has to find out."""
    x, y, n = Polynomial.name("x"), Polynomial.name("y"), Polynomial.constant(number)
    return conjunction((less(x, y), less(y, n), less(n, x)))


def test_hard_questions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "EASY_LIMIT", 1)
    monkeypatch.setattr(solvers, "HARD_LIMIT", 2 * 4096)
    solver = Solver(limit=4096)
    verdicts = [solver.solve(_contradiction(number)) for number in (1, 2, 3, 1)]
    assert verdicts == [NoSolution(), NoSolution(), Undecided(), NoSolution()]


def test_easy_questions_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "HARD_LIMIT", 0)
    solver = Solver()
    assert all(solver.excludes(_contradiction(number)) for number in range(100))
