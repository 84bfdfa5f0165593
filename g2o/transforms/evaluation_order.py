"""What an expression does before one of its calls, when that call becomes statements in front.

    v = (k = 5, f(k));    ->    k = 5;
                                ... f ...
                                v = f_result;

Operands of most operators have no order, so that a call of one may come first. It may not where
another one decides whether it is made at all, or comes before it for certain.
"""

from __future__ import annotations

from collections.abc import Callable

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Call, Conditional, Expr, InitList
from g2o.ir.statements import Node, Stmt
from g2o.ir.traverse import walk


def check_always_evaluated(
    expr: Expr, call: Call, statement: Stmt, is_pure: Callable[[Node], bool]
) -> None:
    """Raises Refusal for a call that may not be made, or not before all that stands in front."""
    for node in walk(expr):
        conditional: tuple[Node, ...] = ()
        match node:
            case Conditional(if_true=if_true, if_false=if_false):
                conditional = (if_true, if_false)
            case Binary(op="&&" | "||", right=right):
                conditional = (right,)
            case InitList(elements=elements):
                _check_order(elements, call, statement, is_pure)
            case _:
                pass
        if any(_holds(part, call) for part in conditional):
            message = f"call of '{call.name}' that is evaluated under a condition"
            raise refuse("G2O0210", message, call.span or statement.span)


def done_before(expr: Expr, call: Call) -> Binary | None:
    """The outermost `a, b` with the call in `b`."""
    for node in walk(expr):
        if isinstance(node, Binary) and node.op == "," and _holds(node.right, call):
            return node
    return None


def _check_order(
    elements: tuple[Expr, ...], call: Call, statement: Stmt, is_pure: Callable[[Node], bool]
) -> None:
    """The elements of a list in braces are evaluated from left to right."""
    place = next((n for n, element in enumerate(elements) if _holds(element, call)), 0)
    if not all(map(is_pure, elements[:place])):
        message = f"call of '{call.name}' behind an element that changes something"
        raise refuse("G2O0210", message, call.span or statement.span)


def _holds(node: Node, call: Call) -> bool:
    return any(inner is call for inner in walk(node))
