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

So do those that call what the launch gives the kernel, a lambda or another functor: compilers see
what it does where they put it in, but not that no thread meets another.

Legal because threads of one barrier interval run in any order, also side by side. It pays where
neighbours access the same elements, or elements beside each other.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from g2o.analysis.effects import EffectsOf, statements_of
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR
from g2o.ir.expressions import Call, VarRef
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import collapsed_loops
from g2o.lowering.strip_choice import Choice
from g2o.lowering.strips import makes_vectors, unrolled


def with_vector_loops(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Ask for vectors where a loop of few turns hides that they can be made."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop):
            return None
        if id(node) not in collapsed and _calls_what_is_given(node, given):
            return replace(node, directive=node.directive.with_simd())
        if not becomes_vectors(node, context.effects):
            return None
        return replace(node, body=unrolled(node.body), directive=node.directive.with_simd())

    parameters = context.kernel.function.parameters
    given = frozenset(one for one in parameters if one.type.kind is TypeKind.DEPENDENT)
    collapsed = collapsed_loops(statements)

    return tuple(rewrite(one, replacement) for one in statements)


def becomes_vectors(loop: CountedLoop, effects: EffectsOf) -> bool:
    """Is it a loop over threads that vectors are asked for in, as loops of few turns hide them?"""
    if loop.directive != NO_DIRECTIVE or loop.index.storage is not Storage.INDEX:
        return False
    inner = [one for one in walk(loop.body) if isinstance(one, For | CountedLoop)]
    if loop.step is not None or not inner or not all(isinstance(one, For) for one in inner):
        return False
    return makes_vectors(loop, effects) and Choice(effects, loop).is_beside(loop.body)


def _calls_what_is_given(loop: CountedLoop, given: Set[Symbol]) -> bool:
    """Is it an innermost loop over threads that calls a functor of those `given` to the kernel, or
    the thread's own copy of it, and is otherwise straight-line code?"""
    if loop.directive not in (NO_DIRECTIVE, PARALLEL_FOR) or loop.step is not None:
        return False
    if loop.index.storage is not Storage.INDEX or not given:
        return False
    own = {
        variable.symbol
        for one in statements_of(loop.body)
        if isinstance(one, Declare)
        for variable in one.variables
        if isinstance(variable.initial, VarRef) and variable.initial.symbol in given
    }
    called = False

    def without_calls(node: Node) -> Node | None:
        nonlocal called
        match node:
            case ExprStatement(expr=Call(callee=VarRef(symbol=symbol), key="")) if (
                symbol in given or symbol in own
            ):
                called = True
                return Block(tuple(map(ExprStatement, node.expr.arguments)))
            case Declare(variables=(Variable(symbol=symbol),)) if symbol in own:
                return Block(())
            case _:
                return None

    rest = rewrite(loop.body, without_calls)
    return called and may_vectorise(rest)
