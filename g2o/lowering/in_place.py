"""Several statements in the place of a loop."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from g2o.analysis.effects import statements_of
from g2o.ir.expressions import Form
from g2o.ir.statements import Block, CountedLoop, Node, Stmt
from g2o.ir.traverse import rewrite
from g2o.lowering.indices import block_of


def with_loops_replaced(
    statements: tuple[Stmt, ...], replaced: Callable[[CountedLoop], tuple[Stmt, ...]]
) -> tuple[Stmt, ...]:
    """The statements with what `replaced` gives for each loop: the loop alone where it stays, which
    is then looked into."""
    whole = block_of(statements)

    def new(statement: Stmt) -> tuple[Stmt, ...]:
        made = replaced(statement) if isinstance(statement, CountedLoop) else (statement,)
        return (rewrite(statement, replacement),) if made == (statement,) else made

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=inner):
                made = tuple(one for old in inner for one in new(old))
                same = len(made) == len(inner) and all(map(operator.is_, made, inner))
                return node if same else replace(node, statements=made, form=Form.BUILT)
            case CountedLoop(body=body) if not isinstance(body, Block):
                made = new(body)
                same = len(made) == 1 and made[0] is body
                return node if same else replace(node, body=block_of(made), form=Form.BUILT)
            case _:
                return None

    made = rewrite(whole, replacement)
    return statements if made is whole else statements_of(made)
