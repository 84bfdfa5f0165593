"""Iterations and threads: what ends the one ends the other, where they stand for each other."""

from __future__ import annotations

from g2o.ir.statements import DoWhile, For, Jump, JumpKind, LocalFunction, Node, Return, While
from g2o.ir.traverse import N, rewrite


def returning(body: N) -> N:
    """The body of a loop, where going on with the next iteration is the end of a thread; what loops
    inside go on with is their own matter."""
    return rewrite(body, _return_for_continue)


def _return_for_continue(node: Node) -> Node | None:
    match node:
        case Jump(kind=JumpKind.CONTINUE):
            return Return(trivia=node.trivia)
        case For() | While() | DoWhile():
            return node
        case _:
            return None


def continuing(body: N) -> N:
    """What `returning` has made of the body of a loop, as the body of a loop again."""
    return rewrite(body, _continue_for_return)


def _continue_for_return(node: Node) -> Node | None:
    match node:
        case Return(value=None):
            return Jump(JumpKind.CONTINUE, trivia=node.trivia)
        case LocalFunction():
            return node
        case _:
            return None
