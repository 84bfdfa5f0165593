"""Statements of a loop that do the same in every turn, so that doing them once will do.

    for (int t = 0; t < 64; ++t) {              float sum = 0.0f;
        float sum = 0.0f;                       for (int k = 0; k < n; ++k)
        for (int k = 0; k < n; ++k)     ->          sum += w[k];
            sum += w[k];                        for (int t = 0; t < 64; ++t)
        y[t] = x[t] / sum;                          y[t] = x[t] / sum;
    }

A variable goes out of the loop with all statements that write it, when these are reached in every
turn, write nothing but such variables, and read nothing that the loop changes otherwise; and when
what stays reads the variable behind the last of them. Only what is worth it moves: a loop or a
costly call, and what these need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.effect_sets import Effects
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.ir.expressions import Verbatim
from g2o.ir.statements import (
    Barrier,
    CountedLoop,
    Declare,
    DoWhile,
    Exchange,
    For,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind
from g2o.transforms.invariants import Invariant, is_of_thread, made_in

_SCALARS: Final = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL, TypeKind.DEPENDENT)


def uniform_slice(
    body: Stmt, fixed: Invariant, is_costly: Callable[[Node], bool]
) -> tuple[int, ...]:
    """Positions of the statements of `body` to move, in order."""
    slicer = _Slicer(statements_of(body), fixed, is_costly)
    return slicer.solve()


def reached(statements: tuple[Stmt, ...]) -> int:
    """How many statements from the first on every turn of the loop runs."""
    for position, statement in enumerate(statements):
        if isinstance(statement, (Text, LocalFunction)):
            return position
        if leaves_beyond(statement, frozenset()):
            return position + 1
    return len(statements)


@final
@dataclass(slots=True)
class _Slicer:
    statements: tuple[Stmt, ...]
    fixed: Invariant
    is_costly: Callable[[Node], bool]
    effects: list[Effects] = field(default_factory=list[Effects])
    writers: dict[Symbol, list[int]] = field(default_factory=dict[Symbol, list[int]])

    def solve(self) -> tuple[int, ...]:
        count = reached(self.statements)
        if not any(self._is_worth_it(statement) for statement in self.statements[:count]):
            return ()
        self.effects = [self.fixed.effects.of(statement) for statement in self.statements]
        self.writers = self._writers(count)
        while True:
            kept = self._kept(count)
            if len(kept) == len(self.writers):
                moved = self._needed(count)
                early = self._read_early(moved)
                if not early:
                    return tuple(sorted(moved))
                kept = {symbol for symbol in kept if symbol not in early}
            self.writers = {symbol: self.writers[symbol] for symbol in kept}

    def _writers(self, count: int) -> dict[Symbol, list[int]]:
        """Where each of the variables is written that the first statements declare."""
        places: dict[Symbol, list[int]] = {
            symbol: []
            for statement in self.statements[:count]
            for symbol in _declared_alone(statement)
        }
        for position, found in enumerate(self.effects):
            for symbol in (found.writes | declared_in(self.statements[position])) & places.keys():
                places[symbol].append(position)
        return places

    def _kept(self, count: int) -> set[Symbol]:
        """Variables that only statements write which do the same in every turn."""
        same = {
            position
            for position in {place for places in self.writers.values() for place in places}
            if position < count and self._does_the_same(position)
        }
        return {symbol for symbol, places in self.writers.items() if same.issuperset(places)}

    def _does_the_same(self, position: int) -> bool:
        statement, found = self.statements[position], self.effects[position]
        if found.side_effects or found.memory_writes or is_of_thread(statement):
            return False
        if leaves_beyond(statement, frozenset()) or any(map(_is_opaque, walk(statement))):
            return False
        own = made_in(statement)
        free = own | self.writers.keys()
        if not found.writes <= free:
            return False
        named = symbols_in(statement)
        if any(symbol.type.innermost.is_volatile for symbol in named):
            return False
        return not (named - free) & self.fixed.changing and self.fixed.reads_unwritten(
            found.memory_reads
        )

    def _needed(self, count: int) -> set[int]:
        """What is worth it, and all that the variables in it depend on."""
        same = {place for places in self.writers.values() for place in places}
        moved = {
            position
            for position in same
            if position < count and self._is_worth_it(self.statements[position])
        }
        pending = list(moved)
        while pending:
            statement = self.statements[pending.pop()]
            for symbol in symbols_in(statement) & self.writers.keys():
                for place in self.writers[symbol]:
                    if place not in moved:
                        moved.add(place)
                        pending.append(place)
        return moved

    def _read_early(self, moved: set[int]) -> set[Symbol]:
        """Variables that something that stays reads before they have their last value."""
        early: set[Symbol] = set()
        for symbol, places in self.writers.items():
            if not moved & set(places):
                continue
            before = (p for p in range(max(places)) if p not in moved)
            if any(symbol in symbols_in(self.statements[place]) for place in before):
                early.add(symbol)
        return early

    def _is_worth_it(self, statement: Stmt) -> bool:
        loops = (For, While, DoWhile)
        return any(isinstance(node, loops) or self.is_costly(node) for node in walk(statement))


def _declared_alone(statement: Stmt) -> tuple[Symbol, ...]:
    """The scalar that a statement declares and nothing else."""
    match statement:
        case Declare(variables=(variable,)):
            symbol = variable.symbol
            plain = not variable.suffix and variable.declared not in ("", "auto")
            return (symbol,) if plain and symbol.type.kind in _SCALARS else ()
        case _:
            return ()


def _is_opaque(node: Node) -> bool:
    kinds = (Text, LocalFunction, Verbatim, Barrier, Exchange, Labelled)
    if isinstance(node, CountedLoop):
        return bool(node.pragma)
    return isinstance(node, kinds)
