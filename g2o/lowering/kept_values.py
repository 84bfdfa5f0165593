"""What threads keep in arrays, in the code that names it as variables.

float sum = x[i];         sum[t] = x[i];
...                 ->    ...
y[i] = 2 * sum;           y[i] = 2 * sum[t];
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from g2o.ir.comments import comments_of
from g2o.ir.expressions import Expr, Form, Remote, VarRef, Verbatim
from g2o.ir.statements import Barrier, Block, Declare, Empty, Node, Stmt, Trivia
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import N, rewrite, walk
from g2o.lowering.captures import with_own_copies
from g2o.lowering.context import substitute
from g2o.lowering.initialisers import initialise, kept_value
from g2o.lowering.thread_group import ThreadGroup


def in_threads(
    node: N, arrays: Mapping[Symbol, Symbol], copied: Collection[Symbol], group: ThreadGroup
) -> N:
    """`node` in a loop over threads, with their elements of `arrays`; those of `copied` have their
    values from the start."""
    return _with_elements(
        node, {s: kept_value(s, group.element(a)) for s, a in arrays.items()}, arrays, copied, group
    )


def _with_elements(
    node: N,
    values: Mapping[Symbol, Expr],
    arrays: Mapping[Symbol, Symbol],
    copied: Collection[Symbol],
    group: ThreadGroup,
) -> N:
    if not values:
        return node

    def others(part: Expr, named: set[Symbol]) -> Expr:
        left = {symbol: value for symbol, value in values.items() if symbol not in named}
        return _with_elements(part, left, arrays, copied, group)

    def replacement(inner: Node) -> Node | None:
        match inner:
            case VarRef(symbol=symbol) if symbol in values:
                return values[symbol]
            case Verbatim():
                return with_own_copies(inner, values, others)
            case Remote(symbol=symbol, thread=thread) if symbol in values:
                place = None if thread is None else rewrite(thread, replacement)
                return group.remote(arrays[symbol], place)
            case Declare(variables=(variable,)) if variable.symbol in copied:
                return Empty(trivia=inner.trivia)
            case Declare(variables=(variable,)) if variable.symbol in values:
                initial = variable.initial
                new = None if initial is None else rewrite(initial, replacement)
                return initialise(inner, variable, values[variable.symbol], new)
            case _:
                return None

    return rewrite(node, replacement)


def outside_threads(node: N, arrays: Mapping[Symbol, Symbol], group: ThreadGroup) -> N:
    """`node` in code outside of the loop over threads, where it is the same for all."""
    firsts = {s: kept_value(s, group.first(a)) for s, a in arrays.items()}

    def replacement(inner: Node) -> Node | None:
        match inner:
            case VarRef(symbol=symbol) if symbol in firsts:
                return firsts[symbol]
            case Remote(symbol=symbol, thread=None) if symbol in arrays:
                return group.remote(arrays[symbol], None)
            case _:
                return None

    return substitute(rewrite(_without_waiting(node), replacement), group.outside())


def _without_waiting(node: N) -> N:
    """What is done once waits for nobody: smaller groups of threads do (`__syncwarp`) in loops."""
    if not any(isinstance(inner, Barrier) for inner in walk(node)):
        return node

    def replacement(inner: Node) -> Node | None:
        match inner:
            case Block(statements=statements):
                kept = [one for one in map(_comments_for, statements) if one is not None]
                inside = tuple(_without_waiting(one) for one in kept)
                return replace(inner, statements=inside, form=Form.BUILT)
            case Barrier():
                return Empty()
            case _:
                return None

    return rewrite(node, replacement)


def _comments_for(statement: Stmt) -> Stmt | None:
    if not isinstance(statement, Barrier):
        return statement
    comments = comments_of(statement)
    return Empty(trivia=Trivia(comments)) if comments else None
