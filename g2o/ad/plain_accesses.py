"""Loads and stores that say how they go through the caches are loads and stores.

    __stcs(y + i, 2.0f * __ldg(&x[i]));   ->   y[i] = 2.0f * x[i];

In both, the value takes the type of what it is stored to. What is said of the alignment of a
pointer leaves it what it is. `__ldcv` looks at memory every time,
which a load need not.
"""

from __future__ import annotations

from typing import Final

from g2o.analysis.pure_functions import READING_FUNCTIONS, STORING_FUNCTIONS
from g2o.ir.expressions import Assign, Call, Expr, place_at, strip_parens
from g2o.ir.statements import Block, ExprStatement, Node
from g2o.ir.traverse import rewrite

_LOADS: Final = READING_FUNCTIONS - {"__ldcv"}


def with_plain_accesses(body: Block) -> Block:
    """`body` with loads and assignments in place of the calls that load and store."""

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call(name=name, arguments=(address, value)) as call) if (
                name in STORING_FUNCTIONS
            ):
                element = strip_parens(address).type.element
                ctype = value.type if element is None else element
                target, stored = place_at(changed(address), ctype), changed(value)
                assign = Assign("=", target, stored, ctype, span=call.span)
                return ExprStatement(assign, trivia=node.trivia, span=node.span)
            case Call(name=name, arguments=(address,)) if name in _LOADS:
                return place_at(changed(address), node.type)
            case Call(name="__builtin_assume_aligned", arguments=(address, *_)):
                return changed(address)
            case _:
                return None

    def changed(expr: Expr) -> Expr:
        return rewrite(expr, replacement)

    return rewrite(body, replacement)
