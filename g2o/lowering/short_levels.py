"""Trees of threads whose last levels are no loops over vectors.

    for (int s = block.x / 2; s > 0; s >>= 1) {        int s = block.x / 2;
    #pragma omp simd                                   for (; s > 8; s >>= 1) {
        for (int t = 0; t < s; ++t)                    #pragma omp simd
            buf[t] += buf[t + s];                          for (int t = 0; t < s; ++t)
    }                                           ->             buf[t] += buf[t + s];
                                                       }
                                                       for (; s > 0; s >>= 1)
                                                           for (int t = 0; t < s; ++t)
                                                               buf[t] += buf[t + s];

A level of few threads is done one by one behind the vectors; the next level's vector would have to
wait until these stores are in memory. Legal in any case: the same is done in the same order.
Compilers do it themselves where the tree begins with a constant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.expressions import Binary, Form, Literal, VarRef
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    For,
    Node,
    Stmt,
    Trivia,
)
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite
from g2o.ir.types import BOOL, INT
from g2o.lowering.lane_trees import halving

_SHORT: Final = 8  # floats of the widest vectors that many machines have
_WHY: Final = Trivia(("// The last levels are too short for vectors.",))


def split_off_short_levels(statements: tuple[Stmt, ...], symbols: SymbolTable) -> tuple[Stmt, ...]:
    """Put the last levels of trees into loops of their own."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, Block):
            inner = split_off_short_levels(node.statements, symbols)
            return (
                node
                if inner is node.statements
                else replace(node, statements=inner, form=Form.BUILT)
            )
        parts = _split(node, set(), symbols) if isinstance(node, For) else None
        return None if parts is None else Block(parts)

    names = {symbol.name for one in statements for symbol in _declared(one)}
    result: list[Stmt] = []
    for statement in statements:
        parts = _split(statement, names, symbols) if isinstance(statement, For) else None
        if parts is None:
            result.append(rewrite(statement, replacement))
            continue
        names |= {symbol.name for symbol in declared_in(parts[0])}
        result.extend(parts)
    same = len(result) == len(statements) and all(
        after is before for after, before in zip(result, statements, strict=True)
    )
    return statements if same else tuple(result)


def _declared(statement: Stmt) -> Iterable[Symbol]:
    return declared_in(statement) if isinstance(statement, Declare) else ()


def _split(loop: For, names: set[str], symbols: SymbolTable) -> tuple[Stmt, ...] | None:
    """The variable of the tree, with another name where one of the `names` would be declared twice,
    and the two loops."""
    halves = halving(loop)
    body = statements_of(loop.body)
    if halves is None or not symbols_in(halves.start):
        return None
    match body:
        case (CountedLoop(pragma="omp simd", upper=VarRef(symbol=upper)) as threads,) if (
            upper == halves.offset
        ):
            pass
        case _:
            return None
    size = halves.offset
    if size.name in names:
        size = symbols.fresh(size.name, size.type, size.storage)
        loop = rename_symbols(loop, {halves.offset: size})
        (threads,) = statements_of(loop.body)
        assert isinstance(threads, CountedLoop)
    assert isinstance(loop.initial, Declare)
    long = Binary(">", VarRef(size), Literal(str(_SHORT), _SHORT, INT), BOOL)
    first = replace(loop, initial=None, condition=long, trivia=NO_TRIVIA, form=Form.BUILT)
    each = replace(threads, pragma="", trivia=NO_TRIVIA)
    last = replace(loop, initial=None, body=each, trivia=_WHY, form=Form.BUILT)
    return replace(loop.initial, trivia=loop.trivia), first, last
