"""Which statements have jumps and barriers inside, and where the jumps go."""

from __future__ import annotations

from collections.abc import Sequence, Set

from g2o.ir.statements import (
    Barrier,
    Block,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    While,
)
from g2o.ir.traverse import children, walk, with_children


def has_barrier(node: Node) -> bool:
    """Does the whole block, or grid, wait somewhere inside?"""
    return any(
        isinstance(inner, (Barrier, Exchange)) and inner.scope in (Scope.BLOCK, Scope.GRID)
        for inner in walk(node)
    )


def always_leaves(node: Stmt) -> bool:
    """Does the statement end with a jump on every path?"""
    match node:
        case Return() | Jump():
            return True
        case Block(statements=(*_, last)):
            return always_leaves(last)
        case If(then=then, otherwise=otherwise) if otherwise is not None:
            return always_leaves(then) and always_leaves(otherwise)
        case _:
            return False


def may_leave(node: Node) -> bool:
    return any(isinstance(inner, (Return, Jump)) for inner in walk(node))


def goto_labels(node: Node) -> set[str]:
    """The labels inside that `goto` may name."""
    return {
        inner.label
        for inner in walk(node)
        if isinstance(inner, Labelled) and inner.value is None and inner.label != "default"
    }


def goes_out(node: Node) -> Jump | None:
    """A `goto` inside to a label that is not."""
    gotos = [one for one in walk(node) if isinstance(one, Jump) and one.kind is JumpKind.GOTO]
    inside = goto_labels(node) if gotos else set[str]()
    return next((one for one in gotos if one.label not in inside), None)


def leaves_beyond(node: Node, caught: Set[JumpKind]) -> bool:
    """May a jump leave the statement for something else than what stands behind it? `caught` are
    the jumps that only end the statement."""
    match node:
        case Jump(kind=kind):
            return kind not in caught
        case Return():
            return True
        case Switch(body=body):
            return leaves_beyond(body, caught | {JumpKind.BREAK})
        case For() | While() | DoWhile():
            inside = caught | {JumpKind.BREAK, JumpKind.CONTINUE}
            return any(leaves_beyond(child, inside) for child in children(node))
        case _:
            return any(leaves_beyond(child, caught) for child in children(node))


def labels_of(node: Node) -> int:
    """How many labels of the switch around stand in the statement."""
    match node:
        case Switch():
            return 0
        case Labelled(body=body):
            return 1 + labels_of(body)
        case _:
            return sum(labels_of(child) for child in children(node))


def labels_at(statement: Stmt) -> int:
    """How many labels stand right in front of the statement."""
    return 1 + labels_at(statement.body) if isinstance(statement, Labelled) else 0


def with_steps(statement: Stmt, steps: Sequence[ExprStatement]) -> Stmt:
    """Every `continue` of the loop does the steps first."""
    match statement:
        case Jump(kind=JumpKind.CONTINUE):
            return Block((*steps, statement))
        case For() | While() | DoWhile():
            return statement
        case _:
            old = children(statement)
            new = tuple(with_steps(c, steps) if isinstance(c, Stmt) else c for c in old)
            same = all(after is before for after, before in zip(new, old, strict=True))
            return statement if same else with_children(statement, new)
