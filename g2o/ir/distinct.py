"""Every node of a body as an object of its own.

Inlining and differentiation put one part of a kernel into several statements. What comes behind
them knows statements and expressions by their identity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from g2o.ir.statements import Node, Stmt
from g2o.ir.traverse import children, with_children

N = TypeVar("N", bound=Node)


def with_distinct_nodes(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`statements` in which no node stands in two places."""
    seen: dict[int, Node] = {}  # the nodes, too: an identity is not given again while they live
    return tuple(_distinct(statement, seen) for statement in statements)


def _distinct(node: N, seen: dict[int, Node]) -> N:
    old = children(node)
    new = tuple(_distinct(child, seen) for child in old)
    result = node
    if any(one is not other for one, other in zip(new, old, strict=True)):
        result = replace(with_children(node, new), form=node.form)
    elif id(node) in seen:
        result = replace(node)
    seen[id(result)] = result
    return result
