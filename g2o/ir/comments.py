"""Statements leave blocks; their comments stay where they were."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from g2o.ir.statements import Block, Declare, Empty, For, Labelled, Node, Stmt, Trivia
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, with_children

Change = Callable[[Stmt], Stmt | None]


def comments_of(statement: Stmt) -> tuple[str, ...]:
    """The comments in front of a statement and behind it."""
    trivia = statement.trivia
    return (*trivia.before, trivia.after) if trivia.after else trivia.before


def with_comments(statement: Stmt, comments: tuple[str, ...]) -> Stmt:
    """`statement` with further comments in front."""
    if not comments:
        return statement
    trivia = statement.trivia
    merged = Trivia((*comments, *trivia.before), trivia.after, trivia.blank_line)
    return replace(statement, trivia=merged)


def around_both(outer: Trivia, inner: Trivia) -> Trivia:
    """What stands around the first statement of something that goes itself."""
    blank_line = outer.blank_line or inner.blank_line
    return replace(inner, before=(*outer.before, *inner.before), blank_line=blank_line)


def without_declarations(statement: Stmt, gone: Collection[Symbol]) -> Stmt | None:
    """A declaration without the variables in `gone`, None where nothing is left; other statements
    as they are."""
    if not isinstance(statement, Declare):
        return statement
    kept = tuple(variable for variable in statement.variables if variable.symbol not in gone)
    if len(kept) == len(statement.variables):
        return statement
    return Declare(kept, trivia=statement.trivia) if kept else None


def change_statements(body: Block, change: Change) -> Block:
    """Replace statements of all blocks in `body`, from the outside in; None removes one.

    What replaces a statement is not descended into; declarations in the head of a loop stay.
    Unchanged blocks are returned as they are.
    """
    result = _changed(body, change)
    assert isinstance(result, Block)
    return result


def _changed(node: Node, change: Change) -> Node:
    if isinstance(node, Block):
        return _changed_block(node, change)
    if not isinstance(node, Stmt):  # no expression holds a statement
        return node
    old = children(node)
    head = 1 if isinstance(node, For) and node.initial is not None else 0
    new = (*old[:head], *(_changed_child(child, change) for child in old[head:]))
    if all(one is other for one, other in zip(new, old, strict=True)):
        return node
    return with_children(node, new)


def _changed_child(child: Node, change: Change) -> Node:
    """A child that is a statement of its own, as the body of a loop without braces is."""
    if isinstance(child, Stmt) and not isinstance(child, (Block, Labelled)):
        result = change(child)
        if result is None:
            comments = comments_of(child)
            return Block((Empty(trivia=Trivia(comments)),) if comments else (), span=child.span)
        if result is not child:
            return result
    return _changed(child, change)


def _changed_block(block: Block, change: Change) -> Block:
    kept: list[Stmt] = []
    pending: tuple[str, ...] = ()
    changed = False
    for statement in block.statements:
        result = change(statement)
        if result is None:
            pending += comments_of(statement)
            changed = True
            continue
        if result is statement:
            inner = _changed(statement, change)
            assert isinstance(inner, Stmt)
            result = inner
        result = with_comments(result, pending)
        pending = ()
        changed = changed or result is not statement
        kept.append(result)
    if pending:
        kept.append(Empty(trivia=Trivia(pending)))
    if not changed:
        return block
    return Block(tuple(kept), directive=block.directive, trivia=block.trivia, span=block.span)
