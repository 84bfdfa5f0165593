"""Loops over threads for an interval that is a single condition.

if (t < s)                     for (int t = 0; t < s; ++t)
    buf[t] += buf[t + s];  ->      buf[t] += buf[t + s];
if (t == 0)
    out[b] = buf[0];       ->  out[b] = buf[0];
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.natural_values import stores_of, written_otherwise
from g2o.ir.directives import simd_where
from g2o.ir.expressions import (
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
    If,
    Jump,
    Return,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, CType, TypeKind, common_spelling
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
        if _within_block(limit, extent, items, self.group.context.effects):
            return bound_for(ctype, limit)
        compared = common_spelling(limit.type, ctype)
        if compared == "int" and limit.type.spelling.removeprefix("const ") == "int":
            return Code(("std::min(", limit, ", ", bound_for(ctype, extent), ")"), type=INT)
        least = Code((f"std::min<{compared}>(", limit, ", ", extent, ")"), type=ctype)
        signed = compared in ("int", "long long")
        return bound_for(ctype, replace(least, type=replace(ctype, is_signed=signed)))


def _within_block(limit: Expr, extent: Expr, items: list[Item], effects: EffectsOf) -> bool:
    """Is the limit known never to exceed the number of threads?"""
    bare = strip_parens(limit)
    if not isinstance(bare, VarRef):
        return _is_part_of(bare, extent, INT, frozenset())
    return bare.symbol in _never_above(extent, items, effects)


def _never_above(extent: Expr, items: list[Item], effects: EffectsOf) -> Set[Symbol]:
    """The variables that are never more than `extent`, by induction over what is stored to them.

    for (int s = blockDim.x / 2; s > 0; s >>= 1)

    int size = blockDim.x;
    while (size > 1) {
        int half = size / 2;
        ...
        size = half;
    }
    """
    nodes = [node for statement in statements_in(items) for node in walk(statement)]
    stores: dict[Symbol, list[Expr]] = {}
    for node in nodes:
        for symbol, value in stores_of(node):
            stores.setdefault(symbol, []).append(value)
    own = {v.symbol for node in nodes if isinstance(node, Declare) for v in node.variables}
    found = {symbol for symbol in own & set(stores) if symbol.type.kind is TypeKind.INTEGER}
    for node in nodes if found else ():
        found -= written_otherwise(node, effects) - {symbol for symbol, _ in stores_of(node)}
    while True:
        kept = {
            symbol
            for symbol in found
            if all(_is_part_of(value, extent, symbol.type, found) for value in stores[symbol])
        }
        if kept == found:
            return found
        found = kept


def _is_part_of(expr: Expr, whole: Expr, ctype: CType, found: Set[Symbol]) -> bool:
    """Is `expr`, as a number of the type, never more than `whole`, which is more than 0, where none
    of `found` is? What is negative as a signed number is large as an unsigned one."""
    bare, extent = strip_parens(expr), strip_parens(whole)
    value, most = integer_value(bare), integer_value(extent)
    if value is not None:
        return (value >= 0 or ctype.is_signed) and value <= (1 if most is None else most)
    if bare == extent:
        return True
    match bare:
        case Literal(text=text):
            return isinstance(extent, Literal) and text == extent.text
        case VarRef(symbol=symbol):
            return symbol in found and (ctype.is_signed or not symbol.type.is_signed)
        case Binary(op="/" | ">>", left=left, right=right):
            by = integer_value(right)
            return by is not None and by >= 0 and _is_part_of(left, whole, ctype, found)
        case Binary(op="-", left=left, right=right):
            less = integer_value(right)
            positive = less == 1 and strip_parens(left) == extent
            fits = less is not None and less >= 0 and ctype.is_signed and left.type.is_signed
            return (positive or fits) and _is_part_of(left, whole, ctype, found)
        case _:
            return False
