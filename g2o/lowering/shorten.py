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
    ExprStatement,
    For,
    If,
    Jump,
    Return,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, CType
from g2o.lowering.context import bound_for, substitute
from g2o.lowering.guards import Limit, split_guard
from g2o.lowering.indices import block_of
from g2o.lowering.intervals import Item, structured_in
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
        )
        if not limits or others:
            return None
        return [self._limited(self._by_axis(limits), body, statement, items)]

    def _fixed_threads(self, condition: Expr) -> dict[Symbol, Expr] | None:
        """`t == 0` (and `ty == 0`, ...): the thread that the condition picks."""
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
                case Unary(op="!", operand=operand):
                    index = strip_parens(operand)
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
            lower: Expr = ZERO
            upper: list[Expr] = []
            for limit in limits:
                if limit.index != index:
                    continue
                if limit.op == "<":
                    upper.append(limit.limit)
                elif lower is ZERO:
                    lower = non_negative(limit.limit, index)
                else:
                    lower = Code(("std::max(", lower, ", ", limit.limit, ")"), type=index.type)
            if upper or lower is not ZERO:
                result[axis] = (lower, upper)
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
                bound = self._at_most(limit, extent if number == 0 else bound, index.type, items)
            pragma = "omp simd" if simd and position == 0 else ""
            nest = CountedLoop(index, lower, bound, nest, pragma)
        return replace(nest, trivia=statement.trivia)

    def _at_most(self, limit: Expr, extent: Expr, ctype: CType, items: list[Item]) -> Expr:
        if _within_block(limit, extent, items):
            return limit
        same = limit.type.spelling.replace("const ", "") == "int" and ctype.is_signed
        if same:
            return Code(("std::min(", limit, ", ", bound_for(ctype, extent), ")"), type=INT)
        wide = (
            "std::size_t"
            if limit.type.bits > 32 and not limit.type.is_signed
            else ("long long" if limit.type.bits > 32 else ctype.spelling)
        )
        least = Code((f"std::min<{wide}>(", limit, ", ", extent, ")"), type=ctype)
        return bound_for(ctype, replace(least, type=replace(ctype, is_signed=wide != "unsigned")))


def _within_block(limit: Expr, extent: Expr, items: list[Item]) -> bool:
    """Is the limit known never to exceed the number of threads?"""
    value, count = integer_value(limit), integer_value(extent)
    if value is not None and count is not None:
        return value <= count
    bare = strip_parens(limit)
    if isinstance(bare, Literal) and isinstance(extent, Literal):
        return bare.text == extent.text
    if not isinstance(bare, VarRef):
        return False
    return any(
        halving_from(structured.statement, bare.symbol, extent)
        for structured in structured_in(items)
    )


def non_negative(limit: Expr, index: Symbol) -> Expr:
    """A lower limit as the start of a loop from zero upwards."""
    if isinstance(limit, Literal) or not limit.type.is_signed:
        return limit
    return Code((f"std::max<{index.type.spelling}>(", limit, ", 0)"), type=index.type)


def halving_from(statement: Stmt, symbol: Symbol, extent: Expr) -> bool:
    """Does the loop only take `symbol` from (a part of) `extent` downwards?

    for (int s = blockDim.x / 2; s > 0; s >>= 1)
    """
    match statement:
        case For(initial=Declare(variables=(variable,)), increment=increment):
            initial = variable.initial
        case For(
            initial=ExprStatement(expr=Assign(op="=", target=VarRef(), value=initial) as set_)
        ):
            if not isinstance(set_.target, VarRef) or set_.target.symbol != symbol:
                return False
            variable, increment = None, statement.increment
        case _:
            return False
    if variable is not None and variable.symbol != symbol:
        return False
    if initial is None or increment is None or not _is_part_of(initial, extent):
        return False
    match strip_parens(increment):
        case Assign(op=">>=" | "/=" | "-=", target=VarRef(symbol=changed)):
            falls = changed == symbol
        case Assign(op="=", target=VarRef(symbol=changed), value=value):
            falls = changed == symbol and _is_part_of(value, VarRef(symbol))
        case Unary(op="--", operand=VarRef(symbol=changed)):
            falls = changed == symbol
        case _:
            falls = False
    return falls and not _assigned_in(statement, symbol)


def _is_part_of(expr: Expr, whole: Expr) -> bool:
    """Is `expr` the whole, or the whole divided by a constant or less a constant?"""
    bare = strip_parens(expr)
    if bare == whole or strip_parens(whole) == bare:
        return True
    if isinstance(bare, Literal) and isinstance(whole, Literal):
        return bare.text == whole.text
    match bare:
        case Binary(op="/" | ">>", left=left, right=right):
            value = integer_value(right)
            return value is not None and value >= 0 and _is_part_of(left, whole)
        case Binary(op="-", left=left, right=right):
            value = integer_value(right)
            return value is not None and value >= 0 and _is_part_of(left, whole)
        case _:
            return False


def _assigned_in(loop: Stmt, symbol: Symbol) -> bool:
    body = loop.body if isinstance(loop, For) else loop
    return any(
        isinstance(node, (Assign, Unary))
        and isinstance(target := node.target if isinstance(node, Assign) else node.operand, VarRef)
        and target.symbol == symbol
        and (isinstance(node, Assign) or node.op in ("++", "--", "&"))
        for node in walk(body)
    )
