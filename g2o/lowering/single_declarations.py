"""One variable per declaration, so that each can go its own way.

int tx = threadIdx.x, ty = threadIdx.y;   ->   int tx = threadIdx.x;
                                               int ty = threadIdx.y;
"""

from __future__ import annotations

from g2o.ir.statements import Block, Declare, For, Node, Stmt
from g2o.ir.traverse import rewrite


def split_declarations(body: Block) -> Block:
    """Split declarations of several variables, except in the header of a `for`."""
    return rewrite(body, _split_in_block)


def apart(statement: Stmt) -> tuple[Stmt, ...]:
    """A declaration for each of the variables that the statement declares; or the statement."""
    if not isinstance(statement, Declare) or len(statement.variables) == 1:
        return (statement,)
    first, *others = statement.variables
    return Declare((first,), trivia=statement.trivia), *(Declare((other,)) for other in others)


def _split_in_block(node: Node) -> Node | None:
    if not isinstance(node, Block):
        return None
    result: list[Stmt] = []
    changed = False
    for statement in node.statements:
        if isinstance(statement, Declare) and len(statement.variables) > 1:
            changed = True
            result.extend(apart(statement))
        elif isinstance(statement, For):
            body = split_declarations(Block((statement.body,)))
            inner = body.statements[0]
            if inner is not statement.body:
                changed = True
                parts = (statement.initial, statement.condition, statement.increment)
                result.append(For(*parts, inner, trivia=statement.trivia, span=statement.span))
            else:
                result.append(statement)
        else:
            inner = rewrite(statement, _split_in_block)
            changed = changed or inner is not statement
            result.append(inner)
    if not changed:
        return node
    return Block(tuple(result), directive=node.directive, trivia=node.trivia, span=node.span)
