"""What conditions between constants come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from g2o.ir.expressions import Binary, Expr, Unary, integer_value, strip_parens
from g2o.ir.types import TypeKind

_COMPARISONS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def truth(condition: Expr) -> bool | None:
    """Whether a condition holds, which integer constants decide; None where they do not."""
    bare = strip_parens(condition)
    match bare:
        case Unary(op="!", operand=operand):
            holds = truth(operand)
            return None if holds is None else not holds
        case Binary(op="&&" | "||" as op, left=left, right=right):
            first = truth(left)
            if first is (op == "||"):
                return first  # what stands behind is not evaluated
            return None if first is None else truth(right)
        case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
            one, other = integer_value(left), integer_value(right)
            if one is None or other is None:
                return None
            if min(one, other) < 0 and (_is_unsigned(left) or _is_unsigned(right)):
                return None  # below zero is large
            return _COMPARISONS[op](one, other)
        case _:
            value = integer_value(bare)
            return None if value is None else value != 0


def _is_unsigned(expr: Expr) -> bool:
    return expr.type.kind is TypeKind.INTEGER and not expr.type.is_signed
