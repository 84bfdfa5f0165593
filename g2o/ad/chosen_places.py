"""Members and elements of something that a condition chooses, as a choice of members and elements.

    (c ? a : b).x = v;     ->     (c ? a.x : b.x) = v;
    (c ? p : q)[i] = v;    ->     (c ? p[i] : q[i]) = v;

Each of them is a place whose variable can be seen.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Conditional, Expr, Form, Index, Member, Unary, strip_parens
from g2o.ir.statements import Block, Node
from g2o.ir.traverse import children, rewrite, with_children


def with_chosen_places(body: Block) -> Block:
    """`body` with choices outside of the places that they choose."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, (Member, Index, Unary)):
            return None
        new = _outside(node)
        return None if new is node else new

    return rewrite(body, replacement)


def _outside(expr: Expr) -> Expr:
    match expr:
        case Member(base=base) | Index(base=base) | Unary(op="*", operand=base):
            inner = _outside(strip_parens(base))
        case _:
            return expr
    if not isinstance(inner, Conditional):
        return expr

    def of(place: Expr) -> Expr:
        parts = (place, *children(expr)[1:])
        return _outside(replace(with_children(expr, parts), form=Form.BUILT, span=None))

    return Conditional(inner.condition, of(inner.if_true), of(inner.if_false), expr.type)
