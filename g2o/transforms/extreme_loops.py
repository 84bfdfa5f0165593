"""Loops that look for an extreme are vectorised.

    for (int c = 0; c < n; ++c)                  #pragma omp simd reduction(max : largest)
        largest = std::max(largest, x[c]);  ->   for (int c = 0; c < n; ++c)
                                                     largest = std::max(largest, x[c]);

Legal as the extreme of the same numbers is the same in any order. The loop does nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.expressions import Assign, Code, VarRef, strip_parens
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite

_KINDS: Final = {"std::max": "max", "std::min": "min"}
_VARIABLES: Final = (Storage.LOCAL, Storage.SHARED)


def vectorise_extremes(
    lowered: LoweredKernel, may_vectorise: Callable[[Node], bool]
) -> LoweredKernel:
    """Put `omp simd` on such loops. Unchanged kernels are returned as they are."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or node.pragma or not may_vectorise(node.body):
            return None
        found = _extreme(node)
        if found is None:
            return None
        kind, symbol = found
        return replace(node, pragma=f"omp simd reduction({kind} : {symbol.name})")

    whole = Block(lowered.body)
    made = rewrite(whole, replacement)
    return lowered if made is whole else replace(lowered, body=made.statements)


def _extreme(loop: CountedLoop) -> tuple[str, Symbol] | None:
    """`max` or `min`, and the variable that has it."""
    *declared, last = statements_of(loop.body)
    if not all(isinstance(one, Declare) for one in declared) or not isinstance(last, ExprStatement):
        return None
    match strip_parens(last.expr):
        case Assign(
            op="=",
            target=VarRef(symbol=symbol),
            value=Code(parts=(str(name), VarRef(symbol=old), ", ", value, ")")),
        ) if old == symbol and not isinstance(value, str):
            kind = _KINDS.get(name.partition("(")[0].partition("<")[0])
            if kind is None or symbol.storage not in _VARIABLES or symbol.type.is_volatile:
                return None
            if symbol in symbols_in(value) or any(symbol in symbols_in(one) for one in declared):
                return None
            return kind, symbol
        case _:
            return None
