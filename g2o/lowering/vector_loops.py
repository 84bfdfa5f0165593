"""Loops over threads that do arithmetic in loops of few turns become vector loops.

    for (int tx = 0; tx < 32; ++tx) {                    #pragma omp simd
        float value = c[0] * tile[ty][tx];               for (int tx = 0; tx < 32; ++tx) {
        for (int i = 1; i <= 4; i++)              ->         float value = c[0] * tile[ty][tx];
            value += c[i] * (tile[ty - i][tx]            #pragma GCC unroll 16
                             + tile[ty + i][tx]);            for (int i = 1; i <= 4; i++)
        out[ty * n + tx] = value;                                value += ...;
    }                                                        out[ty * n + tx] = value;
                                                         }

Compilers unroll such loops behind the point at which they look for vectors, if at all.

Legal because threads of one barrier interval run in any order, also side by side. It pays where
neighbours access the same elements, or elements beside each other.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.directives import NO_DIRECTIVE
from g2o.ir.statements import CountedLoop, For, Node, Stmt
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.context import LoweringContext
from g2o.lowering.strip_choice import Choice
from g2o.lowering.strips import makes_vectors, unrolled


def with_vector_loops(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Ask for vectors where a loop of few turns hides that they can be made."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or node.directive != NO_DIRECTIVE:
            return None
        if node.index.storage is not Storage.INDEX or node.step is not None:
            return None
        inner = [one for one in walk(node.body) if isinstance(one, For | CountedLoop)]
        if not inner or not all(isinstance(one, For) for one in inner):
            return None
        if not makes_vectors(node, context.effects):
            return None
        if not Choice(context.effects, node).is_beside(node.body):
            return None
        return replace(node, body=unrolled(node.body), directive=node.directive.with_simd())

    return tuple(rewrite(one, replacement) for one in statements)
