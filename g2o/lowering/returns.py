"""`return` ends one thread, not the loops that it has become part of."""

from __future__ import annotations

from g2o.ir.statements import (
    DoWhile,
    For,
    Jump,
    JumpKind,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT
from g2o.lowering.context import (
    LoweringContext,
)
from g2o.lowering.indices import (
    block_of,
)


def without_returns(
    context: LoweringContext, statements: tuple[Stmt, ...], indices: list[Symbol]
) -> tuple[tuple[Stmt, ...], list[Stmt]]:
    """Make `return` end one thread instead of the kernel.

    Outside inner loops it is `continue`; elsewhere the body becomes a lambda that the loop calls.
    The second result holds statements to put in front of the loop.
    """
    while statements and isinstance(statements[-1], Return):
        statements = statements[:-1]
    if not any(isinstance(node, Return) for s in statements for node in walk(s)):
        return statements, []
    if not any(_returns_inside_loop(s, False) for s in statements):

        def to_continue(node: Node) -> Node | None:
            if isinstance(node, Return):
                return Jump(JumpKind.CONTINUE, trivia=node.trivia)
            return None

        return tuple(rewrite(s, to_continue) for s in statements), []
    name = context.symbols.fresh("thread", INT, Storage.BLOCK)
    arguments = ", ".join(s.name for s in indices)
    function = LocalFunction(name.name, tuple(indices), block_of(statements))
    return (Text((f"{name.name}({arguments});",)),), [function]


def _returns_inside_loop(node: Node, inside: bool) -> bool:
    match node:
        case Return():
            return inside
        case For() | While() | DoWhile() | Switch():
            return any(_returns_inside_loop(child, True) for child in children(node))
        case _:
            return any(_returns_inside_loop(child, inside) for child in children(node))
