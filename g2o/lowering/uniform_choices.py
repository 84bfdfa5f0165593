"""What all threads decide alike is decided apart from what each has of its own.

    int north = j == 0 ? c : c - n;        ->        int north = c - (j == 0 ? 0 : n);

Neighbours then have neighbouring numbers, which compilers see, and not one of two for each: an
access there is to elements beside each other. The numbers are the same, and nothing is computed
that was not.
"""

from __future__ import annotations

from collections.abc import Callable

from g2o.analysis.uniformity import Uniformity
from g2o.ir.expressions import (
    Binary,
    Conditional,
    Expr,
    Literal,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Node, Stmt
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, TypeKind

_ZERO = Literal("0", 0, INT)


def with_choices_apart(statement: Stmt, uniformity: Uniformity) -> Stmt:
    """`statement` with such choices between two sums of one varying number."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Conditional) or not uniformity.is_uniform(node.condition):
            return None
        return choice_apart(node, uniformity.is_uniform)

    return rewrite(statement, replacement)


def choice_apart(choice: Conditional, is_uniform: Callable[[Expr], bool]) -> Expr | None:
    """A choice between two sums of one varying number, whose condition is the same for all, as the
    number and what is chosen to be added; None for any other."""
    ctype = choice.type
    if ctype.kind is not TypeKind.INTEGER:
        return None
    start, op, added = _taken_apart(choice.if_true)
    begin, sign, amount = _taken_apart(choice.if_false)
    alike = is_uniform(added) and is_uniform(amount)
    same = start == begin and start.type == ctype and not is_uniform(start)
    if not (same and alike) or (added != _ZERO and amount != _ZERO and op != sign):
        return None
    chosen = Conditional(choice.condition, added, amount, amount.type)
    return Binary(sign if added == _ZERO else op, start, Paren(chosen, ctype), ctype)


def _taken_apart(number: Expr) -> tuple[Expr, str, Expr]:
    """A variable, and what is added to it or subtracted."""
    bare = strip_parens(number)
    match bare:
        case Binary(op="+" | "-" as op, left=left, right=amount) if amount.type == bare.type:
            start = strip_parens(left)
            return (start, op, amount) if isinstance(start, VarRef) else (bare, "+", _ZERO)
        case _:
            return bare, "+", _ZERO
