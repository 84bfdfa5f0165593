"""Whether a formula has an integer solution: asked of isl, with a bound on its work.

isl decides Presburger arithmetic; products of names are handed to it as names of their own, which
can only add solutions. (Verdoolaege, "isl: An Integer Set Library for the Polyhedral Model",
ICMS 2010.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import final

from g2o.polyhedral.formula import And, Atom, Formula, Or, Relation
from g2o.polyhedral.isl import isl
from g2o.polyhedral.polynomial import Monomial

OPERATION_LIMIT = 100_000
"""Basic operations of isl that one question may cost: about a tenth of a second."""

EASY_LIMIT = OPERATION_LIMIT // 16
"""What a question may cost at first; it is asked again with twice as much while that is too little,
and counts as hard then."""

KERNEL_LIMIT = 8_000_000
"""What all questions that one solver is asked may cost; those behind are given up. An operation
took up to a microsecond where it was measured: eight seconds at most, if all questions are hard."""

RACE_LIMIT = 2_000_000
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
    besides: dict[tuple[Atom, ...], dict[Formula, bool]] = field(
        default_factory=dict[tuple[Atom, ...], dict[Formula, bool]]
    )
    taken: dict[tuple[Atom, ...], _Search] = field(
        default_factory=dict[tuple[Atom, ...], "_Search"]
    )
    spent: int = 0
    undecided: int = 0

    def solve(self, formula: Formula) -> Verdict:
        known = self.answers.get(formula)
        if known is None:
            known = self._decide(lambda: _Search(self._context(), (formula,)), formula)
            self.answers[formula] = known
        return known

    def possible(
        self, alternatives: Iterable[Formula], certain: tuple[Atom, ...]
    ) -> Iterator[Formula]:
        """The alternatives that are not excluded, each by itself, by what is `certain`, which isl
        is told once."""
        known = self.besides.setdefault(certain, {})
        asked = tuple(one for one in alternatives if one not in known)
        search: _Search | None = None

        def made() -> _Search:
            nonlocal search
            if search is None:
                search = self._beside(certain).asking(asked)
            return search

        for one in asked:
            known[one] = isinstance(self._decide(made, one), NoSolution)
        return (one for one in alternatives if not known[one])

    def _beside(self, certain: tuple[Atom, ...]) -> _Search:
        """A search that knows what is certain."""
        known = self.taken.get(certain)
        if known is None:
            known = _Search(self._context(), certain)
            known.take(certain)
            self.taken[certain] = known
        return known

    @property
    def questions(self) -> int:
        """How many it has been asked."""
        return len(self.answers) + sum(map(len, self.besides.values()))

    def _context(self) -> isl.Context:
        if self.context is None:
            self.context = isl.Context()
        return self.context

    def _decide(self, search: Callable[[], _Search], formula: Formula) -> Verdict:
        """First within what an easy question costs, then with twice as much again and again."""
        if self.undecided >= UNDECIDED_LIMIT:
            self.undecided += 1
            return Undecided()
        limit, most = min(EASY_LIMIT, self.limit), self.most
        found: Verdict = Undecided()
        while isinstance(found, Undecided) and self.spent + limit <= most:
            self.spent += limit
            found = self._ask(search, formula, limit)
            if limit == self.limit:
                break
            limit, most = min(2 * limit, self.limit), self.most * 4 // 5
        self.undecided += isinstance(found, Undecided)
        return found

    def _ask(self, made: Callable[[], _Search], formula: Formula, limit: int) -> Verdict:
        context = self._context()
        context.reset_operations()
        context.set_max_operations(limit)
        try:
            search = made()
            solutions = search.first(formula)
            if solutions is None:
                return NoSolution()
            point = solutions.sample_point()
        except isl.Error:
            return Undecided()
        finally:
            context.set_max_operations(0)
            context.reset_operations()
        found = {
            product: int(point.get_coordinate_val(isl.dim_type.set, position).to_python())
            for product, position in search.columns.items()
        }
        values = {product[0]: value for product, value in found.items() if len(product) == 1}
        return Solution(values, _multiplies(found, values))

    def excludes(self, formula: Formula) -> bool:
        """Is it proved that the formula has no solution?"""
        return isinstance(self.solve(formula), NoSolution)


@final
class _Search:
    """Looks for a conjunction of the disjunctive normal form that has solutions, alternative by
    alternative: where what has been chosen has none, nothing is added to it.

    isl can read the formula as text, but takes four times as long for it.
    """

    def __init__(
        self, context: isl.Context, formulas: Iterable[Formula], before: _Search | None = None
    ) -> None:
        self.columns: dict[Monomial, int] = {}  # the dimensions: one for each monomial
        self._choices: list[Formula] = []
        if before is not None:
            self.columns |= before.columns
            self._choices += before._choices
        for one in formulas:
            self._number(one)
        self._context = context
        space = isl.Space.set_alloc(context, 0, len(self.columns))
        if before is None:
            self._everything = isl.BasicSet.universe(space)
        else:
            more = len(self.columns) - len(before.columns)
            self._everything = before._everything.add_dims(isl.dim_type.set, more)
        self._local = isl.LocalSpace.from_space(space)

    def asking(self, formulas: Iterable[Formula]) -> _Search:
        """One that knows as much, for formulas of more names."""
        return _Search(self._context, formulas, self)

    def take(self, certain: Iterable[Atom]) -> None:
        """What holds in all that is asked from now on."""
        for one in certain:
            if one.relation is Relation.NOT_ZERO:
                self._choices.append(one)
                continue
            self._everything = self._everything.add_constraint(self._constraint(one))

    def first(self, formula: Formula) -> isl.BasicSet | None:
        return self._within(self._everything, [formula], self._choices)

    def _within(
        self, chosen: isl.BasicSet, pending: list[Formula], open_choices: list[Formula]
    ) -> isl.BasicSet | None:
        """A part of `chosen` with solutions in which all of `pending` hold, and one alternative of
        each of the choices."""
        choices = list(open_choices)
        while pending:
            match pending.pop():
                case And(parts=parts):
                    pending.extend(reversed(parts))
                case Atom(relation=Relation.NOT_ZERO) | Or() as choice:
                    choices.append(choice)
                case Atom() as atom:
                    chosen = chosen.add_constraint(self._constraint(atom))
        if chosen.is_empty():
            return None
        if not choices:
            return chosen
        choice, *others = choices
        for one in _alternatives(choice):
            found = self._within(chosen, [one], others)
            if found is not None:
                return found
        return None

    def _constraint(self, atom: Atom) -> isl.Constraint:
        if atom.relation is Relation.ZERO:
            made = isl.Constraint.alloc_equality(self._local)
        else:
            made = isl.Constraint.alloc_inequality(self._local)
        for product, factor in atom.polynomial.terms:
            if product:
                column = self.columns[product]
                made = made.set_coefficient_val(isl.dim_type.set, column, factor)
            else:
                made = made.set_constant_val(factor)
        return made

    def _number(self, formula: Formula) -> None:
        match formula:
            case Atom(polynomial=polynomial):
                for product, _ in polynomial.terms:
                    if product:
                        self.columns.setdefault(product, len(self.columns))
            case And(parts=parts) | Or(parts=parts):
                for part in parts:
                    self._number(part)


def _alternatives(choice: Formula) -> tuple[Formula, ...]:
    match choice:
        case Or(parts=parts):
            return parts
        case Atom(polynomial=value):  # that is not zero
            above, below = value.plus(-1), (-value).plus(-1)
            return (Atom(above, Relation.NOT_NEGATIVE), Atom(below, Relation.NOT_NEGATIVE))
        case _:
            return (choice,)


def _multiplies(found: Mapping[Monomial, int], values: Mapping[str, int]) -> bool:
    """Are the values of all products those of their factors? Of factors that nothing else is asked
    of, there have to be values that are right."""
    known = dict(values)
    left = {product: value for product, value in found.items() if len(product) > 1}
    while left:
        missing = {one: [name for name in one if name not in known] for one in left}
        product = min(left, key=lambda one: (len(missing[one]), one))
        value, names = left.pop(product), missing[product]
        others = prod(known[name] for name in product if name in known)
        if not names:
            if value != others:
                return False
        elif others == 0:
            if value:
                return False
        elif len(names) > 1:
            if value:
                return False  # or not found: nobody asks for more
            known[names[0]] = 0
        elif value % others:
            return False
        else:
            known[names[0]] = value // others
    return True
