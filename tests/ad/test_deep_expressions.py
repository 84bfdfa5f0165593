"""Rewriting a derivative takes no longer than its expressions are deep."""

from __future__ import annotations

from g2o.ad.halves import with_halves_as_floats
from g2o.ir.expressions import Binary, Expr, Literal
from g2o.ir.types import FLOAT

_DEPTH = 200


def test_a_deep_sum_is_seen_once_a_level() -> None:
    """Each level of a chain was rewritten twice: 2 to the power of its depth visits."""
    one: Expr = Literal("1.0f", None, FLOAT)
    total = one
    for _ in range(_DEPTH):
        total = Binary("+", total, one, FLOAT)
    assert with_halves_as_floats(total) is total
