"""The one rewriter."""

from __future__ import annotations

from g2o.ir.statements import Block, Empty, Node, Stmt
from g2o.ir.traverse import rewrite


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
