"""Statements that say nothing go; comments in front of them stand in front of what follows.

;  // what the barrier was for          ->     // what the barrier was for
y[i] = x[i];                                   y[i] = x[i];
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard, TypeVar

from g2o.ir.expressions import Form
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, For, If, Node, Stmt, While
from g2o.ir.traverse import rewrite

_S = TypeVar("_S", bound=Node)
_WITH_COMMENTS = (Declare, ExprStatement, For, If, While)


def without_empty_statements(body: _S) -> _S:
    """`body` with such statements gone from its blocks; the last of a block keeps its comments."""
    return rewrite(body, _replacement)


def _replacement(node: Node) -> Node | None:
    if not isinstance(node, Block) or not any(_is_made(one) for one in node.statements):
        return None
    kept: list[Stmt] = []
    waiting: list[Empty] = []
    for one in node.statements:
        if _is_made(one):
            waiting += [one] if one.trivia.before else []
            continue
        if waiting and isinstance(one, _WITH_COMMENTS):
            before = tuple(line for empty in waiting for line in empty.trivia.before)
            blank = one.trivia.blank_line or waiting[0].trivia.blank_line
            moved = replace(one.trivia, before=(*before, *one.trivia.before), blank_line=blank)
            one, waiting = replace(one, trivia=moved, form=Form.BUILT), []
        kept += [*waiting, rewrite(one, _replacement)]
        waiting = []
    return replace(node, statements=(*kept, *waiting), form=Form.BUILT)


def _is_made(node: Stmt) -> TypeGuard[Empty]:
    """Has a pass left it in the place of another one? The author's are `[[fallthrough]];`."""
    is_text = node.form is Form.PRISTINE
    return isinstance(node, Empty) and not is_text and not node.trivia.after
