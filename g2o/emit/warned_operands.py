"""Parentheses that compilers ask for, around operands that bind as they should without them.

    x[i + 1 << 2] = a & 3 | b   ->   x[(i + 1) << 2] = (a & 3) | b

nvcc does not warn of these in code for the device. What `g++ -Wparentheses` warns of is what
`warn_about_parentheses` of its c-family/c-warn.cc lists; clang's list is shorter.
"""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import Binary, Expr, Form, Paren, Unary
from g2o.ir.statements import Stmt
from g2o.ir.traverse import Node, rewrite, with_children

_SUMS: Final = frozenset("+-")
_ORDERS: Final = frozenset(("<", "<=", ">", ">="))
_COMPARISONS: Final = _ORDERS | {"==", "!="}
_WARNED: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("<<", ">>"), _SUMS),
    "&": _SUMS | _COMPARISONS,
    "^": _SUMS | _COMPARISONS | {"&"},
    "|": _SUMS | _COMPARISONS | {"&", "^"},
    "||": frozenset(("&&",)),
    **dict.fromkeys(("==", "!="), _COMPARISONS),
    **dict.fromkeys(_ORDERS, _ORDERS),
}
"""By operator: those that its operands are not to have in the open."""
_NEGATED: Final = _COMPARISONS | {"&", "|"}
"""Operators whose left operand is not to begin with `!`."""


def with_warned_operands(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements as compilers have nothing against them. Text of macros stays as it is."""
    return tuple(rewrite(statement, _enclosed) for statement in statements)


def _enclosed(node: Node) -> Node | None:
    if not isinstance(node, Binary):
        return None
    left, right = rewrite(node.left, _enclosed), rewrite(node.right, _enclosed)
    if _is_warned(left, node.op) or (
        isinstance(left, Unary) and left.op == "!" and node.op in _NEGATED
    ):
        left = _in_parentheses(left)
    if _is_warned(right, node.op):
        right = _in_parentheses(right)
    if left is node.left and right is node.right:
        return node
    return with_children(node, (left, right))


def _is_warned(operand: Expr, op: str) -> bool:
    return isinstance(operand, Binary) and operand.op in _WARNED.get(op, ())


def _in_parentheses(operand: Expr) -> Expr:
    span = operand.span
    if span is not None and span.is_expanded:
        return operand
    return Paren(operand, operand.type, span=span, form=Form.BUILT)
