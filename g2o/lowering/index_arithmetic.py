"""Arithmetic with the index of a loop over threads: what is added to it, and bounds of that."""

from __future__ import annotations

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import substitute

_ZERO = Literal("0", 0, INT)
_ONE = Literal("1", 1, INT)


def difference(limit: Expr, offset: Expr) -> Expr:
    if integer_value(offset) == 0:
        return limit
    if integer_value(limit) == 0:
        operand = offset if isinstance(offset, VarRef) else Paren(offset, INT)
        return Unary("-", operand, type=INT)
    amount, value = _plain_value(offset), _plain_value(limit)
    if amount is not None and value is not None:
        return Literal(str(value - amount), value - amount, INT)
    match limit:
        case Binary(op="+", left=left, right=right) if amount is not None:
            rest = _plain_value(right)
            if rest is not None and rest >= amount:
                more = Literal(str(rest - amount), rest - amount, INT)
                return Binary("+", left, more, INT) if more.value else strip_parens(left)
        case _:
            pass
    return Binary("-", limit, offset, INT)


def _plain_value(number: Expr) -> int | None:
    """The value of a number that is spelled by its digits."""
    match strip_parens(number):
        case Literal(text=text, value=value) if text.isdigit():
            return value
        case _:
            return None


def clamped(limit: Expr, offset: Expr) -> Expr:
    """The difference, or the number next to it that an `int` holds: it is compared with indices."""
    if integer_value(offset) == 0:
        return limit
    return Code(("g2o::difference(", limit, ", ", offset, ")"), type=INT)


def next_number(limit: Expr) -> Expr:
    match limit:
        case Literal(text=text, value=int() as value) if text.isdigit():
            return Literal(str(value + 1), value + 1, INT)
        case Binary(op="-", left=left, right=right) if integer_value(right) == 1:
            return strip_parens(left)
        case Binary(op="-", left=left, right=Literal(text=text, value=int() as value)) if (
            value > 1 and text.isdigit()
        ):
            return Binary("-", left, Literal(str(value - 1), value - 1, INT), INT)
        case _:
            return Binary("+", limit, _ONE, INT)


def previous_number(extent: Expr) -> Expr:
    match extent:
        case Literal(text=text, value=int() as value) if text.isdigit():
            return Literal(str(value - 1), value - 1, INT)
        case _:
            return Binary("-", extent, _ONE, INT)


def may_trap(node: Node) -> bool:
    """Could it fail where no thread would have come to it?"""
    return bool(trapping(node))


def trapping(node: Node) -> list[Expr]:
    """The quotients in it that may be by 0."""
    return [
        one
        for one in walk(node)
        if isinstance(one, Binary)
        and one.op in ("/", "%")
        and one.type.kind is not TypeKind.FLOATING
        and not integer_value(one.right)
    ]


def plain_operand(expr: Expr) -> Expr:
    """What is converted to a type without a sign anyway."""
    match expr:
        case Cast(operand=inner) if inner.type.kind is TypeKind.INTEGER and inner.type.bits == 32:
            return inner
        case _:
            return expr


def expanded(expr: Expr, values: dict[Symbol, Expr]) -> Expr:
    result = substitute(expr, {symbol: Paren(value, INT) for symbol, value in values.items()})
    assert not isinstance(result, Stmt)
    return result


def without_index(expr: Expr, index: Symbol) -> Expr | None:
    """What is added to the index; None where it is used in any other way."""
    bare = strip_parens(expr)
    match bare:
        case VarRef(symbol=symbol):
            return _ZERO if symbol == index else None
        case Binary(op="+" | "-" as op, left=left, right=right):
            if index not in symbols_in(right):
                rest = without_index(left, index)
                if rest is None:
                    return None
                if integer_value(rest) == 0 and op == "+":
                    return strip_parens(right)
                return Binary(op, rest, right, INT)
            if op == "-" or index in symbols_in(left):
                return None
            rest = without_index(right, index)
            if rest is None:
                return None
            return _behind(strip_parens(left), rest)
        case _:
            return None


def _behind(left: Expr, rest: Expr) -> Expr:
    """Their sum: `n - 1` of `n` and `0 - 1`, which is what is left of `i - 1`."""
    first = rest
    while isinstance(first, Binary) and first.op in ("+", "-"):
        first = first.left
    if integer_value(first) != 0:
        return Binary("+", left, rest, INT)
    match rest:
        case Binary(op=op, left=inner, right=right):
            return Binary(op, _behind(left, inner), right, INT)
        case _:
            return left


def is_signed(expr: Expr) -> bool:
    """Is it computed in `int`?"""
    match expr:
        case Paren(inner=inner):
            return is_signed(inner)
        case Binary(op="+" | "-" | "*", left=left, right=right):
            return is_signed(left) and is_signed(right)
        case _:
            ctype = expr.type
            return ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits == 32


def is_int(symbol: Symbol) -> bool:
    ctype = symbol.type
    return ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits == 32


def is_unsigned(symbol: Symbol) -> bool:
    return is_without_sign(symbol.type)


def is_without_sign(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and not ctype.is_signed and ctype.bits == 32
