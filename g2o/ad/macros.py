"""What stands in the body of a macro has no text of its own.

    #define LOAD(i) (x[i] * factor)
    y[t] = LOAD(t) * a;               the derivative asks for `factor`, not for all of LOAD(t)

All that a macro expands to has the place of its call in the source, and would be printed as that.
The expression that is the whole of it keeps its place, its parts lose it. A part that ends with an
argument ends there: `AT(m, 1` of `AT(m, 1)` is the index in `#define AT(i, j) u[(i) * 4 + j]`. What
is not the first part of an expression, but begins where that begins, is in the body of a macro.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard, TypeVar

from g2o.ad.reals import is_real
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Expr, InitList, Verbatim
from g2o.ir.statements import Block, Node, Stmt
from g2o.ir.traverse import children, with_children

N = TypeVar("N", bound=Node)


def without_places_in_macros(body: Block) -> Block:
    """`body` in which the parts of macros can be printed by themselves. Its text stays the same."""
    return _outside(body)


def _outside(node: N) -> N:
    new = tuple(_child(one, node, node.span, number) for number, one in enumerate(children(node)))
    return _rebuilt(node, new)


def _child(child: Node, parent: Node, span: SourceSpan | None, number: int) -> Node:
    if span is None or child.span is None or isinstance(child, Stmt):
        return _outside(child)
    if isinstance(parent, InitList) and child is parent.said:
        return _outside(child)  # it is the text itself
    begins = child.span.file is span.file and child.span.begin == span.begin
    if child.span != span and not (begins and number > 0):
        return _outside(child)
    return _inside(child, parent, span)


def _inside(node: Expr, parent: Node, span: SourceSpan) -> Expr:
    """An expression in the body of a macro whose call is at `span`."""
    if isinstance(node, Verbatim):
        if not isinstance(parent, Stmt) and is_real(value_type(parent)):
            raise refuse("G2O0201", "construct inside a macro that has to be rewritten", span)
        return node
    new = tuple(
        _inside(one, node, span) if _begins_at(one, span) else _outside(one)
        for one in children(node)
    )
    return replace(_rebuilt(node, new), span=None)


def _begins_at(node: Node, span: SourceSpan) -> TypeGuard[Expr]:
    """Does it begin with the call of the macro? No argument does."""
    own = node.span
    same = own is not None and own.file is span.file and own.begin == span.begin
    return same and not isinstance(node, Stmt)


def _rebuilt(node: N, new: tuple[Node, ...]) -> N:
    """`node` with these children and the form that it has: the same text as before."""
    if all(one is other for one, other in zip(new, children(node), strict=True)):
        return node
    return replace(with_children(node, new), form=node.form)
