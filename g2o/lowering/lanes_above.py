"""Whose value a lane reads, where the bounds of the loop say that there is such a lane.

    for (int lane = d; lane < 32; ++lane)                  for (int lane = d; lane < 32; ++lane)
        v[lane] += t[g2o::shfl_up_lane(lane, d)];   ->         v[lane] += t[lane - d];

Compilers make vectors of what is beside each other. Legal where no lane is below `d` and that is
not negative: it is then one of the warp's 32.
"""

from __future__ import annotations

from collections.abc import Callable

from g2o.ir.expressions import Binary, Code, Expr, VarRef
from g2o.ir.statements import Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT


def with_lanes_above(
    then: tuple[Stmt, ...],
    index: Symbol,
    floors: tuple[Expr, ...],
    is_never_negative: Callable[[Expr], bool],
) -> tuple[Stmt, ...]:
    """What the lanes from the `floors` on do, with the lanes so far below them counted."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Code(
                parts=("g2o::shfl_up_lane(", VarRef(symbol=symbol) as lane, ", ", d, ")")
            ) if symbol == index and not isinstance(d, str):
                known = d in floors and is_never_negative(d)
                return Binary("-", lane, d, INT) if known else None
            case _:
                return None

    return tuple(rewrite(one, replacement) for one in then) if floors else then
