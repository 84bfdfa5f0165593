"""Values of integer constants as a program spells them: `BM * BN / (TM * TN)`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

_LARGEST: Final = 2**31 - 1
_MOST_BITS: Final = 32

Known = Callable[[str], int | None]
"""The value that a name stands for, where there is one."""


def number_of(text: str, known: Known) -> int | None:
    """The value of an expression, if all that it is made of fits an `int` and is not negative."""
    if text.isdecimal():
        return int(text)
    if text.isidentifier():
        return known(text)
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, known)
    except (SyntaxError, ArithmeticError, ValueError):
        return None


def _value(node: ast.expr, known: Known) -> int | None:
    match node:
        case ast.Constant(value=int(number)):
            value: int | None = number
        case ast.Name(id=name):
            value = known(name)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _value(left, known), _value(right, known)
            if first is None or second is None:
                return None
            value = _combined(op, first, second)
        case _:
            return None
    return value if value is not None and 0 <= value <= _LARGEST else None


def _combined(op: ast.operator, left: int, right: int) -> int | None:
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left // right
        case ast.Mod():
            return left % right
        case ast.LShift() if right < _MOST_BITS:
            return left << right
        case ast.RShift() if right < _MOST_BITS:
            return left >> right
        case _:
            return None
