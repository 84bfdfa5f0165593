"""C's functions that give memory, which nothing else leads to."""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import Call, Cast, Expr, strip_parens

ALLOCATING: Final = ("malloc", "calloc")


def is_allocation(value: Expr) -> bool:
    """Is it a call of one, converted or not?"""
    inner = strip_parens(value)
    inner = strip_parens(inner.operand) if isinstance(inner, Cast) else inner
    return isinstance(inner, Call) and inner.name in ALLOCATING
