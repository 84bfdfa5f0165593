"""Loops in the reverse sweep: their heads, and how many iterations there were."""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.ad.activity import Activity
from g2o.ad.iteration_order import commutes
from g2o.ad.loops import (
    Counted,
    Shifted,
    Stepped,
    iteration_type,
    reversed_loop,
)
from g2o.ad.scopes import Braces, Point
from g2o.ad.shadows import (
    Shadows,
    shadow_type,
)
from g2o.ad.values import Values
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Binary,
    Call,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT


@final
class LoopAdjoints:
    """Writes loops that go through the iterations of others again, from the last one on or, where
    it does not matter, in their order."""

    def __init__(
        self, activity: Activity, values: Values, shadows: Shadows, symbols: SymbolTable
    ) -> None:
        self.activity = activity
        self.values = values
        self.shadows = shadows
        self.symbols = symbols

    def index_of(self, head: Counted | Shifted | Stepped, inner: Braces) -> Symbol:
        """The index of a loop in the reverse sweep."""
        old = head.index
        declared = isinstance(head.node.initial, Declare) and self.values.keeps_names
        declared = declared and old not in self.values.hiding
        make = self.symbols.declare if declared else self.symbols.fresh
        new = make(old.name, old.type, Storage.LOCAL)
        inner.renewed[old] = VarRef(new)
        return new

    def enumerated(
        self,
        loop: For | While | DoWhile,
        head: Counted | Shifted | Stepped,
        index: Symbol,
        back: list[Stmt],
        point: Point,
    ) -> tuple[list[Stmt], Stmt]:
        """A loop whose index is known in every iteration."""
        first = self.values.value(head.first, point)
        declared = {symbol for statement in back for symbol in declared_in(statement)}
        own = None if isinstance(head, Shifted) else index
        is_shared = isinstance(loop, For) and loop.shared is not None
        in_order = is_shared or commutes(back, declared, self._memory_of, own)
        if isinstance(head, Counted):
            bound = self.values.value(head.bound, point)
            step = self.values.value(head.step, point)
            head = replace(head, first=first, bound=bound, step=step)
            if in_order:
                return [loop], head.same_order(index, back)
            iteration = self.symbols.fresh("k", iteration_type(index.type), Storage.LOCAL)
            return [loop], reversed_loop(head, index, back, iteration)
        if isinstance(head, Stepped):
            return self._stepped(loop, replace(head, first=first), index, back, point, in_order)
        head = replace(head, first=first)
        condition = head.node.condition
        if in_order and condition is not None and self._holds_again(condition, head, point):
            return [loop], head.same_order(index, back)
        mirrored = head.mirrored(index, back)
        if mirrored is not None:
            return [loop], mirrored
        return self._by_iteration(loop, head, index, back, point)

    def _stepped(
        self,
        loop: For | While | DoWhile,
        head: Stepped,
        index: Symbol,
        back: list[Stmt],
        point: Point,
        in_order: bool,
    ) -> tuple[list[Stmt], Stmt]:
        """In the same order where the condition can be asked again, else as often as counted."""
        if in_order:
            braces = Braces(point.braces, joint=False, renewed={head.index: VarRef(index)})
            place = self.values.places.place(head.node.body)
            condition = self.values.attempt(head.condition, place, braces)
            if condition is not None:
                return [loop], replace(head, condition=condition).same_order(index, back)
        may_fall_below_0 = index.type.is_signed and index.type.bits >= INT.bits
        if may_fall_below_0 and head.value(index) == VarRef(index):
            return self.repeated(loop, back, point, index)
        return self._by_iteration(loop, head, index, back, point)

    def _by_iteration(
        self,
        loop: For | While | DoWhile,
        head: Shifted | Stepped,
        index: Symbol,
        back: list[Stmt],
        point: Point,
    ) -> tuple[list[Stmt], Stmt]:
        """As often as the forward sweep has counted, with the index found from the iteration."""
        iteration = self.symbols.fresh("k", INT, Storage.LOCAL)
        spelled = shadow_type(index.type).spelling
        known = Declare((Variable(index, f"const {spelled}", "", head.value(iteration), "="),))
        in_c = self.values.functions.is_c  # which has no name for the highest bit
        last = head.last_iteration() if isinstance(head, Shifted) and not in_c else None
        if last is not None:
            return [loop], _backwards(iteration, last, [known, *back])
        return self.repeated(loop, [known, *back], point, iteration)

    def repeated(
        self,
        loop: For | While | DoWhile,
        back: list[Stmt],
        point: Point,
        iteration: Symbol | None = None,
    ) -> tuple[list[Stmt], Stmt]:
        """A loop whose iterations the forward sweep counts."""
        trips = self.symbols.fresh("trips", INT, Storage.LOCAL)
        count = Declare((Variable(trips, "int", "", Literal("0", 0, INT), "="),))
        counting = ExprStatement(Unary("++", VarRef(trips), type=INT))
        body = Block((counting, *statements_of(loop.body)))
        there: list[Stmt] = [count, replace(loop, body=body, form=Form.BUILT)]
        times: Expr = VarRef(trips)
        if not point.braces.joint:
            if point.place.loops:
                times = self.values.recorder.taped(VarRef(trips), "int", there, point.braces)
            else:
                kept = self.symbols.fresh(f"old_{trips.name}", INT, Storage.LOCAL)
                self.values.recorder.held(kept, VarRef(trips), there, point.braces)
                times = VarRef(kept)
        if iteration is None:
            iteration = self.symbols.fresh("k", INT, Storage.LOCAL)
        last = Binary("-", times, Literal("1", 1, INT), INT)
        return there, _backwards(iteration, last, back)

    def _memory_of(self, symbol: Symbol) -> set[Symbol | None]:
        """The shadows in which what is reached through a shadow may lie; other variables
        themselves."""
        primal = self.shadows.primal_of(symbol)
        if primal is None:
            return {symbol}
        return {
            None if root is None else self.shadows.symbol_of(root)
            for root in self.primal_memory_of(primal)
        }

    def primal_memory_of(self, symbol: Symbol) -> set[Symbol | None]:
        """The memory in which what is reached through a pointer may lie."""
        return set(self.activity.origins.resolve(symbol))

    def _holds_again(self, condition: Expr, head: Shifted, point: Point) -> bool:
        """Can the reverse sweep ask the condition of the loop as it is written?"""
        others = symbols_in(condition) - {head.index}
        return not others and not any(isinstance(n, Call) for n in walk(condition))


def _backwards(iteration: Symbol, last: Expr, body: list[Stmt]) -> For:
    """A loop from the last iteration to that with the number 0."""
    spelled = shadow_type(iteration.type).spelling
    start = Declare((Variable(iteration, spelled, "", last, "="),))
    condition = Binary(">=", VarRef(iteration), Literal("0", 0, INT), BOOL)
    update = Unary("--", VarRef(iteration), type=INT)
    return For(start, condition, update, Block(tuple(body)))
