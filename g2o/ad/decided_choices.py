"""Choices between numbers that are known, as what they choose.

    const double seed = (1) == 0 ? d_x[i] : d_y[i];      ->    const double seed = d_y[i];
    if ((0) == 0) d_x[i] += seed; else d_y[i] += seed;         d_x[i] += seed;

A pointer that leads to several arrays has become a number; where the reverse sweep knows it, one
array is left, whose elements can be told apart.
"""

from __future__ import annotations

from g2o.analysis.effects import statements_of
from g2o.ir.expressions import Binary, Conditional, Expr, Literal, strip_parens
from g2o.ir.statements import Block, If, Node, Stmt
from g2o.ir.traverse import rewrite


def with_decided_choices(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`statements` without choices whose condition compares literals."""
    result: list[Stmt] = []
    for statement in statements:
        known = _decided(statement.condition) if isinstance(statement, If) else None
        if isinstance(statement, If) and known is not None:
            branch = statement.then if known else statement.otherwise
            inner = () if branch is None else statements_of(branch)
            result.extend(with_decided_choices(inner))
        else:
            result.append(rewrite(statement, _replacement))
    return tuple(result)


def _replacement(node: Node) -> Node | None:
    match node:
        case Block(statements=statements):
            new = with_decided_choices(statements)
            same = len(new) == len(statements)
            if same and all(a is b for a, b in zip(new, statements, strict=True)):
                return node
            return Block(new, trivia=node.trivia, span=node.span)
        case Conditional(condition=condition, if_true=if_true, if_false=if_false):
            known = _decided(condition)
            if known is None:
                return None
            return rewrite(if_true if known else if_false, _replacement)
        case _:
            return None


def _decided(condition: Expr) -> bool | None:
    match strip_parens(condition):
        case Binary(op="==", left=left, right=right):
            first, second = strip_parens(left), strip_parens(right)
        case _:
            return None
    if not isinstance(first, Literal) or not isinstance(second, Literal):
        return None
    if first.value is None or second.value is None:
        return None
    return first.value == second.value
