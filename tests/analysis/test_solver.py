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


def test_what_hard_questions_cost_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "EASY_LIMIT", 1)
    alone = Solver(limit=4096)
    assert alone.solve(_contradiction(1)) == NoSolution()
    assert alone.spent > 1
    solver = Solver(limit=4096, most=3 * alone.spent)
    verdicts = [solver.solve(_contradiction(number)) for number in (1, 2, 3, 1)]
    assert verdicts == [NoSolution(), NoSolution(), Undecided(), NoSolution()]
    assert solver.spent <= solver.most
    assert solver.undecided == 1


def test_easy_questions_go_on_when_hard_ones_are_given_up() -> None:
    """They cost little: a hundred of them are asked with what one hard question may cost."""
    solver = Solver(most=100 * solvers.EASY_LIMIT)
    assert all(solver.excludes(_contradiction(number)) for number in range(100))
    assert not solver.excludes(_contradiction(100))
    assert solver.spent == solver.most


def test_nothing_is_asked_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many questions there are: what is granted is never more than the limit."""
    monkeypatch.setattr(solvers, "EASY_LIMIT", 1)
    monkeypatch.setattr(solvers, "UNDECIDED_LIMIT", 1000)
    solver = Solver(most=5000)
    for number in range(500):
        solver.solve(_contradiction(number))
    assert solver.undecided > 0
    assert solver.spent <= 5000
