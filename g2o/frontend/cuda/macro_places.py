"""Expressions that have no text of their own, as a macro adds them.

#define HALF(a, n) (a != n ? a / 2 : 0)

HALF(i, n)          the text of the whole, but of `2` and `0` as well
     i              the text of `i`, both times
     i, n           all that is left of `i != n`
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Assign, Binary, Cast, Expr, Literal, Paren, VarRef, Verbatim
from g2o.ir.spelled import is_spelled
from g2o.ir.statements import Block, ExprStatement, Node
from g2o.ir.traverse import children, placed, walk

_QUOTED: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


def with_places_in_macros(body: Block) -> Block:
    """`body` with spans that say which text is that of a macro around an expression."""
    leaves = Counter(
        node.span for node in walk(body) if isinstance(node, Expr) and not children(node)
    )

    def place(node: Node, parent: Node | None) -> SourceSpan | None:
        span = node.span
        if span is None or not isinstance(node, Expr):
            return span
        alone = leaves[span] == 1
        own = _has_text(node, alone) and (parent is None or not _is_part(node, parent))
        return span if own else replace(span, is_expanded=True)

    return placed(body, place)


def _is_part(node: Expr, parent: Node) -> bool:
    """Is the text that of `parent`, or not even inside it?"""
    span, around = node.span, parent.span
    if span is None or around is None or isinstance(parent, ExprStatement):
        return False
    if isinstance(parent, Verbatim) and parent.converts:
        return False
    if span == around:
        same = isinstance(parent, Paren) or (isinstance(parent, Cast) and parent.type == node.type)
        whole = same and not around.is_expanded  # `Point(x)` is made, and converted to a Point
        return not whole and not (isinstance(parent, Expr) and _is_named(node))
    if around.begin == around.end == span.begin:  # `x` in `x[0]`, of which the macro adds the rest
        return False
    return isinstance(parent, Expr) and not (
        around.file is span.file and around.begin <= span.begin and span.end <= around.end
    )


def _has_text(node: Expr, alone: bool) -> bool:
    """Can the text be an expression like this one? That of a name or a number may be a macro that
    stands for nothing else."""
    match node:
        case VarRef() | Literal():
            return alone or _is_named(node)
        case Binary() | Assign():
            parts = children(node)
            if not is_spelled(node) and any(part.span != node.span for part in parts):
                return False
            if node.op == ",":
                return True
        case Paren():
            parts = ()  # what is in them has the same value
        case _:
            parts = children(node)
    if any(part.span == node.span and isinstance(part, Expr) and _is_named(part) for part in parts):
        return False
    return node.span is not None and _is_balanced(node.span.text)


def _is_named(node: Expr) -> bool:
    match node:
        case VarRef(symbol=symbol, span=span) if span is not None:
            return span.text.endswith(symbol.name)
        case Literal(text=text, span=span) if span is not None:
            return span.text == text and "(" not in text  # which is the use of a macro
        case _:
            return False


def _is_balanced(text: str) -> bool:
    """Does every parenthesis have its other one, and no comma stand outside of them? Those between
    arguments of templates may."""
    text = _QUOTED.sub("0", text)
    opened: list[str] = []
    for character in text:
        if character in "([{":
            opened.append(character)
        elif character in _PAIRS:
            if not opened or opened.pop() != _PAIRS[character]:
                return False
        elif character == "," and not opened and "<" not in text:
            return False
    return bool(text) and not opened
