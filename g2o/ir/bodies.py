"""Statements that hold others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from g2o.ir.expressions import Form
from g2o.ir.statements import NO_TRIVIA, Block, DoWhile, For, If, Stmt, While


def with_bodies(
    statement: Block | If | For | While | DoWhile,
    change: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]],
) -> Stmt:
    """A statement with the statements of each of its bodies changed, the same one where none is."""

    def inside(body: Stmt) -> Stmt:
        old = body.statements if isinstance(body, Block) else (body,)
        new = change(old)
        same = len(new) == len(old) and all(one is two for one, two in zip(new, old, strict=True))
        if same:
            return body
        trivia = body.trivia if isinstance(body, Block) else NO_TRIVIA
        return Block(new, trivia=trivia)

    match statement:
        case Block():
            return inside(statement)
        case If(then=then, otherwise=otherwise):
            first = inside(then)
            second = None if otherwise is None else inside(otherwise)
            if first is then and second is otherwise:
                return statement
            return replace(statement, then=first, otherwise=second, form=Form.BUILT)
        case For() | While() | DoWhile():
            body = inside(statement.body)
            if body is statement.body:
                return statement
            return replace(statement, body=body, form=Form.BUILT)
