"""One variable per declaration, so that each can go its own way.

int tx = threadIdx.x, ty = threadIdx.y;   ->   int tx = threadIdx.x;
                                               int ty = threadIdx.y;
"""

from __future__ import annotations

from collections.abc import Collection

from g2o.ir.statements import Block, Declare, For, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite_statements


def split_declarations(body: Block, wanted: Collection[Symbol] | None = None) -> Block:
    """Split declarations of several variables, except in the header of a `for`: those of all, or
    only those that declare one that is `wanted`, which leave the others together."""

    def in_block(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        result: list[Stmt] = []
        changed = False
        for statement in node.statements:
            if isinstance(statement, Declare) and len(statement.variables) > 1:
                new = apart(statement) if wanted is None else _with_single(statement, wanted)
                changed = changed or len(new) > 1
                result.extend(new)
            elif isinstance(statement, For):
                body = split_declarations(Block((statement.body,)), wanted)
                inner = body.statements[0]
                if inner is not statement.body:
                    changed = True
                    parts = (statement.initial, statement.condition, statement.increment)
                    result.append(For(*parts, inner, trivia=statement.trivia, span=statement.span))
                else:
                    result.append(statement)
            else:
                inner = rewrite_statements(statement, in_block)
                changed = changed or inner is not statement
                result.append(inner)
        if not changed:
            return node
        return Block(tuple(result), directive=node.directive, trivia=node.trivia, span=node.span)

    return rewrite_statements(body, in_block)


def apart(statement: Stmt) -> tuple[Stmt, ...]:
    """A declaration for each of the variables that the statement declares; or the statement."""
    if not isinstance(statement, Declare) or len(statement.variables) == 1:
        return (statement,)
    first, *others = statement.variables
    return Declare((first,), trivia=statement.trivia), *(Declare((other,)) for other in others)


def _with_single(statement: Declare, wanted: Collection[Symbol]) -> tuple[Declare, ...]:
    """The declaration with those that are wanted in declarations of their own."""
    groups: list[list[Variable]] = []
    for variable in statement.variables:
        if variable.symbol in wanted or not groups or groups[-1][-1].symbol in wanted:
            groups.append([])
        groups[-1].append(variable)
    if len(groups) < 2:
        return (statement,)
    first, *others = groups
    rest = tuple(Declare(tuple(group)) for group in others)
    return (Declare(tuple(first), trivia=statement.trivia), *rest)
