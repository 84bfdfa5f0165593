"""Loops are only collapsed where nothing stands between them.

#pragma omp parallel for collapse(2)            #pragma omp parallel for
for (int z = 0; z < planes; ++z)                for (int z = 0; z < planes; ++z)
    if (z < n)                           ->         if (z < n)
        for (int y = 0; y < rows; ++y)                  for (int y = 0; y < rows; ++y)

Whoever puts a condition or a value between two loops need not know of that on the outer one, nor
who gives the inner one bounds that the outer one's index is in.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.directives import Directive
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Block, CountedLoop, Node, Stmt
from g2o.ir.traverse import rewrite_statements


def collapse_only_nests(kernel: LoweredKernel) -> LoweredKernel:
    """The same object where all loops that are collapsed are nests."""
    body = tuple(rewrite_statements(statement, _without_collapse) for statement in kernel.body)
    if all(after is before for after, before in zip(body, kernel.body, strict=True)):
        return kernel
    return replace(kernel, body=body)


def _without_collapse(node: Node) -> Node | None:
    if not isinstance(node, CountedLoop):
        return None
    if node.directive.collapse == 1 or _depth(node) >= node.directive.collapse:
        return None
    inner = rewrite_statements(node.body, _without_collapse)
    return replace(node, directive=replace(node.directive, collapse=1), body=inner)


def with_loops(directive: Directive, count: int) -> Directive:
    """That of a nest of `count` loops: without `collapse` where that asks for more."""
    return directive if directive.collapse <= count else replace(directive, collapse=1)


def _depth(statement: Stmt) -> int:
    """How many loops stand directly in each other, each with bounds that the others leave alone."""
    found: list[CountedLoop] = []
    while True:
        while isinstance(statement, Block) and len(statement.statements) == 1:
            statement = statement.statements[0]
        if not isinstance(statement, CountedLoop):
            return len(found)
        bounds = (statement.lower, statement.upper, statement.step)
        used = {symbol for one in bounds if one is not None for symbol in symbols_in(one)}
        if any(one.index in used for one in found):
            return len(found)
        found.append(statement)
        statement = statement.body
