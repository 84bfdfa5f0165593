"""The one rewriter."""

from __future__ import annotations

from typing import get_args

from g2o.ir.expressions import Expr
from g2o.ir.statements import Block, Empty, Node, Stmt
from g2o.ir.traverse import CHILDREN, rewrite


def test_a_node_given_back_is_done_with() -> None:
    seen: list[Node] = []

    def replacement(node: Node) -> Node | None:
        seen.append(node)
        if not isinstance(node, Block):
            return None
        for inner in node.statements:
            rewrite(inner, replacement)
        return node

    nest: Stmt = Empty()
    for _ in range(40):
        nest = Block((nest,))
    assert rewrite(nest, replacement) is nest
    assert len(seen) == 41


def test_the_children_of_every_kind_of_node_are_known() -> None:
    assert set(CHILDREN) == {*get_args(Expr), *get_args(Stmt)}
