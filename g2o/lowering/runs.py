"""Loops over runs of an index: turns that no edge is between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from g2o.ir.expressions import (
    Assign,
    Binary,
    Code,
    Expr,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, ExprStatement, For, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import BOOL, INT
from g2o.lowering.context import substitute
from g2o.lowering.index_sets import Edges
from g2o.lowering.indices import block_of


def over_runs(
    loop: CountedLoop,
    first: Symbol,
    edges: Edges,
    symbols: SymbolTable,
    inside: Callable[[Expr], tuple[Stmt, ...]],
) -> For:
    """`for (int from = lower, to; from < upper; from = to) { to = ...; ... }` around what is
    `inside` for the number at which a run ends. `first` is the first turn of a run."""
    ctype = first.type
    to = VarRef(symbols.fresh("to", ctype, Storage.LOCAL))
    counted = [Variable(first, ctype.spelling, "", loop.lower, "="), Variable(to.symbol, "")]
    end = loop.upper
    if not isinstance(strip_parens(end), VarRef) and integer_value(end) is None:
        last = symbols.fresh("end", ctype, Storage.LOCAL)
        counted.append(Variable(last, "", "", end, "="))
        end = VarRef(last)
    until = ExprStatement(Assign("=", to, _end_of_run(loop.index, first, end, edges), ctype))
    return For(
        Declare(tuple(counted)),
        Binary("<", VarRef(first), end, BOOL),
        Assign("=", VarRef(first), to, ctype),
        block_of((until, *inside(to))),
    )


def _end_of_run(index: Symbol, run: Symbol, end: Expr, edges: Edges) -> Expr:
    """Where the run ends that begins with the turn `run`, at `end` at the latest."""
    first = VarRef(run)
    if edges.alone:
        limits = (", {", *_listed(edges.alone), "}")
        end = Code(("g2o::run_to_edge(", first, ", ", end, *limits, ")"), type=INT)
    above, below = _one_of("std::max", edges.floors), _one_of("std::min", edges.limits)
    if above is not None and below is not None:
        limits = (", ", above, ", ", below)
        end = Code(("g2o::run_within(", first, ", ", end, *limits, ")"), type=INT)
    elif above is not None:
        end = Code(("g2o::run_above(", first, ", ", end, ", ", above, ")"), type=INT)
    elif below is not None:
        end = Code(("g2o::run_below(", first, ", ", end, ", ", below, ")"), type=INT)
    for name, pairs in (("run_of_quotient", edges.quotients), ("run_of_mask", edges.masks)):
        for value, other in pairs:
            there = substitute(value, {index: first})
            parts = (f"g2o::{name}(", first, ", ", end, ", ", there, ", ", other, ")")
            end = Code(parts, type=INT)
    return end


def _listed(numbers: Iterable[Expr]) -> Iterator[str | Expr]:
    for position, number in enumerate(numbers):
        yield from (", ", number) if position else (number,)


def _one_of(name: str, numbers: tuple[Expr, ...]) -> Expr | None:
    if len(numbers) < 2:
        return next(iter(numbers), None)
    return Code((f"{name}<int>({{", *_listed(numbers), "})"), type=INT)


def spelled_out(number: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """The number with the values of variables in their place."""
    return substitute(number, {one: Paren(value, value.type) for one, value in values.items()})
