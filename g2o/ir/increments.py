"""Additions to shadows that differentiation makes, atomic until they are known not to need that."""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import Assign, Call, Expr, Form, Literal, Unary, strip_parens
from g2o.ir.statements import ExprStatement, Node

_ADDITIONS: Final = ("atomicAdd", "atomicAdd_block")


def is_increment(node: Node) -> bool:
    """Did differentiation make this atomic addition?"""
    if not isinstance(node, Call) or node.name not in _ADDITIONS or node.span is not None:
        return False
    return isinstance(node.callee, Literal) and node.form is Form.BUILT


def reason(why: str) -> str:
    """The comment that says why an addition is atomic."""
    return f"// Atomic: {why}."


def is_reason(comment: str) -> bool:
    """Is it such a comment?"""
    return comment.startswith("// Atomic: ")


def place_of(call: Call) -> Expr:
    """The element that an atomic addition adds to."""
    inner = strip_parens(call.arguments[0])
    if isinstance(inner, Unary) and inner.op == "&":
        return inner.operand
    return Unary("*", inner, type=call.type)


def plain(call: Call) -> ExprStatement:
    """The same addition, where nothing can come between its parts."""
    place, value = place_of(call), call.arguments[1]
    if isinstance(value, Unary) and value.op == "-":
        return ExprStatement(Assign("-=", place, strip_parens(value.operand), call.type))
    return ExprStatement(Assign("+=", place, value, call.type))
