"""What an expression does before one of its calls, when that call becomes statements in front.

    v = (k = 5, f(k));    ->    k = 5;
                                ... f ...
                                v = f_result;

Operands of most operators have no order, so that a call of one may come first. It may not where
another one decides whether it is made at all, or comes before it for certain.
"""

from __future__ import annotations

from g2o.analysis.effects import EffectsOf
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Call, Conditional, Expr, InitList
from g2o.ir.statements import Node, Stmt
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, walk


def check_always_evaluated(expr: Expr, call: Call, statement: Stmt, effects: EffectsOf) -> None:
    """Raises Refusal for a call that may not be made, or not before all that stands in front."""
    for node in walk(expr):
        if isinstance(node, InitList):
            _check_order(node.elements, call, statement, effects)
        if any(_holds(part, call) for part in _conditional(node)):
            message = f"call of '{call.name}' that is evaluated under a condition"
            raise refuse("G2O0210", message, call.span or statement.span)


def may_be_left_out(expr: Expr, call: Call) -> bool:
    """Does another part of `expr` decide whether the call in it is made?"""
    return any(_holds(part, call) for node in walk(expr) for part in _conditional(node))


def _conditional(node: Node) -> tuple[Node, ...]:
    """The parts of an operation that are evaluated under a condition."""
    match node:
        case Conditional(if_true=if_true, if_false=if_false):
            return (if_true, if_false)
        case Binary(op="&&" | "||", right=right):
            return (right,)
        case _:
            return ()


def done_before(expr: Expr, call: Call) -> Binary | None:
    """The outermost `a, b` with the call in `b`."""
    for node in walk(expr):
        if isinstance(node, Binary) and node.op == "," and _holds(node.right, call):
            return node
    return None


def without_left(expr: Expr, comma: Binary) -> Expr:
    return rewrite(expr, lambda node: comma.right if node is comma else None)


def check_list_order(expr: Expr, call: Call, effects: EffectsOf) -> None:
    """Raises Refusal for an operation between threads behind an element of a list in braces that
    changes something: it would come first."""
    for node in walk(expr):
        if not isinstance(node, InitList):
            continue
        place = next((n for n, element in enumerate(node.elements) if _holds(element, call)), 0)
        if not all(map(effects.is_pure, node.elements[:place])):
            message = f"'{call.name}' behind an element that changes something"
            raise refuse("G2O0205", message, call.span)


def _check_order(
    elements: tuple[Expr, ...], call: Call, statement: Stmt, effects: EffectsOf
) -> None:
    """The elements of a list in braces are evaluated from left to right."""
    place = next((n for n, element in enumerate(elements) if _holds(element, call)), 0)
    earlier = elements[:place]
    if not all(map(effects.is_pure, earlier)):
        message = f"call of '{call.name}' behind an element that changes something"
        raise refuse("G2O0210", message, call.span or statement.span)
    done, read = effects.of(call), effects.of_all(earlier)
    behind = {one for one in read.memory_reads if one is None or one.storage is not Storage.LOCAL}
    if done.writes & read.reads or (done.memory_writes and behind):
        message = f"call of '{call.name}' behind an element that reads what it may change"
        raise refuse("G2O0210", message, call.span or statement.span)


def _holds(node: Node, call: Call) -> bool:
    return any(inner is call for inner in walk(node))
