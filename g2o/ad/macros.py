"""What stands in the body of a macro has no text of its own.

    #define LOAD(i) (x[i] * factor)
    y[t] = LOAD(t) * a;               the derivative asks for `factor`, not for all of LOAD(t)

All that a macro expands to has the place of its call in the source, and would be printed as that.
The expression that is the whole of it keeps its place, its parts lose it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from g2o.ad.reals import is_real
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Expr, Verbatim
from g2o.ir.statements import Block, Node, Stmt
from g2o.ir.traverse import children, with_children

N = TypeVar("N", bound=Node)


def without_places_in_macros(body: Block) -> Block:
    """`body` in which the parts of macros can be printed by themselves. Its text stays the same."""
    return _outside(body)


def _outside(node: N) -> N:
    return _rebuilt(node, tuple(_child(one, node, node.span) for one in children(node)))


def _child(child: Node, parent: Node, span: SourceSpan | None) -> Node:
    if span is None or child.span != span or isinstance(child, Stmt):
        return _outside(child)
    return _inside(child, parent, span)


def _inside(node: Expr, parent: Node, span: SourceSpan) -> Expr:
    """An expression in the body of a macro whose call is at `span`."""
    if isinstance(node, Verbatim):
        if not isinstance(parent, Stmt) and is_real(value_type(parent)):
            raise refuse("G2O0201", "construct inside a macro that has to be rewritten", span)
        return node
    new = _rebuilt(node, tuple(_child(one, node, span) for one in children(node)))
    return replace(new, span=None)


def _rebuilt(node: N, new: tuple[Node, ...]) -> N:
    """`node` with these children and the form that it has: the same text as before."""
    if all(one is other for one, other in zip(new, children(node), strict=True)):
        return node
    return replace(with_children(node, new), form=node.form)
