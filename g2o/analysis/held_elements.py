"""Elements of arrays that variables hold, their places as polynomials of integers.

    int c = i;                      c is i + w, and below holds x[i], when the loop begins
    float below = x[c];
    c += w;
    for (...)

Integers are signed ones of at least 32 bits: they do not wrap around, so that two polynomials that
are the same are the same number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.induction import advanced
from g2o.analysis.positions import name_of, polynomial_of
from g2o.ir.expressions import (
    Assign,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.polyhedral.polynomial import Polynomial

Known = Mapping[Symbol, Polynomial]


@final
@dataclass(slots=True)
class FrontState:
    """What is known in front of a statement: integers as polynomials, and what registers hold, with
    what was known where they were set."""

    effects: EffectsOf
    hidden: Set[Symbol]  # that may change behind other names
    known: dict[Symbol, Polynomial] = field(default_factory=dict[Symbol, Polynomial])
    held: dict[Symbol, tuple[Expr, dict[Symbol, Polynomial]]] = field(
        default_factory=dict[Symbol, tuple[Expr, dict[Symbol, Polynomial]]]
    )
    declared: dict[Symbol, Variable] = field(default_factory=dict[Symbol, Variable])
    changes: int = 0

    def copy(self, without: Iterable[Symbol] = ()) -> FrontState:
        """The same in front of a statement that is inside of another, `without` what is known of
        these variables. What is declared around is not to be declared inside."""
        made = FrontState(
            self.effects, self.hidden, dict(self.known), dict(self.held), changes=self.changes
        )
        made.forget(without)
        return made

    def polynomial(self, expr: Expr) -> Polynomial | None:
        return None if symbols_in(expr) & self.hidden else polynomial(expr, self.known)

    def forget(self, changed: Iterable[Symbol]) -> None:
        changed = set(changed)
        for symbol in changed:
            self.changes += 1
            self.known[symbol] = Polynomial.name(f"{name_of(symbol)}'{self.changes}")
            self.held.pop(symbol, None)
        for register, (value, _) in list(self.held.items()):
            named = symbols_in(value.condition) if isinstance(value, Conditional) else set[Symbol]()
            if any(one in named or not counts(one) for one in symbols_in(value) & changed):
                del self.held[register]

    def pass_by(self, statement: Stmt) -> None:
        """Go on behind a statement."""
        match statement:
            case Declare(variables=variables):
                for one in variables:
                    self.declared[one.symbol] = one
                    if one.initial is not None and not one.suffix:
                        self._set(one.symbol, one.initial)
                return
            case ExprStatement(expr=Assign(op="=")):
                targets, value = _chain(statement.expr)
                if self.effects.is_pure(value) and all(targets):
                    for symbol in reversed(targets):
                        if symbol is not None:
                            self._set(symbol, value)
                    return
            case ExprStatement(expr=expr):
                step = advanced(expr)
                amount = None if step is None else self.polynomial(step[1].amount)
                if step is not None and amount is not None and counts(step[0]):
                    before = self.known.get(step[0], Polynomial.name(name_of(step[0])))
                    behind = {"+": before + amount, "-": before - amount}.get(step[1].op)
                    self.forget((step[0],))
                    if behind is not None and step[0] not in self.hidden:
                        self.known[step[0]] = behind
                    return
            case _:
                pass
        self.forget(self.effects.of(statement).writes)

    def _set(self, symbol: Symbol, value: Expr) -> None:
        bare = strip_parens(value)
        found = self.polynomial(value) if counts(symbol) else None
        held = self.held.get(bare.symbol) if isinstance(bare, VarRef) else None
        if held is None and isinstance(bare, Index | Conditional):
            held = bare, dict(self.known)
        self.forget((symbol,))
        if found is not None and symbol not in self.hidden:
            self.known[symbol] = found
        hidden = held is not None and (symbols_in(held[0]) | {symbol}) & self.hidden
        if held is not None and not hidden and same_type(held[0].type, symbol.type):
            self.held[symbol] = held


def counts(symbol: Symbol) -> bool:
    """Does it hold integers that do not wrap around?"""
    own = symbol.type
    return own.kind is TypeKind.INTEGER and own.is_signed and own.bits >= 32 and not own.is_volatile


def same_type(one: CType, other: CType) -> bool:
    return unqualified(one) == unqualified(other)


def polynomial(expr: Expr, known: Known) -> Polynomial | None:
    """A number of signed integers; None for others."""
    values = {
        symbol: known.get(symbol, Polynomial.name(name_of(symbol)))
        for symbol in symbols_in(expr)
        if counts(symbol)
    }
    if len(values) != len(symbols_in(expr)) or any(map(_narrows, walk(expr))):
        return None
    found = integer_value(expr)
    return polynomial_of(expr, values) if found is None else Polynomial.constant(found)


def _narrows(node: Node) -> bool:
    return isinstance(node, Cast) and node.operand.type.bits > node.type.bits


def are_same(one: Expr, known: Known, other: Expr, of_other: Known) -> bool:
    """Are the two the same element, chosen in the same way, the one where the first is known of
    variables, the other where the second is?"""
    match one, other:
        case Index(), Index():
            place, second = polynomial(one.index, known), polynomial(other.index, of_other)
            same = strip_parens(one.base) == strip_parens(other.base)
            return same and place is not None and place == second
        case Conditional(), Conditional():
            return (
                strip_parens(one.condition) == strip_parens(other.condition)
                and are_same(
                    strip_parens(one.if_true), known, strip_parens(other.if_true), of_other
                )
                and are_same(
                    strip_parens(one.if_false), known, strip_parens(other.if_false), of_other
                )
            )
        case Literal(), Literal():
            return one == other
        case _:
            return False


def _chain(expr: Expr) -> tuple[list[Symbol | None], Expr]:
    """The variables that `a = b = value` sets, None for other targets, and the value."""
    targets: list[Symbol | None] = []
    while isinstance(expr, Assign) and expr.op == "=":
        target = strip_parens(expr.target)
        targets.append(target.symbol if isinstance(target, VarRef) else None)
        expr = strip_parens(expr.value)
    return targets, expr
