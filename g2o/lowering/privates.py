"""Thread-private values that live across barriers: computed again, or kept in an array.

    int i = bx * block.x + t;      // used before and after the barrier: computed again
    float sum = a[i];              // a load: kept in `sum[t]`

A minimum cut decides which values of a chain to keep (`analysis/mincut.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.addressing import addressed
from g2o.analysis.effects import EffectsOf, declared_in, is_memory, symbols_in
from g2o.analysis.memory import Memory
from g2o.analysis.mincut import minimum_vertex_cut
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import (
    Call,
    Cast,
    InitList,
    Literal,
    Remote,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import Declare, DoWhile, For, If, Node, Stmt, Switch, Variable, While
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.intervals import (
    Interval,
    Item,
    Once,
    Structured,
    intervals_in,
    structured_in,
)

_OWN = (Storage.LOCAL, Storage.BLOCK)
_DECLTYPE = re.compile(r"\bdecltype\s*\(\s*\(*\s*(\w+)")


@final
@dataclass(slots=True)
class Privates:
    """`kept` go into arrays; `again` maps an interval to the declarations to repeat in it."""

    kept: list[Symbol] = field(default_factory=list[Symbol])
    again: dict[int, list[Declare]] = field(default_factory=dict[int, "list[Declare]"])
    repeatable: set[Symbol] = field(default_factory=set[Symbol])  # and not kept
    declarations: dict[Symbol, Variable] = field(default_factory=dict[Symbol, Variable])


@final
class PrivateAnalysis:
    """`guarding` are the variables of the conditions under which threads skip an interval. What an
    interval names it uses, and all that this may lead to."""

    def __init__(
        self,
        items: list[Item],
        effects: EffectsOf,
        memory: Memory,
        once: set[Symbol],
        written: set[Symbol],
        never_written: set[Symbol],
        guarding: Mapping[int, set[Symbol]],
    ) -> None:
        self.items = items
        self.effects = effects
        self.memory = memory
        self.once = once
        self.written = written
        self.never_written = never_written
        self.guarding = guarding
        self.declared: dict[Symbol, tuple[int, Variable, Declare]] = {}
        self.uses: dict[Symbol, set[int]] = {}
        self.scopes = dict(_scopes(items))
        self.inside = {one for item in items for one in _declared_within(item)}
        self.counters = dict(_counters(items, effects, frozenset()))
        self._collect()

    def _collect(self) -> None:
        for interval in intervals_in(self.items):
            for statement in interval.statements:
                if isinstance(statement, Declare):
                    for variable in statement.variables:
                        self._declare(interval, variable, statement)
            self._use(self._named(interval), interval.number)
        for structured in structured_in(self.items):
            self._use(_control_symbols(structured), -structured.first_interval)

    def _use(self, named: set[Symbol], number: int) -> None:
        for symbol in named | self.memory.reached(named):
            if symbol is not None:
                self.uses.setdefault(symbol, set()).add(number)

    def _named(self, interval: Interval) -> set[Symbol]:
        """What the interval names, with the conditions that keep threads out of it."""
        found = set(self.guarding.get(interval.number, set[Symbol]()))
        for statement in interval.statements:
            found |= symbols_in(statement)
        return found

    def _declare(self, interval: Interval, variable: Variable, statement: Declare) -> None:
        if variable.symbol.storage is Storage.LOCAL and variable.symbol not in self.once:
            self.declared[variable.symbol] = (interval.number, variable, statement)

    def solve(self) -> Privates:
        result = Privates()
        across = [symbol for symbol in self.declared if self._is_across(symbol)]
        result.repeatable = {symbol for symbol in self.declared if self._is_repeatable(symbol)}
        if not across and not self._read_by_others():
            return result
        operands = {symbol: self._operands(symbol) for symbol in self.declared}
        repeatable = result.repeatable
        cost = {symbol: self._cost(symbol) for symbol in self.declared}
        controlling = {s for item in structured_in(self.items) for s in _control_symbols(item)}
        exchanged = self._read_by_others()
        across = [s for s in self.declared if s in exchanged or s in set(across)]
        forced = controlling | exchanged
        while True:
            fixed = [s for s in self.declared if s not in repeatable or s in forced]
            kept = minimum_vertex_cut(operands, fixed, across, cost)
            lasting = self._led_to(repeatable - kept)
            if lasting <= forced:
                break
            forced |= lasting
        result.kept = [symbol for symbol in self.declared if symbol in kept]
        for symbol in result.kept:
            _check_may_be_kept(self.declared[symbol][1])
        if result.kept:
            _check_types_asked_for({one.name for one in result.kept}, self.items)
        result.repeatable = repeatable - kept
        result.declarations = {symbol: self.declared[symbol][1] for symbol in result.kept}
        for interval in intervals_in(self.items):
            repeated = self._closure(self._named(interval), kept, interval.number)
            result.again[interval.number] = [
                Declare((self.declared[symbol][1],))
                for symbol in self.declared
                if symbol in repeated
            ]
        return result

    def _led_to(self, made_again: set[Symbol]) -> set[Symbol]:
        """What pointers that are not made again in each interval lead to."""
        holding = {symbol for symbol in self.memory.held if symbol not in made_again}
        led = self.memory.reached(holding)
        return {symbol for symbol in self.declared if symbol in led and self._is_across(symbol)}

    def _is_across(self, symbol: Symbol) -> bool:
        """Is it used in another interval, as long as it is there? Nobody may follow a pointer to
        what has left its scope."""
        uses = self.uses.get(symbol, set[int]()) & self.scopes[symbol]
        return bool(uses - {self.declared[symbol][0]})

    def _read_by_others(self) -> set[Symbol]:
        """Variables whose values other threads look at."""
        nodes: list[Node] = []
        for interval in intervals_in(self.items):
            nodes.extend(interval.statements)
        nodes.extend(once_statements(self.items))
        return {n.symbol for node in nodes for n in walk(node) if isinstance(n, Remote)}

    def _closure(self, wanted: set[Symbol], kept: set[Symbol], number: int) -> set[Symbol]:
        """Declarations to repeat so that `wanted` are there in interval `number`."""
        found: set[Symbol] = set()
        pending = [s for s in wanted if s in self.declared]
        while pending:
            symbol = pending.pop()
            home = self.declared[symbol][0]
            if symbol in kept or symbol in found or home == number:
                continue
            found.add(symbol)
            pending.extend(s for s in self._operands(symbol) if s in self.declared)
        return found

    def _operands(self, symbol: Symbol) -> set[Symbol]:
        variable = self.declared[symbol][1]
        return set[Symbol]() if variable.initial is None else symbols_in(variable.initial)

    def _is_repeatable(self, symbol: Symbol) -> bool:
        """Would the initialiser give the same value again, at no great cost?"""
        _, variable, _ = self.declared[symbol]
        if variable.initial is None:
            return False
        if isinstance(variable.initial, Verbatim) and variable.initial.copied is not None:
            return self._stay(self._captured(variable.initial.copied))
        if symbol in self.written and not _is_made_of_references(symbol.type):
            return False
        if symbol.type.kind is TypeKind.ARRAY and not _is_table(variable):
            return False
        places, values = addressed(variable.initial, symbol.type)
        found = self.effects.of_all(values)
        if found.writes or found.memory_writes or found.side_effects:
            return False
        changing = self.written - self.counters[symbol]
        if found.reads & changing or not found.memory_reads <= self.never_written:
            return False
        own = {one for one in found.reads | places if one.storage in _OWN}
        if symbol.type.kind is not TypeKind.RECORD:
            own &= self.inside  # what is declared around all intervals is there in each
        return all(one in self.declared or one in self.once for one in own)

    def _captured(self, copied: frozenset[Symbol]) -> set[Symbol]:
        """What a lambda has copied; it also names parameters and variables of its own."""
        return {one for one in copied if one in self.declared or one.storage is Storage.PARAMETER}

    def _stay(self, copied: set[Symbol]) -> bool:
        """Do variables of which there are copies, and what those that are references stand for,
        have the same values all along?"""
        references = [one for one in copied if one.type.kind is TypeKind.REFERENCE]
        behind = {one for each in references for one in self.memory.objects(VarRef(each))}
        variables = {one for one in behind if one is not None and not is_memory(one)}
        return not (copied | variables) & self.written and behind - variables <= self.never_written

    def _cost(self, symbol: Symbol) -> int:
        return max(1, symbol.type.bits // 8) + (1000 if symbol.type.kind is TypeKind.ARRAY else 0)


def _is_table(variable: Variable) -> bool:
    """Is this a constant array with its elements written out?"""
    initial = variable.initial
    return (
        variable.symbol.type.innermost.is_const
        and isinstance(initial, InitList)
        and all(isinstance(node, (InitList, Literal)) for node in walk(initial))
    )


def _declared_within(item: Item) -> set[Symbol]:
    statements = item.statements if isinstance(item, Interval) else [item.statement]
    return {symbol for one in statements for symbol in declared_in(one)}


def _scopes(items: list[Item]) -> Iterator[tuple[Symbol, frozenset[int]]]:
    """The variables, with the intervals and the heads of control flow that are in their scopes:
    those from the declaration on, which each turn of a loop around makes anew."""
    for place, item in enumerate(items):
        match item:
            case Interval(statements=statements):
                numbers = frozenset(_numbers(items[place:]))
                for statement in statements:
                    if isinstance(statement, Declare):
                        yield from ((one.symbol, numbers) for one in statement.variables)
            case Structured(parts=parts):
                for part in parts:
                    yield from _scopes(part)
            case Once():
                pass


def _counters(
    items: list[Item],
    effects: EffectsOf,
    around: Set[Symbol],
    stepped: Set[Symbol] = frozenset(),
    behind: Set[Symbol] = frozenset(),
) -> Iterator[tuple[Symbol, Set[Symbol]]]:
    """The variables, with what changes elsewhere in the kernel, but not from their declaration to
    the end of the iteration, beyond which no variable of its body lives: what only heads of loops
    change, and what an iteration has `stepped` before. `behind` is changed behind the items."""
    for item in reversed(items):
        match item:
            case Interval(statements=statements):
                for statement in reversed(statements):
                    behind = behind | effects.of(statement).writes
                    if isinstance(statement, Declare):
                        same = around | (stepped - behind)
                        yield from ((one.symbol, same) for one in statement.variables)
            case Structured(statement=For() | While() | DoWhile() as loop, parts=parts):
                changed = effects.of(loop.body).writes
                inner = (around | stepped) - effects.of(loop).writes
                if isinstance(loop, For):
                    inner = inner | (effects.of(loop).writes - changed)
                for part in parts:
                    yield from _counters(part, effects, inner, changed)
                behind = behind | effects.of(loop).writes
            case Structured(statement=statement, parts=parts):
                changed = effects.of(statement).writes
                behind = behind | changed
                for part in parts:
                    yield from _counters(part, effects, around - changed, stepped, behind)
            case Once(statement=statement):
                behind = behind | effects.of(statement).writes


def _numbers(items: list[Item]) -> Iterator[int]:
    for item in items:
        match item:
            case Interval(number=number):
                yield number
            case Structured(first_interval=first, parts=parts):
                yield -first
                for part in parts:
                    yield from _numbers(part)
            case Once():
                pass


def _is_made_of_references(ctype: CType) -> bool:
    """Do all objects of the class stay what they are made as?"""
    kinds = {member.kind for _, member in ctype.fields}
    return kinds == {TypeKind.REFERENCE} and ctype.kind is TypeKind.RECORD


def _has_reference(ctype: CType) -> bool:
    """Is a member of the class, or of the classes of its members, a reference?"""
    members = [member.innermost for _, member in ctype.innermost.fields]
    return any(one.kind is TypeKind.REFERENCE or _has_reference(one) for one in members)


def _check_may_be_kept(variable: Variable) -> None:
    """What is kept for each thread needs a type with a name, and is given its value later."""
    if _has_reference(variable.symbol.type):
        where = None if variable.initial is None else variable.initial.span
        message = f"'{variable.symbol.name}', whose class has a reference, behind a barrier"
        told = Note("make it again behind the barrier, or let the class hold a pointer", where)
        raise refuse("G2O0201", message, where, told)
    if "(lambda at" in variable.symbol.type.spelling:
        where = None if variable.initial is None else variable.initial.span
        message = f"lambda '{variable.symbol.name}' that is used behind a barrier"
        told = Note("what it has captured changes, or it changes itself: declare it again", where)
        raise refuse("G2O0201", message, where, told)


def _check_types_asked_for(names: set[str], items: list[Item]) -> None:
    """`width<decltype(x)>()` would ask for the type of an array. Declarations are printed with the
    types that they have."""
    for interval in intervals_in(items):
        for node in (node for one in interval.statements for node in walk(one)):
            if not isinstance(node, (Call, Cast, Verbatim)) or node.span is None:
                continue
            asked = set(_DECLTYPE.findall(node.span.text)) & names
            if asked:
                message = f"type of '{asked.pop()}', which threads keep over a barrier,"
                told = Note("write the type that it has")
                raise refuse("G2O0201", f"{message} in an expression", node.span, told)


def _control_symbols(structured: Structured) -> set[Symbol]:
    """Variables that the control flow itself names, outside of its bodies."""
    found: set[Symbol] = set()
    for child in control_parts(structured.statement):
        found |= symbols_in(child)
    return found


def control_parts(statement: Stmt) -> list[Node]:
    match statement:
        case If(condition=condition) | While(condition=condition) | DoWhile(condition=condition):
            return [condition]
        case Switch(condition=condition):
            return [condition]
        case For(initial=initial, condition=condition, increment=increment):
            return [part for part in (initial, condition, increment) if part is not None]
        case _:
            return []


def once_statements(items: list[Item]) -> list[Stmt]:
    """What is done once, wherever it stands."""
    found: list[Stmt] = []
    for item in items:
        if isinstance(item, Once):
            found.append(item.statement)
        elif isinstance(item, Structured):
            for part in item.parts:
                found.extend(once_statements(part))
    return found


def needed_first(repeated: list[Stmt], guards: list[Stmt]) -> list[Stmt]:
    """Those of the repeated declarations that the guards depend on."""
    named: set[Symbol] = set()
    for guard in guards:
        named |= symbols_in(guard)
    result: list[Stmt] = []
    for statement in reversed(repeated):
        if isinstance(statement, Declare) and statement.variables[0].symbol in named:
            result.append(statement)
            named |= symbols_in(statement)
    result.reverse()
    return result
