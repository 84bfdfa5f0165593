"""What threads keep in arrays, in the code that names it as variables.

float sum = x[i];         sum[t] = x[i];
...                 ->    ...
y[i] = 2 * sum;           y[i] = 2 * sum[t];
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from g2o.ir.expressions import Expr, Remote, VarRef, Verbatim
from g2o.ir.statements import Declare, Empty, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import N, rewrite
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

    return substitute(rewrite(node, replacement), group.outside())
