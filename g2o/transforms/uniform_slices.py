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
    """`writers` are the variables that may be the same in every turn, with the statements that
    write them; `needs` what has to be the same for a statement to be: None where it never is."""

    statements: tuple[Stmt, ...]
    fixed: Invariant
    is_costly: Callable[[Node], bool]
    writers: dict[Symbol, list[int]] = field(default_factory=dict[Symbol, list[int]])
    needs: dict[int, set[Symbol] | None] = field(default_factory=dict[int, "set[Symbol] | None"])
    named: list[set[Symbol]] = field(default_factory=list[set[Symbol]])

    def solve(self) -> tuple[int, ...]:
        count = reached(self.statements)
        if not any(self._is_worth_it(statement) for statement in self.statements[:count]):
            return ()
        effects = [self.fixed.effects.of(statement) for statement in self.statements]
        self.named = [symbols_in(statement) for statement in self.statements]
        self.writers = self._writers(effects, count)
        for position in {place for places in self.writers.values() for place in places}:
            self.needs[position] = self._needs(position, effects[position], count)
        gone = {
            symbol
            for symbol, places in self.writers.items()
            if any(self.needs[place] is None for place in places)
        }
        while True:
            self._drop(gone)
            moved = self._needed()
            gone = self._read_early(moved)
            if not gone:
                return tuple(sorted(moved))

    def _writers(self, effects: list[Effects], count: int) -> dict[Symbol, list[int]]:
        """Where each of the variables is written that the first statements declare."""
        places: dict[Symbol, list[int]] = {
            symbol: []
            for statement in self.statements[:count]
            for symbol in _declared_alone(statement)
        }
        for position, found in enumerate(effects):
            for symbol in (found.writes | declared_in(self.statements[position])) & places.keys():
                places[symbol].append(position)
        return places

    def _needs(self, position: int, found: Effects, count: int) -> set[Symbol] | None:
        """The variables that have to be the same in every turn for the statement to do the same:
        all that it writes, and what it reads of what the loop changes."""
        statement = self.statements[position]
        if position >= count or found.side_effects or found.memory_writes:
            return None
        if is_of_thread(statement) or leaves_beyond(statement, frozenset()):
            return None
        if any(map(_is_opaque, walk(statement))):
            return None
        named = self.named[position]
        if any(symbol.type.innermost.is_volatile for symbol in named):
            return None
        needs = (found.writes | (named & self.fixed.changing)) - made_in(statement)
        known = needs <= self.writers.keys() and self.fixed.reads_unwritten(found.memory_reads)
        return needs if known else None

    def _drop(self, gone: set[Symbol]) -> None:
        """These variables are not the same in every turn, nor is what is made from them."""
        needed_by: dict[Symbol, list[int]] = {}
        for place, needs in self.needs.items():
            for symbol in needs or ():
                needed_by.setdefault(symbol, []).append(place)
        written_by: dict[int, list[Symbol]] = {}
        for symbol, places in self.writers.items():
            for place in places:
                written_by.setdefault(place, []).append(symbol)
        pending = list(gone)
        while pending:
            symbol = pending.pop()
            if self.writers.pop(symbol, None) is not None:
                for place in needed_by.get(symbol, ()):
                    pending.extend(written_by.get(place, ()))

    def _needed(self) -> set[int]:
        """What is worth it, and all that the variables in it depend on."""
        same = {place for places in self.writers.values() for place in places}
        moved = {position for position in same if self._is_worth_it(self.statements[position])}
        pending = list(moved)
        while pending:
            for symbol in self.named[pending.pop()] & self.writers.keys():
                for place in self.writers[symbol]:
                    if place not in moved:
                        moved.add(place)
                        pending.append(place)
        return moved

    def _read_early(self, moved: set[int]) -> set[Symbol]:
        """Variables that something that stays reads before they have their last value."""
        first: dict[Symbol, int] = {}  # what stays and names a variable
        for position, named in enumerate(self.named):
            for symbol in () if position in moved else named:
                first.setdefault(symbol, position)
        return {
            symbol
            for symbol, places in self.writers.items()
            if not moved.isdisjoint(places) and first.get(symbol, max(places)) < max(places)
        }

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
        return bool(node.directive)
    return isinstance(node, kinds)
