"""Loops that all threads of a block go through alike.

    for (int t = 0; t < T; ++t)                        for (int r = bx; r < rows; r += gx) {
        for (int r = bx; r < rows; r += gx) {              float f = factor[r];
            float f = factor[r];                ->         for (int t = 0; t < T; ++t)
            ... x[r * cols + t] *= f; ...                      ... x[r * cols + t] *= f; ...
        }                                              }

Legal because threads of one barrier interval do not see each other, and each still does the same
things in the same order. Values that do not depend on the thread are computed once in every turn:
were such a load stored to by a thread of the interval, the others would race with it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.ir.statements import Declare, For, JumpKind, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import TypeKind


@final
@dataclass(frozen=True, slots=True)
class AlikeLoop:
    """A loop with the same head for all threads: `values` stand in front of the threads, who each
    do the `rest`."""

    loop: For
    values: tuple[Declare, ...]
    rest: tuple[Stmt, ...]


def alike_loop(
    statement: Stmt, varying: Set[Symbol], outer: Stmt, effects: EffectsOf
) -> AlikeLoop | None:
    """The parts of `statement`, which stands in the body `outer` of loops over threads; None where
    it is no loop of that kind. `varying` are the indices of the threads."""
    if not isinstance(statement, For) or not isinstance(statement.initial, Declare):
        return None
    own = declared_in(statement.initial)
    private = declared_in(outer) - declared_in(statement)
    jumps = leaves_beyond(statement.body, frozenset({JumpKind.CONTINUE}))
    if symbols_in(statement) & private or jumps:
        return None
    head = (statement.initial, statement.condition, statement.increment)
    asked = effects.of_all([one for one in head if one is not None])
    inner = effects.of(statement.body)
    if asked.memory_reads or asked.memory_writes or asked.side_effects or asked.writes - own:
        return None
    named = {symbol for one in head if one is not None for symbol in symbols_in(one)}
    if named & (varying | inner.writes | declared_in(statement.body)):
        return None
    if inner.writes - declared_in(statement.body):
        return None
    values, rest = common_values(statement.body, varying, effects)
    return AlikeLoop(statement, values, rest)


def common_values(
    body: Stmt, varying: Set[Symbol], effects: EffectsOf
) -> tuple[tuple[Declare, ...], tuple[Stmt, ...]]:
    """The declarations at the head of `body` that are the same for all threads, and the rest."""
    values: list[Declare] = []
    rest = list(statements_of(body))
    changing = set(varying) | effects.of(body).writes | declared_in(body)
    while rest and isinstance(rest[0], Declare) and _is_value(rest[0], changing, effects):
        first = rest.pop(0)
        assert isinstance(first, Declare)
        values.append(first)
        changing -= declared_in(first)
    return tuple(values), tuple(rest)


def _is_value(declare: Declare, changing: Set[Symbol], effects: EffectsOf) -> bool:
    """Is it the same for all threads, and stays so?"""
    written = effects.of(declare).writes
    for variable in declare.variables:
        ctype, initial = variable.symbol.type, variable.initial
        if initial is None or not effects.of(initial).is_pure or symbols_in(initial) & changing:
            return False
        if not (ctype.is_arithmetic or ctype.kind is TypeKind.POINTER):
            return False
    return not (written - declared_in(declare))
