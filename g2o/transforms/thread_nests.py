"""Nests of loops over threads, and whether any thread runs in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.analysis.positions import minimum_of
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Expr,
    Literal,
    Member,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import CountedLoop, Declare, If, Return, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import BOOL, INT


def nest_of(loop: CountedLoop) -> list[CountedLoop]:
    """Loops each of which is all that the one around it does, with bounds that hold for all."""
    found = [loop]
    while True:
        inner = statements_of(found[-1].body)
        if len(inner) != 1 or not isinstance(inner[0], CountedLoop) or inner[0].directive:
            break
        bounds = symbols_in(inner[0].lower) | symbols_in(inner[0].upper)
        if any(one.index in bounds for one in found):
            break
        found.append(inner[0])
    return found


def runs(loop: CountedLoop) -> bool:
    """Does a nest over the threads of a block run at least once wherever it stands?"""
    if loop.directive.is_parallel:
        return False
    for one in nest_of(loop):
        extent = one.upper
        constant = isinstance(extent, Literal) and (extent.value is None or extent.value > 0)
        named = {symbol.name for symbol in symbols_in(extent)}
        whole = named == {"block"} and not isinstance(extent, Call)
        if one.index.storage is not Storage.INDEX or integer_value(one.lower) != 0:
            return False
        if not constant and not whole:
            return False
    return True


def leave_without_threads(nest: Iterable[CountedLoop]) -> list[Stmt]:
    """`if (count <= 0) return;` for a parallel nest."""
    condition: Expr | None = None
    for one in nest:
        if isinstance(one.upper, Literal) and integer_value(one.lower) == 0:
            continue
        empty = Binary("<=", one.upper, one.lower, BOOL)
        if integer_value(one.lower) == 0 and not one.upper.type.is_signed:
            empty = Binary("==", one.upper, Literal("0", 0, INT), BOOL)
        condition = empty if condition is None else Binary("||", condition, empty, BOOL)
    return [] if condition is None else [If(condition, Return())]


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """What numbers are known to exceed inside of some loops: `above` by the expression, `values`
    what variables that never change are declared as. What is called by `launch` has blocks, and
    these threads."""

    values: dict[Symbol, Expr]
    launch: frozenset[Symbol]
    above: dict[Expr, int] = field(default_factory=dict[Expr, int])

    @staticmethod
    def of(kernel: LoweredKernel, changing: set[Symbol]) -> Bounds:
        """`changing` are variables that are written behind their declaration."""
        declared = [v for s in kernel.body if isinstance(s, Declare) for v in s.variables]
        return Bounds(
            {
                one.symbol: one.initial
                for one in declared
                if one.initial is not None
                and not one.suffix
                and not (symbols_in(one.initial) | {one.symbol}) & changing
            },
            frozenset((kernel.grid, kernel.block)) - changing,
        )

    def inside(self, loop: CountedLoop, changing: set[Symbol]) -> Bounds:
        """What holds in the body of the loop: it has a turn."""
        lower = integer_value(loop.lower)
        if lower is None or lower < 0 or symbols_in(loop.upper) & changing:
            return self
        known = dict(self.above)
        self._note(known, loop.upper, lower)
        return replace(self, above=known)

    def _note(self, known: dict[Expr, int], expr: Expr, limit: int) -> None:
        bare = strip_parens(expr)
        known[bare] = max(limit, known.get(bare, limit))
        match bare:
            case VarRef(symbol=symbol) if symbol in self.values:
                self._note(known, self.values[symbol], limit)
            case Binary(op="-", left=left, right=right) if bare.type.is_signed:
                amount = integer_value(right)
                if amount is not None and amount >= 0:
                    self._note(known, left, limit + amount)
            case _:
                for one in minimum_of(bare) if bare.type.is_signed else ():
                    self._note(known, one, limit)

    def has_turn(self, loop: CountedLoop) -> bool:
        """Does the loop run at least once?"""
        lower = integer_value(loop.lower)
        return lower is not None and self._exceeds(loop.upper, lower)

    def _exceeds(self, expr: Expr, limit: int) -> bool:
        bare = strip_parens(expr)
        value = integer_value(bare)
        if value is not None:
            return value > limit
        if self.above.get(bare, limit - 1) >= limit:
            return True
        least = minimum_of(bare)
        if least:
            return all(self._exceeds(one, limit) for one in least)
        match bare:
            case VarRef(symbol=symbol) if symbol in self.values:
                return self._exceeds(self.values[symbol], limit)
            case Cast(operand=operand, type=ctype) if ctype.bits >= operand.type.bits:
                return self._exceeds(operand, limit)
            case Member(base=VarRef(symbol=symbol)):
                return symbol in self.launch and limit <= 0
            case Binary(op="*", left=left, right=right):
                return limit <= 0 and self._exceeds(left, 0) and self._exceeds(right, 0)
            case Binary(op="-", left=left, right=right):
                amount = integer_value(right)
                return amount is not None and self._exceeds(left, limit + amount)
            case _:
                return False
