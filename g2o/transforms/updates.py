"""Updates of C that add: `t += value`, `t = value + t`, `t++`."""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Assign, Binary, Expr, Form, Literal, Unary, strip_parens
from g2o.ir.statements import ExprStatement, Stmt
from g2o.ir.types import INT
from g2o.transforms.shared_loops import atomic_addition


def added_atomically(node: ExprStatement) -> Stmt | None:
    """`place += value` as an addition that others make at the same time; None for other updates."""
    match node.expr:
        case Assign(op="+=" | "-=" as op, target=target, value=value):
            given = value if op == "+=" else Unary("-", value, type=target.type)
        case Unary(op="++" | "--" as op, operand=target):
            given = Literal("1" if op == "++" else "-1", 1 if op == "++" else -1, INT)
        case Assign(op="=", target=target) as assigned if (
            added := sum_of_update(assigned)
        ) is not None:
            op, value = added
            given = value if op == "+=" else Unary("-", value, type=target.type)
        case _:
            return None
    if not target.type.is_arithmetic:
        return None
    call = atomic_addition(target, given, node.span)
    return replace(node, expr=call, form=Form.BUILT)


def sum_of_update(assigned: Assign) -> tuple[str, Expr] | None:
    """The operator and the value of `t = t + value` as one that adds."""
    target = assigned.target
    match strip_parens(assigned.value):
        case Binary(op="+" | "-" as op, left=left, right=right) if strip_parens(left) == target:
            return f"{op}=", right
        case Binary(op="+", left=left, right=right) if strip_parens(right) == target:
            return "+=", left
        case _:
            return None
