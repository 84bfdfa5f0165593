"""Minima and maxima by value: g2o::min(n, TILE) for std::min(n, TILE).

The functions of the standard library take references, and compilers for devices do not give the
constants of a program a place that could be referred to.
"""

from __future__ import annotations

import re
from dataclasses import replace

from g2o.ir.expressions import Code, Expr
from g2o.ir.statements import Block, Node, Stmt, Text
from g2o.ir.traverse import rewrite

_STANDARD = re.compile(r"\bstd::(?=(?:min|max)\b)")
_Parts = tuple[str | Expr, ...]


def by_value(statement: Stmt) -> Block:
    """`statement`, as a block, with such calls where lowering has made them."""
    rewritten = rewrite(statement, _replaced)
    return rewritten if isinstance(rewritten, Block) else Block((rewritten,))


def _replaced(node: Node) -> Node | None:
    if not isinstance(node, (Code, Text)):
        return None
    parts = tuple(_part(part) for part in node.parts)
    if all(new is old for new, old in zip(parts, node.parts, strict=True)):
        return node
    return replace(node, parts=parts)


def _part(part: str | Expr) -> str | Expr:
    if isinstance(part, str):
        new = _STANDARD.sub("g2o::", part)
        return part if new == part else new
    result = rewrite(part, _replaced)
    assert not isinstance(result, Stmt)
    return result
