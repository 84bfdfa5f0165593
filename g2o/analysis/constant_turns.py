"""Loops of which the text says what their counter is in every turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from g2o.ir.expressions import Assign, Binary, Expr, Unary, VarRef, integer_value, strip_parens
from g2o.ir.statements import Declare, For
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind

_MOST: Final = 128
"""Turns of a loop whose counter is multiplied or divided: more than a number has bits."""


class Turns(NamedTuple):
    """The counter of a loop, and its values in the order of the turns."""

    counter: Symbol
    values: Sequence[int]


def constant_turns(loop: For) -> Turns | None:
    """The turns of `for (int q = 0; q < 9; ++q)`, `for (int q = 8; q >= 0; --q)` or
    `for (int q = 16; q > 0; q /= 2)`, if the body leaves the counter alone and the loop ends by its
    condition; None where they are not constant.
    """
    match loop:
        case For(initial=Declare(variables=(variable,))) if variable.initial is not None:
            counter, start = variable.symbol, integer_value(variable.initial)
        case _:
            return None
    asked = _asked(loop.condition, counter)
    if start is None or asked is None or loop.increment is None:
        return None
    op, limit, has_no_sign = asked
    if has_no_sign and min(start, limit) < 0:
        return None  # it is a large number there
    step = _step(loop.increment, counter)
    if step is None:
        advanced = _advanced(loop.increment, counter)
        return None if advanced is None else _followed(counter, start, op, limit, advanced)
    if not step or op == "!=" or (step > 0) != (op in ("<", "<=")):
        return None
    values = range(start, limit + (step > 0) - (step < 0) if "=" in op else limit, step)
    ends = (*values[:1], *values[-1:], values[-1] + step) if values else (start,)
    if not all(_holds(counter.type, value) for value in ends) or (has_no_sign and min(ends) < 0):
        return None
    return Turns(counter, values)


def _asked(condition: Expr | None, counter: Symbol) -> tuple[str, int, bool] | None:
    """How the counter compares with which number while the loop goes on, and whether that is done
    without signs."""
    match condition:
        case VarRef(symbol=symbol) if symbol == counter:
            return "!=", 0, False
        case Binary(op="<" | "<=" | ">" | ">=" | "!=" as op, left=VarRef(symbol=symbol), right=end):
            limit = integer_value(end)
            has_no_sign = any(
                not one.is_signed and one.bits >= 32 for one in (symbol.type, end.type)
            )
            return None if symbol != counter or limit is None else (op, limit, has_no_sign)
        case _:
            return None


def _step(increment: Expr, counter: Symbol) -> int | None:
    match increment:
        case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol)) if symbol == counter:
            return 1 if op == "++" else -1
        case Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=value) if (
            symbol == counter
        ):
            step = integer_value(value)
            return step if step is None or op == "+=" else -step
        case _:
            return None


def _advanced(increment: Expr, counter: Symbol) -> Callable[[int], int] | None:
    """What a multiplication or division by a number makes of a counter that is not negative."""
    match increment:
        case Assign(op=op, target=VarRef(symbol=symbol), value=value) if symbol == counter:
            if op == "=":
                value = strip_parens(value)
                if not isinstance(value, Binary) or strip_parens(value.left) != VarRef(counter):
                    return None
                op, value = f"{value.op}=", value.right
        case _:
            return None
    by = integer_value(value)
    if by is None or by <= 0 or (op in ("<<=", ">>=") and by >= _MOST):
        return None
    match op:
        case "*=":
            return lambda value: value * by
        case "/=":
            return lambda value: value // by
        case "<<=":
            return lambda value: value << by
        case ">>=":
            return lambda value: value >> by
        case _:
            return None


def _followed(
    counter: Symbol, start: int, op: str, limit: int, advanced: Callable[[int], int]
) -> Turns | None:
    """The turns one by one; None where there are too many, or none is the last."""
    values: list[int] = []
    value = start
    while _compares(value, op, limit):
        values.append(value)
        value = advanced(value)
        if len(values) > _MOST or value < 0 or not _holds(counter.type, value):
            return None
    return Turns(counter, values) if start >= 0 and _holds(counter.type, start) else None


def _compares(value: int, op: str, limit: int) -> bool:
    match op:
        case "<":
            return value < limit
        case "<=":
            return value <= limit
        case ">":
            return value > limit
        case ">=":
            return value >= limit
        case _:
            return value != limit


def _holds(ctype: CType, value: int) -> bool:
    """Can a variable of this type be so large or small?"""
    if ctype.kind is not TypeKind.INTEGER:
        return False
    if ctype.is_signed:
        return -(1 << (ctype.bits - 1)) <= value < 1 << (ctype.bits - 1)
    return 0 <= value < 1 << ctype.bits
