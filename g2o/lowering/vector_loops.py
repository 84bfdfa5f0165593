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

So do vectors of iterations that the threads of a block have shared out, as long as there are no
more lanes than threads: iterations of one thread may depend on each other.

    for (int i = 0; i < n; ++i)                          #pragma omp simd safelen(256)
        out[row + i] = in[row + i] * gamma[i];    ->     for (int i = 0; i < n; ++i)
                                                             out[row + i] = in[row + i] * gamma[i];
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR, SIMD, Directive
from g2o.ir.statements import CountedLoop, For, Node, Stmt
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.context import LoweringContext
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import collapsed_loops
from g2o.lowering.strip_choice import Choice
from g2o.lowering.strips import makes_vectors, unrolled


def with_vector_loops(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Ask for vectors where a loop of few turns hides that they can be made."""
    collapsed = collapsed_loops(statements)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop):
            return None
        if becomes_vectors(node, context.effects) and id(node) not in collapsed:
            return replace(node, body=unrolled(node.body), directive=_asked(node))
        if node.threads is None or node.directive != NO_DIRECTIVE or not may_vectorise(node.body):
            return None
        return replace(node, directive=_asked(node))

    return tuple(rewrite(one, replacement) for one in statements)


def becomes_vectors(loop: CountedLoop, effects: EffectsOf) -> bool:
    """Is it a loop over threads that vectors are asked for in, as loops of few turns hide them?"""
    if loop.directive not in (NO_DIRECTIVE, PARALLEL_FOR):
        return False
    if loop.index.storage is not Storage.INDEX and loop.threads is None:
        return False
    inner = [one for one in walk(loop.body) if isinstance(one, For | CountedLoop)]
    if loop.step is not None or not inner or not all(isinstance(one, For) for one in inner):
        return False
    choice = Choice(effects, loop)
    few = makes_vectors(loop, effects) and choice.is_beside(loop.body)
    return few or choice.is_unrolled()


def _asked(loop: CountedLoop) -> Directive:
    if loop.threads is None:
        return loop.directive.with_simd()
    return replace(SIMD, clauses=(f"safelen({loop.threads.text})",))
