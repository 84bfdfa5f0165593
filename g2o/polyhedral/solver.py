"""Whether a formula has an integer solution: asked of isl, with a bound on its work.

isl decides Presburger arithmetic; products of names are handed to it as names of their own, which
can only add solutions. (Verdoolaege, "isl: An Integer Set Library for the Polyhedral Model",
ICMS 2010.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import assert_never, final

from g2o.polyhedral.formula import And, Atom, Formula, Or, Relation
from g2o.polyhedral.isl import isl
from g2o.polyhedral.polynomial import Monomial

OPERATION_LIMIT = 100_000
"""Basic operations of isl that one question may cost: about a twentieth of a second."""

EASY_LIMIT = OPERATION_LIMIT // 4
"""What a question may cost at first; it is asked again with twice as much while that is too little,
and counts as hard then."""

KERNEL_LIMIT = 16_000_000
"""What all questions that one solver is asked may cost; those behind are given up. An operation
took from a tenth of a microsecond to a half where it was measured: eight seconds at most."""

RACE_LIMIT = 5_000_000
"""The same where only races are looked for, which no translation depends on."""

UNDECIDED_LIMIT = 16
"""Questions that may be given up before all others are, too: what is so hard stays hard."""


@final
@dataclass(frozen=True, slots=True)
class Solution:
    """Values of the names that the formula mentions. Products of names are unknowns of their own to
    isl: `multiplies` tells whether the values of all of them are the products."""

    values: Mapping[str, int]
    multiplies: bool = True


@final
@dataclass(frozen=True, slots=True)
class NoSolution:
    """There is none: proved."""


@final
@dataclass(frozen=True, slots=True)
class Undecided:
    """isl gave up within its limit."""


Verdict = Solution | NoSolution | Undecided


@final
@dataclass(slots=True)
class Solver:
    """Asks isl and remembers its answers: one for all questions about a kernel.

    Deterministic: what is given up depends on operations, not on time. `spent` are those that
    have been granted of `most`, `undecided` the questions without an answer. Easy questions go on
    for a while when hard ones are given up.
    """

    most: int = KERNEL_LIMIT
    limit: int = OPERATION_LIMIT
    context: isl.Context | None = None  # made by the first question
    answers: dict[Formula, Verdict] = field(default_factory=dict[Formula, Verdict])
    spent: int = 0
    undecided: int = 0

    def solve(self, formula: Formula) -> Verdict:
        known = self.answers.get(formula)
        if known is None:
            known = self._decide(formula) if self.undecided < UNDECIDED_LIMIT else Undecided()
            self.undecided += isinstance(known, Undecided)
            self.answers[formula] = known
        return known

    def _decide(self, formula: Formula) -> Verdict:
        """First within what an easy question costs, then with twice as much again and again."""
        limit, most = min(EASY_LIMIT, self.limit), self.most
        found: Verdict = Undecided()
        while isinstance(found, Undecided) and self.spent + limit <= most:
            self.spent += limit
            found = self._ask(formula, limit)
            if limit == self.limit:
                break
            limit, most = min(2 * limit, self.limit), self.most * 4 // 5
        return found

    def _ask(self, formula: Formula, limit: int) -> Verdict:
        columns = _Columns()
        text = columns.formula(formula)
        space = ", ".join(columns.spelled.values())
        if self.context is None:
            self.context = isl.Context()
        context = self.context
        context.reset_operations()
        context.set_max_operations(limit)
        try:
            asked = isl.Set.read_from_str(context, f"{{ [{space}] : {text} }}")
            if asked.is_empty():
                return NoSolution()
            point = asked.sample_point()
        except isl.Error:
            return Undecided()
        finally:
            context.set_max_operations(0)
            context.reset_operations()
        found = {
            product: int(point.get_coordinate_val(isl.dim_type.set, position).to_python())
            for position, product in enumerate(columns.spelled)
        }
        values = {product[0]: value for product, value in found.items() if len(product) == 1}
        multiplies = all(
            value == prod(values[name] for name in product)
            for product, value in found.items()
            if all(name in values for name in product)
        )
        return Solution(values, multiplies)

    def excludes(self, formula: Formula) -> bool:
        """Is it proved that the formula has no solution?"""
        return isinstance(self.solve(formula), NoSolution)


@final
@dataclass(slots=True)
class _Columns:
    """The dimensions of the set: one for each monomial."""

    spelled: dict[Monomial, str] = field(default_factory=dict[Monomial, str])

    def formula(self, formula: Formula) -> str:
        match formula:
            case Atom(polynomial=polynomial, relation=relation):
                total = " + ".join(
                    f"{factor}{self._column(product)}" for product, factor in polynomial.terms
                )
                if relation is Relation.NOT_ZERO:
                    return f"({total} > 0 or {total} < 0)"
                return f"{total or 0} {relation.value} 0"
            case And(parts=()):
                return "0 = 0"
            case Or(parts=()):
                return "0 = 1"
            case And(parts=parts):
                return " and ".join(f"({self.formula(part)})" for part in parts)
            case Or(parts=parts):
                return "(" + " or ".join(f"({self.formula(part)})" for part in parts) + ")"
            case _:
                assert_never(formula)

    def _column(self, product: Monomial) -> str:
        if not product:
            return ""
        return "*" + self.spelled.setdefault(product, f"x{len(self.spelled)}")
