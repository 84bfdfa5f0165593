"""What CUB's operations in kernels are built from: loops over the items of a thread, arrays in
shared memory, barriers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    is_primary,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, UNSIGNED, VOID, CType, TypeKind

ZERO: Final = Literal("0", 0, INT)
ONE: Final = Literal("1", 1, INT)
_EXTENT: Final = re.compile(r"\[([^\[\]]+)\]$")


def number(text: str) -> Literal:
    """A constant as the source spells it."""
    if text.isdecimal():
        return Literal(text, int(text), INT)
    return Literal(text if re.fullmatch(r"[\w:]+", text) else f"({text})", None, INT)


def plus(left: Expr, right: Expr) -> Expr:
    return left if right == ZERO else Binary("+", left, right, left.type)


def times(left: Expr, right: Expr) -> Expr:
    left, right = (one if is_primary(one) or isinstance(one, LaunchRef) else Paren(one, one.type)
                   for one in (left, right))  # fmt: skip
    return left if right == ONE else Binary("*", left, right, left.type)


def product(factors: Sequence[Expr]) -> Expr:
    whole = factors[0]
    for factor in factors[1:]:
        whole = times(whole, factor)
    return whole


def threads_of_block(extents: Sequence[str]) -> Expr:
    """How many threads a block with so many axes has, by what it is launched with: the sizes that a
    template is given may be known nowhere else."""
    return product([LaunchRef(Builtin.BLOCK_DIM, axis, UNSIGNED) for axis in range(len(extents))])


def rank_in_block(extents: Sequence[str]) -> Expr:
    """The position of the thread in a block with so many axes."""
    rank: Expr | None = None
    for axis in reversed(range(len(extents))):
        own = LaunchRef(Builtin.THREAD_INDEX, axis, UNSIGNED)
        size = LaunchRef(Builtin.BLOCK_DIM, axis, UNSIGNED)
        rank = own if rank is None else plus(times(rank, size), own)
    assert rank is not None
    return rank


def element(spelling: str, like: CType) -> CType:
    """The type with this spelling, whose values are numbers like those of another."""
    return CType(spelling, like.kind, like.bits, like.is_signed, fields=like.fields)


@final
@dataclass(frozen=True, slots=True)
class Shared:
    """An array in shared memory with elements of a type."""

    declared: Declare
    symbol: Symbol
    type: CType

    def at(self, index: Expr) -> Index:
        return Index(VarRef(self.symbol), index, self.type)

    def behind(self, index: Expr) -> Index:
        return self.at(Binary("+", index, ONE, index.type))


def shared_array(
    wish: str, ctype: CType, extents: Sequence[str], symbols: SymbolTable, more: int = 0
) -> Shared:
    """`__shared__ T wish[X * Y + more];`"""
    array = CType(f"{ctype.spelling}[]", TypeKind.ARRAY, element=ctype)
    memory = symbols.fresh(wish, array, Storage.SHARED)
    factors = [number(one) for one in extents]
    text = " * ".join(one.text for one in factors)
    whole = product(factors)
    if more:
        text += f" + {more}"
        whole = Binary("+", whole, Literal(str(more), more, INT), INT)
    variable = Variable(memory, f"{ctype.spelling} ", f"[{text}]", extents=(whole,))
    return Shared(Declare((variable,)), memory, ctype)


def counting(
    count: Expr, body: Callable[[Expr], Sequence[Stmt]], symbols: SymbolTable, start: Expr = ZERO
) -> For:
    """`for (int i = start; i < count; ++i) body(i)`"""
    index = symbols.fresh("i", INT, Storage.LOCAL)
    i = VarRef(index)
    first = Declare((Variable(index, "int ", "", start, "="),))
    condition = Binary("<", i, count, BOOL)
    return For(first, condition, Unary("++", i, False, INT), Block(tuple(body(i))))


def item_count(items: Expr) -> str | None:
    """How many elements an array has, as spelled; None for what is no array."""
    ctype = value_type(items)
    if ctype.kind is not TypeKind.ARRAY:
        return None
    spelled = _EXTENT.search(ctype.spelling)
    if ctype.extent is not None:
        return str(ctype.extent)
    return None if spelled is None else spelled[1].strip()


def item(items: Expr, index: Expr) -> Index:
    inner = value_type(items).element
    return Index(items, index, inner if inner is not None else items.type)


def without_effect(expr: Expr) -> Expr:
    """The expression, which is going to be evaluated more than once. Raises Refusal where that
    would show."""
    for node in walk(expr):
        if isinstance(node, (Assign, Call)) or (isinstance(node, Unary) and node.is_update):
            message = "argument of a cub operation that is no plain value"
            raise refuse("G2O0205", message, expr.span)
    return expr


def as_int(expr: Expr) -> Expr:
    """What a parameter of type int makes of it."""
    return expr if value_type(expr) == INT else Cast(expr, INT)


def assign(target: Expr, value: Expr, op: str = "=") -> ExprStatement:
    return ExprStatement(Assign(op, target, value, target.type))


def barrier() -> ExprStatement:
    name = "__syncthreads"
    return ExprStatement(Call(name, Literal(name), (), is_cuda=True, type=VOID))
