"""Memory that a condition asks for, as a statement of its own.

    if (!(p = malloc(n)))            p = malloc(n);
        return -1.0;         ->      if (!p)
                                         return -1.0;

Legal as memory that is asked for, and not used, changes nothing: so is that of `||` and `&&` which
the source would not come to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from g2o.analysis.allocations import is_allocation
from g2o.ir.expressions import Assign, Expr, Form, VarRef
from g2o.ir.statements import Block, ExprStatement, If, Node, Stmt
from g2o.ir.traverse import rewrite, walk


def with_allocations_apart(body: Block) -> Block:
    """`body` whose conditions of `if` ask for no memory."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(map(_asks, statements)):
                made = tuple(part for one in statements for part in _apart(one))
                return rewrite(replace(node, statements=made, form=Form.BUILT), replacement)
            case _:
                return None

    return rewrite(body, replacement)


def _asks(statement: Stmt) -> bool:
    return isinstance(statement, If) and any(map(_allocates, walk(statement.condition)))


def _allocates(node: Node) -> bool:
    match node:
        case Assign(op="=", target=VarRef(), value=value):
            return is_allocation(value)
        case _:
            return False


def _apart(statement: Stmt) -> Iterator[Stmt]:
    if not isinstance(statement, If) or not _asks(statement):
        yield statement
        return
    asked: list[Stmt] = []

    def pointer(node: Node) -> Expr | None:
        if not isinstance(node, Assign) or not _allocates(node):
            return None
        asked.append(ExprStatement(node, form=Form.BUILT))
        return node.target

    condition = rewrite(statement.condition, pointer)
    yield from asked
    yield replace(statement, condition=condition, form=Form.BUILT)
