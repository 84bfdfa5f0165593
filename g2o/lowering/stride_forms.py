"""The parts of loops in which threads share out a range, and whether they fit together.

for (int i = first + t; i < n; i += threads)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from g2o.analysis.effect_sets import Effects
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Literal,
    Member,
    Paren,
    VarRef,
    integer_value,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT

FROM_ZERO: Final = Literal("0", 0, INT)
_WARP: Final = 32
_SUMS: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED, Storage.BLOCK)


def are_all(stride: Expr, upper: Expr) -> bool:
    """Is the stride the number of threads? Lanes of a warp may be written as a number."""
    match upper:
        case Code(parts=("g2o::warp_size",)):
            return integer_value(stride) == _WARP or is_same(stride, upper)
        case _:
            return is_same(stride, upper)


def only_sums(body: Effects) -> bool:
    """Is what it writes nothing but variables of the block?"""
    kinds = {None if one is None else one.storage for one in body.memory_writes}
    return bool(kinds) and kinds <= {*_SUMS}


def start_of(
    initial: Expr, thread: Symbol, positions: Mapping[Symbol, Expr] | None = None
) -> Expr | None:
    """The start of the whole range where a thread starts at `initial`: that without the thread.
    `positions` are other indices of the thread, by means of it."""
    bare = bare_number(initial)
    if isinstance(bare, VarRef):
        if bare.symbol == thread:
            return FROM_ZERO
        position = (positions or {}).get(bare.symbol)
        return None if position is None else start_of(position, thread, positions)
    if not isinstance(bare, Binary) or bare.op != "+":
        return None
    for one, other in ((bare.left, bare.right), (bare.right, bare.left)):
        rest = start_of(one, thread, positions)
        if rest is None:
            continue
        if rest == FROM_ZERO:
            return other
        inner = bare_number(one).type
        if inner.is_signed or inner.bits == bare.type.bits:  # else it has wrapped around before
            return Binary("+", rest, other, bare.type)
    return None


def bare_number(expr: Expr) -> Expr:
    """`expr` without parentheses and conversions between integers that hold any index."""
    while True:
        match expr:
            case Paren(inner=inner):
                expr = inner
            case Cast(operand=operand, type=ctype) if ctype.bits >= 32:
                expr = operand
            case Code(parts=("unsigned(" | "int(" | "(", inner, ")")) if not isinstance(inner, str):
                expr = inner
            case Code(parts=(inner,)) if not isinstance(inner, str):
                expr = inner
            case _:
                return expr


def is_same(one: Expr, other: Expr) -> bool:
    """Are these the same number, up to conversions?"""
    match bare_number(one), bare_number(other):
        case Literal(value=value) as literal, Literal(value=other_value) as other_literal:
            if _spelled(literal) == _spelled(other_literal):
                return True
            return value is not None and value == other_value
        case VarRef(symbol=symbol), VarRef(symbol=other_symbol):
            return symbol == other_symbol
        case (
            Member(base=base, name=name, arrow=False),
            Member(base=other_base, name=other_name, arrow=False),
        ):
            return name == other_name and is_same(base, other_base)
        case Code(parts=(str() as text,)), Code(parts=(str() as other_text,)):
            return text == other_text
        case _:
            return False


def _spelled(literal: Literal) -> str:
    """As the source has it: a macro that conditions define is a number here, and its name there."""
    return literal.text if literal.span is None else literal.span.text
