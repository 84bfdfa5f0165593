"""Braces that differentiation has put around statements, and that nothing needs any more.

{                                  d_c[i].x = d_p_x;
    d_c[i].x = d_p_x;       ->     d_c[i].y = d_p_y;
    d_c[i].y = d_p_y;
}
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Form
from g2o.ir.statements import NO_TRIVIA, Block, Declare, DeclareTypes, Node, Stmt
from g2o.ir.traverse import rewrite


def without_bare_braces(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`statements` without blocks among them that are not the source's and declare nothing."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block) or not any(map(_is_bare, node.statements)):
            return None
        inner = tuple(rewrite(one, replacement) for one in node.statements)
        return replace(node, statements=_opened(inner), form=Form.BUILT)

    return _opened(tuple(rewrite(one, replacement) for one in statements))


def _opened(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    return tuple(
        one
        for statement in statements
        for one in (
            statement.statements
            if isinstance(statement, Block) and _is_bare(statement)
            else (statement,)
        )
    )


def _is_bare(statement: Stmt) -> bool:
    return (
        isinstance(statement, Block)
        and statement.span is None
        and statement.form is Form.BUILT
        and statement.trivia == NO_TRIVIA
        and not any(isinstance(one, (Declare, DeclareTypes)) for one in statement.statements)
    )
