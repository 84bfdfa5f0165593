"""Expressions that passes have put together, as a person would spell them.

    (difference).re          ->    difference.re
    n - 3 - 1                ->    n - 4

Only what has no place in the source is touched.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import (
    Binary,
    Call,
    Index,
    Literal,
    Member,
    Paren,
    VarRef,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Node
from g2o.ir.traverse import rewrite
from g2o.ir.types import TypeKind

_BINDS_TIGHTLY = (VarRef, Index, Member, Call)


def spelled_plainly(lowered: LoweredKernel) -> LoweredKernel:
    """`lowered` with expressions that nobody has written in a plain form."""
    body = tuple(rewrite(statement, _plain) for statement in lowered.body)
    return replace(lowered, body=body)


def _plain(node: Node) -> Node | None:
    match node:
        case Paren(inner=inner, span=None) if isinstance(inner, _BINDS_TIGHTLY):
            return rewrite(inner, _plain)
        case Binary(op="-", left=Binary(op="-") as inner, right=Literal(value=last), span=None):
            first = inner.right
            if not isinstance(first, Literal) or first.value is None or last is None:
                return None
            if node.type.kind is not TypeKind.INTEGER or inner.span is not None:
                return None
            total = first.value + last
            literal = Literal(str(total), total, first.type)
            return replace(node, left=rewrite(inner.left, _plain), right=literal)
        case _:
            return None
