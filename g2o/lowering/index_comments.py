"""Comments behind declarations of variables that name loops go to these loops.

    int row = blockIdx.x;  // ranges [0, N)          // ranges [0, N)
    float sum = 0;                             ->    for (int row = 0; row < grid.x; ++row) {
                                                         float sum = 0;

A comment behind a declaration says what the variable is. Without the declaration it would be read
as said of the statement that follows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import final

from g2o.ir.comments import comments_of, with_comments
from g2o.ir.statements import Block, CountedLoop, Declare, Empty, Node, Stmt
from g2o.ir.traverse import children, walk, with_children


def with_comments_of_indices(
    statements: tuple[Stmt, ...], source: tuple[Stmt, ...]
) -> tuple[Stmt, ...]:
    """`statements`, which `source` has become, with such comments where they belong."""
    names = {
        node.trivia.after: node.variables[0].symbol.name
        for one in source
        for node in walk(one)
        if isinstance(node, Declare) and len(node.variables) == 1 and node.trivia.after
    }
    if not names:
        return statements
    moved = _Moved(names)
    loops = (node for one in statements for node in walk(one) if isinstance(node, CountedLoop))
    moved.ahead.update(loop.index.name for loop in loops)
    made = moved.within(Block(statements), {})
    assert isinstance(made, Block)
    return made.statements if any(moved.of_loops) else statements


@final
class _Moved:
    """`names` are those of the variables that comments are about."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.of_loops: list[list[str]] = []
        self.ahead: Counter[str] = Counter()  # loops that were not come to yet
        self.pending: dict[str, list[str]] = {}

    def within(self, node: Node, around: dict[str, list[str]]) -> Node:
        """`node`, which stands in the loops that these collect comments for, by their names."""
        if not isinstance(node, Stmt):
            return node
        own: list[str] = []
        inside = around
        node = self._without_moved(node, around)
        if isinstance(node, CountedLoop):
            own += self.pending.pop(node.index.name, [])
            self.ahead[node.index.name] -= 1
            self.of_loops.append(own)
            inside = {**around, node.index.name: own}
        old = children(node)
        new = tuple(self.within(child, inside) for child in old)
        made: Stmt = node
        if any(a is not b for a, b in zip(new, old, strict=True)):
            made = with_children(node, new)
        if isinstance(made, Block):
            there = zip(made.statements, old, strict=True)
            left = tuple(one for one, was in there if not _is_gone(one, was))
            made = made if len(left) == len(old) else replace(made, statements=left)
        return with_comments(made, tuple(own))

    def _without_moved(self, statement: Stmt, around: dict[str, list[str]]) -> Stmt:
        before = statement.trivia.before
        moving: list[str] = []
        for one in before:
            name = self.names.get(one, "")
            if name in around:
                around[name].append(one)
            elif self.ahead[name]:
                self.pending.setdefault(name, []).append(one)
            else:
                continue
            moving.append(one)
        if not moving:
            return statement
        kept = tuple(one for one in before if one not in moving)
        return replace(statement, trivia=replace(statement.trivia, before=kept))


def _is_gone(new: Node, old: Node) -> bool:
    """Is it nothing, of what only held comments?"""
    return new is not old and isinstance(new, Empty) and not comments_of(new)
