"""One record for a value that several statements ask for while it stays what it is.

    kept_h.push(h);                      kept_h.push(h);
    v = v + h * a;                       v = v + h * a;
    kept_h2.push(h);                     w = w + h * v;
    w = w + h * v;                ->     ...
    ...                                  const double old_h = kept_h.pop();
    const double old_h2 = kept_h2.pop(); ... old_h ... old_h ...
    ... old_h2 ...
    const double old_h = kept_h.pop();
    ... old_h ...

Every tape has one place where it is pushed to, and one where it is popped from. Legal where those
of both tapes stand in the same braces, so that both hold as many values in the same order, and
nothing between the pushes changes the value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import final

from g2o.ad.origins import Origins, find_origins
from g2o.ad.reals import fields_of
from g2o.analysis.effects import EffectsOf, is_tape_call, root_symbol, symbols_in
from g2o.ir.comments import change_statements
from g2o.ir.expressions import Assign, Call, Expr, Form, Index, Member, VarRef
from g2o.ir.statements import Barrier, Block, Declare, Exchange, ExprStatement, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import TypeKind

_Lists = list[tuple[Stmt, ...]]


def with_shared_records(
    statements: tuple[Stmt, ...], made: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    """`statements` in which the records `made` by differentiation hold different values."""
    body = Block(statements)
    origins = find_origins(body)
    lists = [statements, *(one.statements for one in walk(body) if isinstance(one, Block))]
    popped = {tape: (at, place) for tape, at, place in _pops(lists)}
    gone: set[Symbol] = set()
    renamed: dict[Symbol, Symbol] = {}
    tape_of: dict[Symbol, Symbol] = {}
    for group in (group for one in lists for group in _groups(one, made, effects, origins)):
        first, *others = group
        if not any(one in popped for one in group):  # constants
            gone.update(others)
            renamed.update(dict.fromkeys(others, first))
            continue
        together = [one for one in group if one in popped and popped[one][0] == popped[first][0]]
        names = {one: _declared(lists[popped[one][0]][popped[one][1]]) for one in together}
        together = [one for one in together if names[one].type == names[first].type]
        earliest = min(together, key=lambda one: popped[one][1])
        for one in together:
            if one is not first:
                gone.add(one)
            if one is not earliest:
                gone.add(names[one])
                renamed[names[one]] = names[earliest]
        tape_of[names[earliest]] = first
    if not gone:
        return statements

    def changed(statement: Stmt) -> Stmt | None:
        match statement:
            case Declare(variables=(variable,)) if variable.symbol in gone:
                return None
            case Declare(variables=(variable,)) if variable.symbol in tape_of:
                tape = _tape(variable.initial)
                assert tape is not None
                return rename_symbols(statement, {tape: tape_of[variable.symbol]})
            case ExprStatement(expr=expr) if _tape(expr) in gone:
                return None
            case _:
                return statement

    left = change_statements(replace(body, form=Form.BUILT), changed).statements
    return tuple(rename_symbols(one, renamed) for one in left)


def _declared(statement: Stmt) -> Symbol:
    assert isinstance(statement, Declare)
    return statement.variables[0].symbol


def _tape(expr: Expr | None) -> Symbol | None:
    """The tape that is pushed to, or popped from."""
    is_call = isinstance(expr, Call) and is_tape_call(expr)
    return root_symbol(expr.callee) if is_call and isinstance(expr, Call) else None


def _pops(lists: _Lists) -> Iterator[tuple[Symbol, int, int]]:
    """The tapes that give a variable its value, with the place of its declaration."""
    for at, statements in enumerate(lists):
        for place, statement in enumerate(statements):
            match statement:
                case Declare(variables=(variable,)) if (
                    tape := _tape(variable.initial)
                ) is not None:
                    yield tape, at, place
                case _:
                    pass


def _groups(
    statements: tuple[Stmt, ...], made: Collection[Symbol], effects: EffectsOf, origins: Origins
) -> list[list[Symbol]]:
    """Records of the same value, in order."""
    known = _Known(effects, origins)
    found: list[list[Symbol]] = []
    for statement in statements:
        record = _record(statement, made)
        if record is None:
            known.forget(statement)
            continue
        symbol, is_tape, value = record
        group = known.group(is_tape, value)
        group.append(symbol)
        if len(group) == 2:
            found.append(group)
    return found


@final
@dataclass(frozen=True, slots=True)
class _Value:
    """What may change a value: what it is read through, and whether memory is read for it, such
    that other writes may meet it."""

    key: tuple[bool, Expr]
    group: list[Symbol]
    read: frozenset[Symbol | None]
    in_memory: bool
    may_meet: bool


@final
@dataclass(slots=True)
class _Known:
    """Values that are kept, by what they are read through: most statements change few of many."""

    effects: EffectsOf
    origins: Origins
    values: dict[tuple[bool, Expr], _Value] = field(default_factory=dict[tuple[bool, Expr], _Value])
    reading: dict[Symbol | None, set[tuple[bool, Expr]]] = field(
        default_factory=dict["Symbol | None", "set[tuple[bool, Expr]]"]
    )
    in_memory: set[tuple[bool, Expr]] = field(default_factory=set[tuple[bool, Expr]])

    def group(self, is_tape: bool, value: Expr) -> list[Symbol]:
        """The records of the value so far."""
        key = (is_tape, value)
        if key not in self.values:
            own = self.effects.of(value)
            read = symbols_in(value) | _places(own.reads | own.memory_reads, self.origins)
            pointers = {one for one in own.memory_reads if one is not None}
            led = {root for one in pointers for root in self.origins.resolve(one)}
            apart = None not in own.memory_reads and all(map(_is_own_array, led))
            in_memory = bool(own.memory_reads)
            self.values[key] = _Value(key, [], frozenset(read), in_memory, not apart)
            for one in read:
                self.reading.setdefault(one, set()).add(key)
            if in_memory:
                self.in_memory.add(key)
        return self.values[key].group

    def forget(self, statement: Stmt) -> None:
        """The values that the statement may change are others from here on."""
        if not self.values:
            return
        found = self.effects.of(statement)
        written = _places(found.writes | found.memory_writes, self.origins)
        if None in written:
            changed = set(self.values)
        else:
            changed = {key for one in written for key in self.reading.get(one, ())}
            waits = any(isinstance(node, (Barrier, Exchange)) for node in walk(statement))
            ordered = waits or found.side_effects
            if ordered or found.memory_writes:
                values = (self.values[key] for key in self.in_memory)
                changed |= {
                    one.key for one in values if (one.in_memory if ordered else one.may_meet)
                }
        for key in changed:
            if not _is_other_member(statement, key[1]):
                gone = self.values.pop(key)
                self.in_memory.discard(key)
                for one in gone.read:
                    self.reading[one].discard(key)


def _record(statement: Stmt, made: Collection[Symbol]) -> tuple[Symbol, bool, Expr] | None:
    """What keeps a value, whether that is a tape, and the value."""
    match statement:
        case ExprStatement(expr=Call(name="push", arguments=(value,)) as call):
            tape = _tape(call)
            return None if tape is None else (tape, True, value)
        case Declare(variables=(variable,)) if variable.symbol in made:
            value = variable.initial
            is_const = variable.declared.startswith("const ")
            if is_const and isinstance(value, (VarRef, Index, Member)):
                return variable.symbol, False, value
            return None
        case _:
            return None


def _places(symbols: Collection[Symbol | None], origins: Origins) -> set[Symbol | None]:
    """The variables, and what pointers among them lead into; None for anything."""
    found: set[Symbol | None] = set()
    for one in symbols:
        found |= {None} if one is None else {one} | origins.resolve(one)
    return found


def _is_own_array(symbol: Symbol | None) -> bool:
    """Is it an array of the thread, which no pointer leads into but those known to do so?"""
    if symbol is None:
        return False
    return symbol.storage is Storage.LOCAL and symbol.type.kind is TypeKind.ARRAY


def _is_other_member(statement: Stmt, value: Expr) -> bool:
    """Does the statement give a value to another member of the same variable, and no more?"""
    match statement, value:
        case (
            ExprStatement(expr=Assign(target=Member(base=VarRef(symbol=one), name=name))),
            Member(base=VarRef(symbol=other), name=own),
        ):
            return one == other and name != own and bool(fields_of(one.type))
        case _:
            return False
