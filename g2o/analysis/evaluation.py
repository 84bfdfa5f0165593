"""The state that evaluating the expressions of a kernel needs and changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, final

from g2o.analysis.accesses import AccessKind, Choice
from g2o.analysis.addresses import Address
from g2o.analysis.arithmetic import Arithmetic
from g2o.analysis.effects import EffectsOf
from g2o.analysis.integer_types import is_integer
from g2o.analysis.uniformity import Uniformity
from g2o.ir.expressions import Builtin, Expr
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT, CType, TypeKind
from g2o.polyhedral.formula import TRUE, Formula, conjunction, disjunction, equal
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.space import NameInfo, Space


class Condition(NamedTuple):
    """`if_true` holds wherever the condition may be true, `if_false` wherever it may be false."""

    if_true: Formula
    if_false: Formula
    exact: bool


UNKNOWN_CONDITION: Final = Condition(TRUE, TRUE, False)

Value = Polynomial | Address


@final
@dataclass(slots=True)
class Machine:
    """What a thread knows at one point of the kernel. `guards` hold there; they are `exact` where
    nothing was left out of them."""

    env: dict[Symbol, Value] = field(default_factory=dict[Symbol, Value])
    guards: tuple[Formula, ...] = ()
    exact: bool = True
    loops: tuple[int, ...] = ()
    segment: int = 0
    counters: tuple[str, ...] = ()  # of the loops around that threads run through on their own


def with_guard(guards: tuple[Formula, ...], guard: Formula) -> tuple[Formula, ...]:
    return guards if guard == TRUE or guard in guards else (*guards, guard)


@dataclass(slots=True)
class Evaluation(ABC):
    """What is known where `machine` stands, and names for what is not. `record` is told of every
    access.

    Expressions, places and calls are mutually recursive; each kind has a class of its own below.
    """

    space: Space
    machine: Machine
    effects: EffectsOf
    uniformity: Uniformity
    launch: dict[tuple[Builtin, int], Polynomial]
    constants: dict[str, int]
    tables: Mapping[str, tuple[int, int]]  # bounds of the elements of constant arrays, by name
    written: set[Symbol | None]  # memory that the kernel writes anywhere
    hidden: set[Symbol]  # private variables that may change behind other names
    record: Callable[[AccessKind, Address, Expr, Polynomial | None], None]
    extents: dict[Symbol, tuple[Polynomial, ...]] = field(
        default_factory=dict[Symbol, tuple[Polynomial, ...]]
    )
    inside: list[Formula] = field(default_factory=list[Formula])  # of subscripts, in their arrays
    own_tables: dict[Symbol, tuple[int, int]] = field(default_factory=dict[Symbol, tuple[int, int]])
    choices: list[Choice] = field(default_factory=list["Choice"])
    arithmetic: Arithmetic = field(init=False)

    def __post_init__(self) -> None:
        self.arithmetic = Arithmetic(self.space)

    @abstractmethod
    def value(self, expr: Expr) -> Polynomial:
        """The integer that the expression gives; a name of its own where that is not understood.

        Accesses that evaluating it makes are recorded.
        """

    @abstractmethod
    def condition(self, expr: Expr) -> Condition:
        """Where the expression is true, and where it is not."""

    @abstractmethod
    def visit(self, expr: Expr) -> None:
        """Evaluate for the accesses alone."""

    @abstractmethod
    def visit_children(self, expr: Expr) -> None:
        """Evaluate the parts of an expression that is not understood itself."""

    def unknown(self, expr: Expr, exact: bool = False) -> Polynomial:
        """A name for a value that nothing is known of but whether threads may differ in it."""
        varying = self._varies(expr)
        return self.anything(varying, exact, is_integer(expr.type) and not expr.type.is_signed)

    def anything(
        self, varying: bool, exact: bool = False, not_negative: bool = False
    ) -> Polynomial:
        """In a loop that threads run through on their own, they may be in different iterations:
        there even what is the same for all of them has another value in each."""
        alone = bool(self.machine.counters)
        info = NameInfo(varying or alone, self.machine.loops, TRUE, not_negative, exact, alone)
        return Polynomial.name(self.space.name("v", info))

    def _given(self, names: Iterable[str]) -> frozenset[str]:
        """Those of the names that stand for parameters without a sign."""
        launch = {name for one in self.launch.values() for name in one.names}
        infos = ((name, self.space.infos[name]) for name in names if name not in launch)
        return frozenset(
            name
            for name, one in infos
            if one.not_negative and one.exact and not (one.varying or one.loops)
        )

    def _varies(self, expr: Expr) -> bool:
        return not self.uniformity.is_uniform(expr)

    def _unsigned(self, value: Polynomial, ctype: CType) -> Polynomial:
        if is_integer(ctype) and not ctype.is_signed:
            return self.arithmetic.unsigned(value, ctype.bits)
        return value

    def fitted(self, value: Polynomial, ctype: CType) -> Polynomial:
        """The result of arithmetic as a variable of the type holds it."""
        if ctype.kind is TypeKind.BOOL or (is_integer(ctype) and ctype.bits < INT.bits):
            return self.arithmetic.converted(value, INT, ctype)
        return self._unsigned(value, ctype)

    def selected(
        self, held: Condition, one: Polynomial, other: Polynomial, varying: bool
    ) -> Polynomial:
        """`one` where the condition holds, `other` elsewhere. `varying`: threads may differ in it.

        What is not known of a condition may differ from evaluation to evaluation, so the value
        has a name of its own then.
        """
        if one == other:
            return one
        if held.exact:
            return self.arithmetic.selected(held.if_true, held.if_false, one, other)
        known = self.space.is_not_negative(one) and self.space.is_not_negative(other)
        result = self.anything(varying, not_negative=known)
        (name,) = result.names
        cases = (
            conjunction((held.if_true, equal(result, one))),
            conjunction((held.if_false, equal(result, other))),
        )
        self.space.define(name, disjunction(cases))
        return result

    def _bind(self, symbol: Symbol, value: Value | None) -> None:
        if value is None:
            value = self.anything(symbol in self.uniformity.varying)
        self.machine.env[symbol] = value

    def _forget_changed(self, *evaluated: Expr) -> None:
        """Parts that are evaluated under a condition may have changed variables, or not."""
        for symbol in sorted(self.effects.of_all(evaluated).writes, key=lambda one: one.id):
            if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                self._bind(symbol, None)
