"""What of the author's text may be replaced, and what stands for text that a macro adds."""

from __future__ import annotations

from dataclasses import replace

from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Expr, Form, Literal
from g2o.ir.statements import Node
from g2o.ir.traverse import children


def shares_text(node: Node, changed: list[Node]) -> bool:
    """Is the text of one of the `changed` nodes below `node` that of something else as well: an
    argument that a macro uses twice?"""
    span = node.span
    parts = children(node)
    if span is not None:
        changed = [one for one in changed if one.span is not None and _overlap(one.span, span)]
        alone = not parts and not span.is_expanded
        if alone and any(_is_inside(span, one.span) for one in changed):
            return True
    below = (part for part in parts if part.form is not Form.BUILT)
    return bool(changed) and any(shares_text(part, changed) for part in below)


def without_text(node: Expr) -> Expr:
    """`node`, which a macro adds, as it is spelled without that."""
    if not isinstance(node, Literal) or ("(" not in node.text and not node.text.isidentifier()):
        return node
    span = node.span
    if node.value is None and node.text.isidentifier() and (span is None or node.text != span.text):
        return node  # a function that the macro names
    if node.value is None:
        raise refuse("G2O0201", "construct inside a macro that has to be rewritten", node.span)
    return replace(node, text=str(node.value))


def _is_inside(inner: SourceSpan, outer: SourceSpan | None) -> bool:
    if outer is None or inner.file is not outer.file:
        return False
    return outer.begin <= inner.begin and inner.end <= outer.end


def _overlap(one: SourceSpan, other: SourceSpan) -> bool:
    return one.file is other.file and one.begin < other.end and other.begin < one.end
