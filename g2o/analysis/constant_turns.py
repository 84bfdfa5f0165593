"""Loops of which the text says what their counter is in every turn."""

from __future__ import annotations

from typing import NamedTuple

from g2o.ir.expressions import Assign, Binary, Expr, Unary, VarRef, integer_value
from g2o.ir.statements import Declare, For
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind


class Turns(NamedTuple):
    """The counter of a loop, and its values in the order of the turns."""

    counter: Symbol
    values: range


def constant_turns(loop: For) -> Turns | None:
    """The turns of `for (int q = 0; q < 9; ++q)` or `for (int q = 8; q >= 0; --q)`, if the body
    leaves the counter alone and the loop ends by its condition; None where they are not constant.
    """
    match loop:
        case For(
            initial=Declare(variables=(variable,)),
            condition=Binary(
                op="<" | "<=" | ">" | ">=" as op, left=VarRef(symbol=asked), right=end
            ),
        ) if variable.initial is not None and asked == variable.symbol:
            pass
        case _:
            return None
    start, limit = integer_value(variable.initial), integer_value(end)
    step = None if loop.increment is None else _step(loop.increment, asked)
    if start is None or limit is None or not step or (step > 0) != (op in ("<", "<=")):
        return None
    values = range(start, limit + (step > 0) - (step < 0) if "=" in op else limit, step)
    ends = (*values[:1], *values[-1:], values[-1] + step) if values else (start,)
    if not all(_holds(asked.type, value) for value in ends):
        return None
    return Turns(asked, values)


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


def _holds(ctype: CType, value: int) -> bool:
    """Can a variable of this type be so large or small?"""
    if ctype.kind is not TypeKind.INTEGER:
        return False
    if ctype.is_signed:
        return -(1 << (ctype.bits - 1)) <= value < 1 << (ctype.bits - 1)
    return 0 <= value < 1 << ctype.bits
