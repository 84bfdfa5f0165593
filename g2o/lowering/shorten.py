"""Loops over threads for an interval that is a single condition.

if (t < s)                     for (int t = 0; t < s; ++t)
    buf[t] += buf[t + s];  ->      buf[t] += buf[t + s];
if (t == 0)
    out[b] = buf[0];       ->  out[b] = buf[0];
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.directives import simd_where
from g2o.ir.expressions import (
    Assign,
    Binary,
    Code,
    Expr,
    Literal,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, CType, common_spelling
from g2o.lowering.context import bound_for, substitute
from g2o.lowering.guards import Limit, split_guard
from g2o.lowering.indices import block_of
from g2o.lowering.intervals import Item, statements_in
from g2o.lowering.limits import lower_bound
from g2o.lowering.simd import may_vectorise
from g2o.lowering.thread_group import ZERO, BlockGroup


@final
@dataclass(frozen=True, slots=True)
class Shortener:
    """Shortens the loops of the threads of a block."""

    group: BlockGroup

    def __call__(
        self, statement: Stmt, repeated: list[Stmt], items: list[Item], once: set[Symbol]
    ) -> list[Stmt] | None:
        if self.group.context.optimisation < 2 or not isinstance(statement, If):
            return None
        if statement.otherwise is not None or any(
            isinstance(node, (Return, Jump)) for node in walk(statement.then)
        ):
            return None
        fixed = self._fixed_threads(statement.condition)
        body = (*repeated, *statements_of(statement.then))
        if fixed is not None and fixed.keys() == set(self.group.threads.values()):
            done = substitute(block_of(body), dict(fixed))
            assert isinstance(done, Block)
            first, *rest = done.statements or (Empty(),)
            merged = replace(
                first,
                trivia=replace(
                    first.trivia, before=(*statement.trivia.before, *first.trivia.before)
                ),
            )
            declares = any(isinstance(s, Declare) for s in done.statements)
            flat = (merged, *rest)
            return [block_of(flat)] if declares else list(flat)
        limits, others = split_guard(
            statement.condition,
            set(self.group.threads.values()),
            lambda expr: self._invariant(expr, once),
            negate=False,
            counters=self.group.context.counters,
        )
        if not limits or others:
            return None
        return [self._limited(self._by_axis(limits), body, statement, items)]

    def _fixed_threads(self, condition: Expr) -> dict[Symbol, Expr] | None:
        """`t == 0`, `t < 1` (and `ty == 0`, ...): the thread that the condition picks."""
        found: dict[Symbol, Expr] = {}
        pending = [condition]
        while pending:
            match strip_parens(pending.pop()):
                case Binary(op="&&", left=left, right=right):
                    pending.extend((left, right))
                case Binary(op="==", left=left, right=right):
                    index, value = strip_parens(left), strip_parens(right)
                    if not isinstance(index, VarRef):
                        index, value = value, index
                    if (
                        not isinstance(index, VarRef)
                        or index.symbol not in self.group.threads.values()
                    ):
                        return None
                    if integer_value(value) != 0:
                        return None
                    found[index.symbol] = ZERO
                case (
                    Unary(op="!", operand=index)
                    | Binary(op="<", left=index, right=Literal(value=1))
                ):
                    index = strip_parens(index)
                    if (
                        not isinstance(index, VarRef)
                        or index.symbol not in self.group.threads.values()
                    ):
                        return None
                    found[index.symbol] = ZERO
                case _:
                    return None
        return found

    def _invariant(self, expr: Expr, once: set[Symbol]) -> bool:
        found = self.group.context.effects.of(expr)
        if not found.is_pure or found.memory_reads:
            return False
        return not any(
            (symbol.storage is Storage.LOCAL and symbol not in once)
            or symbol in self.group.threads.values()
            for symbol in symbols_in(expr)
        )

    def _by_axis(self, limits: list[Limit]) -> dict[int, tuple[Expr, list[Expr]]]:
        """Lower bound and upper limits for each axis that has some."""
        result: dict[int, tuple[Expr, list[Expr]]] = {}
        for axis, index in self.group.threads.items():
            own = [limit for limit in limits if limit.index == index]
            least, above, upper = (
                [limit.limit for limit in own if limit.op == op] for op in (">=", ">", "<")
            )
            if own:
                extent = self.group.extent(axis)
                end = bound_for(index.type, extent)
                from_zero = self.group.context.from_zero
                result[axis] = (lower_bound(least, above, index, extent, end, from_zero), upper)
        return result

    def _limited(
        self,
        limits: dict[int, tuple[Expr, list[Expr]]],
        body: tuple[Stmt, ...],
        statement: If,
        items: list[Item],
    ) -> Stmt:
        nest: Stmt = block_of(body)
        simd = may_vectorise(nest)
        for position, axis in enumerate(self.group.axes):
            index = self.group.threads[axis]
            extent = self.group.extent(axis)
            lower, upper = limits.get(axis, (ZERO, []))
            bound = bound_for(index.type, extent)
            for number, limit in enumerate(upper):
                own = self._at_most(limit, extent, index.type, items)
                least = (f"std::min<{index.type.spelling}>(", own, ", ", bound, ")")
                bound = own if number == 0 else Code(least, type=index.type)
            directive = simd_where(simd and position == 0)
            nest = CountedLoop(index, lower, bound, nest, directive)
        return replace(nest, trivia=statement.trivia)

    def _at_most(self, limit: Expr, extent: Expr, ctype: CType, items: list[Item]) -> Expr:
        if _within_block(limit, extent, items):
            return bound_for(ctype, limit)
        compared = common_spelling(limit.type, ctype)
        if compared == "int" and limit.type.spelling.removeprefix("const ") == "int":
            return Code(("std::min(", limit, ", ", bound_for(ctype, extent), ")"), type=INT)
        least = Code((f"std::min<{compared}>(", limit, ", ", extent, ")"), type=ctype)
        signed = compared in ("int", "long long")
        return bound_for(ctype, replace(least, type=replace(ctype, is_signed=signed)))


def _within_block(limit: Expr, extent: Expr, items: list[Item]) -> bool:
    """Is the limit known never to exceed the number of threads?"""
    value, count = integer_value(limit), integer_value(extent)
    if value is not None and count is not None:
        return value <= count
    bare = strip_parens(limit)
    if isinstance(bare, Literal) and isinstance(extent, Literal):
        return bare.text == extent.text
    return isinstance(bare, VarRef) and _only_falls(bare.symbol, extent, items)


def _only_falls(symbol: Symbol, extent: Expr, items: list[Item]) -> bool:
    """Do only heads of loops that take `symbol` from `extent` downwards give it a value?"""
    nodes = [node for statement in statements_in(items) for node in walk(statement)]
    loops = [node for node in nodes if isinstance(node, For) and halving_from(node, symbol, extent)]
    heads = {
        id(node)
        for loop in loops
        for part in (loop.initial, loop.increment)
        if part is not None
        for node in walk(part)
    }
    return bool(loops) and not any(
        _gives_value(node, symbol) for node in nodes if id(node) not in heads
    )


def _gives_value(node: Node, symbol: Symbol) -> bool:
    match node:
        case Declare(variables=variables):
            return any(v.symbol == symbol and v.initial is not None for v in variables)
        case Assign(target=VarRef(symbol=changed)):
            return changed == symbol
        case Unary(op="++" | "--" | "&", operand=VarRef(symbol=changed)):
            return changed == symbol
        case Exchange(result=result):
            return result == symbol
        case _:
            return False


def halving_from(loop: For, symbol: Symbol, extent: Expr) -> bool:
    """Does the head of the loop only take `symbol` from (a part of) `extent` downwards?

    for (int s = blockDim.x / 2; s > 0; s >>= 1)
    """
    match loop.initial:
        case Declare(variables=(variable,)) if variable.symbol == symbol:
            initial = variable.initial
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=changed), value=initial)) if (
            changed == symbol
        ):
            pass
        case _:
            return False
    if initial is None or loop.increment is None or not _is_part_of(initial, extent, symbol):
        return False
    match strip_parens(loop.increment):
        case Assign(op=">>=" | "/=", target=VarRef(symbol=changed)):
            return changed == symbol
        case Assign(op="-=", target=VarRef(symbol=changed), value=value):
            return changed == symbol and _may_take_away(integer_value(value), symbol)
        case Assign(op="=", target=VarRef(symbol=changed), value=value):
            return changed == symbol and _is_part_of(value, VarRef(symbol), symbol)
        case Unary(op="--", operand=VarRef(symbol=changed)):
            return changed == symbol
        case _:
            return False


def _is_part_of(expr: Expr, whole: Expr, symbol: Symbol) -> bool:
    """Is `expr` the whole, or the whole divided by a constant or less a constant, as a number of
    the type of `symbol`?"""
    bare = strip_parens(expr)
    if bare == whole or strip_parens(whole) == bare:
        return True
    if isinstance(bare, Literal) and isinstance(whole, Literal):
        return bare.text == whole.text
    match bare:
        case Binary(op="/" | ">>", left=left, right=right):
            value = integer_value(right)
            return value is not None and value >= 0 and _is_part_of(left, whole, symbol)
        case Binary(op="-", left=left, right=right):
            less = _may_take_away(integer_value(right), symbol)
            return less and _is_part_of(left, whole, symbol)
        case _:
            return False


def _may_take_away(value: int | None, symbol: Symbol) -> bool:
    """Is a number that is not 0 smaller without `value`? Unsigned ones may wrap around below 0."""
    return value is not None and value >= 0 and (symbol.type.is_signed or value <= 1)
