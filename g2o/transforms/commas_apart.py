"""Expressions that are statements, one behind the other.

free(c), free(d);    ->    free(c);
                           free(d);
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from g2o.ir.expressions import Binary, Form, comma_operands, strip_parens
from g2o.ir.statements import Block, ExprStatement, If, Node, Stmt
from g2o.ir.traverse import rewrite


def with_commas_apart(body: Block) -> Block:
    """`body` with a statement for each operand of a comma."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(map(_has_several, statements)):
                made = tuple(one for statement in statements for one in _apart(statement))
                return rewrite(replace(node, statements=made, form=Form.BUILT), replacement)
            case If(then=then, otherwise=otherwise) if _has_several(then) or (
                otherwise is not None and _has_several(otherwise)
            ):
                other = None if otherwise is None else _in_braces(otherwise)
                made_if = replace(node, then=_in_braces(then), otherwise=other, form=Form.BUILT)
                return rewrite(made_if, replacement)
            case _:
                return None

    return rewrite(body, replacement)


def _has_several(statement: Stmt) -> bool:
    match statement:
        case ExprStatement(expr=expr):
            inner = strip_parens(expr)
            return isinstance(inner, Binary) and inner.op == ","
        case _:
            return False


def _in_braces(statement: Stmt) -> Stmt:
    return Block((statement,)) if _has_several(statement) else statement


def _apart(statement: Stmt) -> Iterator[Stmt]:
    if not isinstance(statement, ExprStatement) or not _has_several(statement):
        yield statement
        return
    first, *others = comma_operands(statement.expr)
    yield ExprStatement(first, trivia=statement.trivia, form=Form.BUILT)
    for one in others:
        yield ExprStatement(one, form=Form.BUILT)
