"""Loops that compilers can unroll completely, and what is done with them.

A loop over the threads of a row around a short loop keeps what a thread adds up in a register,
where the short loop around the one over threads loads and stores it in every turn:

    for (int k = 0; k < TILE; ++k)              #pragma omp simd
        #pragma omp simd                        for (int tx = 0; tx < TILE; ++tx)
        for (int tx = 0; tx < TILE; ++tx)  ->       #pragma GCC unroll 32
            sum[tx] += a[k] * b[k][tx];             for (int k = 0; k < TILE; ++k)
                                                        sum[tx] += a[k] * b[k][tx];

Legal because threads of an interval do not see each other: each goes through its turns in order.
Unrolled by name, because clang++ vectorises no loop with a loop inside.
"""

from __future__ import annotations

from math import isqrt

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, Form, Literal, Unary, VarRef, integer_value
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, For, Node, Stmt, Text
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.lowering.context import LoweringContext

_MOST_THREADS = 1024  # in a block
_MOST_UNROLLED = 32


def most_turns(context: LoweringContext, bound: Expr) -> int | None:
    """The most that a bound can be; None where nothing is known.

    A constant of unknown value that is the extent of a block in two axes is at most 32, and one of
    three axes at most 10.
    """
    known = integer_value(bound)
    if known is not None or not isinstance(bound, Literal):
        return known
    axes = context.kernel.shape.block.count(bound.text)
    if axes < 2:
        return None
    return isqrt(_MOST_THREADS) if axes == 2 else round(_MOST_THREADS ** (1 / 3))


def unroll_short_loops(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Put short loops around the vector loops of one sum into them."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, For):
            return _inside(context, node)
        return None

    return tuple(rewrite(statement, replacement) for statement in statements)


def _inside(context: LoweringContext, loop: For) -> Stmt | None:
    inner = statements_of(loop.body)
    counter = _counter(context, loop)
    if counter is None or len(inner) != 1 or not isinstance(inner[0], CountedLoop):
        return None
    threads = inner[0]
    if threads.pragma != "omp simd" or threads.step is not None or threads.trivia.before:
        return None
    bounds = symbols_in(threads.lower) | symbols_in(threads.upper)
    if counter in bounds or not _adds_up(threads, counter, context.effects):
        return None
    (sum_up,) = statements_of(threads.body)
    turn = For(loop.initial, loop.condition, loop.increment, sum_up, form=Form.BUILT)
    unroll = Text((f"#pragma GCC unroll {_MOST_UNROLLED}",))
    return CountedLoop(
        threads.index,
        threads.lower,
        threads.upper,
        Block((unroll, turn)),
        threads.pragma,
        trivia=loop.trivia,
    )


def _counter(context: LoweringContext, loop: For) -> Symbol | None:
    """The variable of a loop from one constant to another, one by one, a few times."""
    match loop:
        case For(
            initial=Declare(variables=(variable,)),
            condition=Binary(op="<", left=VarRef(symbol=symbol), right=limit),
            increment=Unary(op="++", operand=VarRef(symbol=counted)),
        ) if variable.symbol == symbol == counted and variable.initial is not None:
            most, first = most_turns(context, limit), integer_value(variable.initial)
        case _:
            return None
    few = most is not None and first is not None and 1 < most - first <= _MOST_UNROLLED
    return symbol if few else None


def _adds_up(threads: CountedLoop, counter: Symbol, effects: EffectsOf) -> bool:
    """Is the body one assignment to an element that is the same in all turns of the short loop?"""
    match statements_of(threads.body):
        case (ExprStatement(expr=Assign(target=target, value=value, op=op)),):
            named = symbols_in(target)
            return op != "=" and counter not in named and effects.of(value).is_pure
        case _:
            return False
