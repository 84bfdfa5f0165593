"""Numbers that are finite whatever the variables are: literals, whole numbers, what they make.

height - 1.          is below 2^31 + 1 where `height` is an int
0.5f * (n + 1)       below 2^31
"""

from __future__ import annotations

import re
from typing import Final

from g2o.ir.expressions import Binary, Cast, Conditional, Expr, Literal, Paren, Unary
from g2o.ir.types import CType, TypeKind

_DECIMAL: Final = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlL]?")
_LARGEST: Final = {32: 3.0e38, 64: 1.0e308}
"""What numbers of so many bits surely hold."""


def largest_magnitude(expr: Expr) -> float | None:
    """A number that the value's magnitude is never above; None where it may be an infinity or no
    number at all."""
    if expr.type.kind is TypeKind.INTEGER:
        return 2.0**expr.type.bits if expr.type.bits else None
    match expr:
        case Paren(inner=inner) | Unary(op="-" | "+", operand=inner):
            return largest_magnitude(inner)
        case Cast(operand=inner, type=ctype):
            return _held(largest_magnitude(inner), ctype)
        case Literal(text=text) if _DECIMAL.fullmatch(text):
            return float(text.rstrip("fFlL"))
        case Conditional(if_true=one, if_false=other):
            return _sum(largest_magnitude(one), largest_magnitude(other))
        case Binary(op="+" | "-" | "*" as op, left=left, right=right, type=ctype):
            one, other = largest_magnitude(left), largest_magnitude(right)
            if op != "*":
                return _held(_sum(one, other), ctype)
            return None if one is None or other is None else _held(one * other, ctype)
        case _:
            return None


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _held(value: float | None, ctype: CType) -> float | None:
    """The magnitude where the type holds it."""
    if value is None or ctype.kind is not TypeKind.FLOATING:
        return None
    largest = _LARGEST.get(ctype.bits or 0)
    return value if largest is not None and value < largest else None
