"""A loop whose turns do one thing up to an edge, and another from there on, as two loops.

    for tx                                     const int inside = std::clamp(n - k, 0, TILE);
        s[tx] = k + tx < n ? x[k + tx] : 0;    for (tx < inside)
                                         ->        s[tx] = x[k + tx];
    for tx                                     for (tx = inside; tx < TILE)
        if (tx >= d) a; else b;                    s[tx] = 0;

Legal because the threads of a barrier interval run in any order.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import (
    Binary,
    Code,
    Conditional,
    Expr,
    Literal,
    VarRef,
    all_of,
    integer_value,
)
from g2o.ir.statements import Block, CountedLoop, Declare, If, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import BOOL, INT
from g2o.lowering.ends_of_loops import is_number_of_turns
from g2o.lowering.turn_guards import Guard

_ZERO = Literal("0", 0, INT)


def has_one_edge(guard: Guard) -> bool:
    """Do the turns that pass stand all in front of the others, or all behind them?"""
    return guard.turn is None and (bool(guard.limits) != bool(guard.floors))


def halves(
    guard: Guard,
    inside: CountedLoop,
    outside: CountedLoop,
    symbols: SymbolTable,
    is_short: bool = False,
) -> list[Stmt]:
    """The turns `inside` of a guard with one edge, and those `outside`, up to their edge and from
    there on. If a row `is_short`, its usual case, all of them inside, gets a loop of constant
    length, which compilers unroll."""
    named = symbols.fresh("inside", INT, Storage.LOCAL)
    edge: Expr = VarRef(named)
    place = _edge(guard, inside.upper)
    if isinstance(place, Literal):  # known, as of `threadIdx.x == 0`
        edge, is_short = place, False
    declare = Declare((Variable(named, "const int", "", place, "="),))
    first, second = (outside, inside) if guard.floors else (inside, outside)
    parts = (replace(first, upper=edge), replace(second, lower=edge))
    if isinstance(place, Literal):
        return [one for one in parts if integer_value(one.lower) != integer_value(one.upper)]
    if not is_short:
        return [declare, *parts]
    whole = Binary("==", edge, inside.upper, BOOL)
    return [declare, If(whole, Block((inside,)), Block(parts))]


def _edge(guard: Guard, upper: Expr) -> Expr:
    """The first turn that is not below all limits, or that is none of the floors above."""
    limit, *others = guard.limits or guard.floors
    for other in others:
        which = "std::max<int>(" if guard.floors else "std::min<int>("
        limit = Code((which, limit, ", ", other, ")"), type=INT)
    count: Expr = limit
    known, total = integer_value(limit), integer_value(upper)
    if known is not None and total is not None:
        known = min(max(known, 0), total)
        count = Literal(str(known), known, INT)
    elif not is_number_of_turns(limit):
        count = Code(("std::clamp<int>(", limit, ", 0, ", upper, ")"), type=INT)
    if guard.uniform:
        none = upper if guard.floors else _ZERO
        count = Conditional(all_of(guard.uniform), count, none, INT)
    return count
