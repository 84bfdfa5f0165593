"""Where variables and memory are written, and what keeps its value until the reverse sweep.

The reverse sweep of a statement runs when everything behind it has run, and all further iterations
of the loops around it. So what the statement read is still there then if nothing that may run
later writes it: nothing behind it in the text, nothing in a loop around both (but for variables
that each iteration declares anew).

The turns of a loop that counts may have an element each: `f[q]` of an earlier turn is still there
when a later turn has written `f[q]`, be it in a thread's small array or in memory.

For memory that other threads write, too, this holds of sources without races: between the
statement of one thread and a write further up in the text by another thread there is a barrier in
front of the statement, so the write came first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Final, final

from g2o.ad.iteration_order import Turn
from g2o.ad.later_writes import Numbers, is_met
from g2o.ad.loops import Counted, Stepped, counted, stepped
from g2o.ad.origins import Origins
from g2o.analysis.effects import EffectsOf, declared_in, is_memory, symbols_in
from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Index,
    Member,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind, may_share_memory

_MOST_WRITES: Final = 64
_SIGNALS: Final = ("atomic", "__threadfence")


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A point of the program: its number in the text, the loops around it, and conditions that hold
    there."""

    number: int
    loops: tuple[int, ...] = ()
    guards: tuple[Expr, ...] = field(default=(), compare=False)


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """The declaration of a variable, with its initial value."""

    variable: Variable
    statement: Declare
    place: Place


@final
@dataclass(slots=True)
class Places:
    """Writes of a kernel's body by variable, and behind pointers by what they point into.

    `restored` says of arrays whether the reverse sweep puts back what they held at a place.
    `counting` are the loops of counters, which are others in every turn; `elements` the counters
    with which statements, by their numbers, write elements of arrays and nothing else of these.
    `addressed` are variables that something else than their name may lead to. `turns` are the turns
    of loops that count and have no barriers, `stores` the elements that statements store, and no
    other memory, `heads` all loops that count. `waits`: may threads wait for each other, or, of
    `blocks_wait`, blocks?
    """

    origins: Origins
    assume_noalias: bool
    active: frozenset[Symbol]
    of_statement: dict[int, Place] = field(default_factory=dict[int, Place])
    definitions: dict[Symbol, Definition] = field(default_factory=dict[Symbol, Definition])
    writes: dict[Symbol, list[Place]] = field(default_factory=dict[Symbol, list[Place]])
    memory: list[tuple[Symbol | None, Place]] = field(
        default_factory=list["tuple[Symbol | None, Place]"]
    )
    has_barrier: bool = False
    restored: dict[Symbol, Callable[[Place], bool]] = field(
        default_factory=dict[Symbol, "Callable[[Place], bool]"]
    )
    counting: dict[Symbol, int] = field(default_factory=dict[Symbol, int])
    elements: dict[tuple[Symbol, int], Symbol] = field(
        default_factory=dict["tuple[Symbol, int]", Symbol]
    )
    addressed: frozenset[Symbol] = frozenset()
    turns: dict[int, Turn] = field(default_factory=dict[int, Turn])
    stores: dict[int, Index] = field(default_factory=dict[int, Index])
    heads: dict[int, Counted | Stepped] = field(default_factory=dict[int, "Counted | Stepped"])
    waits: bool = False
    blocks_wait: bool = False

    def place(self, statement: Stmt) -> Place:
        return self.of_statement[id(statement)]

    def is_single(self, symbol: Symbol) -> bool:
        """Is the variable only given a value where it is declared?"""
        definition = self.definitions.get(symbol)
        if definition is None or definition.variable.initial is None:
            return False
        return not self.writes.get(symbol)

    def keeps_variable(self, symbol: Symbol, at: Place) -> bool:
        """Does the variable keep the value that it has at a place?"""
        definition = self.definitions.get(symbol)
        around = definition.place.loops if definition is not None else ()
        return not any(_later(write, at, around) for write in self.writes.get(symbol, ()))

    def keeps_element(self, array: Symbol, counter: Symbol, at: Place) -> bool:
        """Does the element of a thread's own array that belongs to the turn keep its value?

        All that may write the array later is done in other turns of the same loop, with their own
        elements.
        """
        loop, definition = self.counting.get(counter), self.definitions.get(array)
        if loop is None or loop not in at.loops or definition is None or not is_private(array):
            return False
        around = definition.place.loops
        inside = len(around)
        for write in self.writes.get(array, ()):
            if not _later(write, at, around):
                continue
            if self.elements.get((array, write.number)) != counter or write.number >= at.number:
                return False
            if set(write.loops[inside:]) & set(at.loops[inside:]) != {loop}:
                return False
        return True

    def keeps_stored(self, element: Index, roots: Collection[Symbol | None], at: Place) -> bool:
        """Does an element of memory that the turn of a loop has stored keep that value?

        All that may write there later is the statement that has stored it, in other turns of one
        loop, each with another element. What other threads store meanwhile lies elsewhere, too, as
        no barrier is in the loop.
        """
        if any(root is None or is_private(root) for root in roots):
            return False  # what is written by its name is not among the memory
        for written, place in self.memory:
            if not _later(place, at, ()) or not any(self.may_alias(written, one) for one in roots):
                continue
            if place.number >= at.number or self.stores.get(place.number) != element:
                return False
            again = set(place.loops) & set(at.loops)
            turn = self.turns.get(next(iter(again)))
            if len(again) != 1 or turn is None:
                return False
            if self.addressed & symbols_in(element.base) or not turn.is_own(element):
                return False
        return True

    def keeps_place(self, element: Index, roots: Collection[Symbol | None], at: Place) -> bool:
        """Does an element of memory keep what it holds at a place, as all that is written behind
        it, or by later iterations, lies elsewhere?"""
        if any(root is None or is_private(root) for root in roots):
            return False
        behind = [
            place
            for written, place in self.memory
            if _later(place, at, ()) and any(self.may_alias(written, one) for one in roots)
        ]
        if len(behind) > _MOST_WRITES or any(one.number not in self.stores for one in behind):
            return False
        known = self.definitions, self.heads, self._changes, self._stays, self.may_alias
        numbers = Numbers(*known, self.waits, self.blocks_wait)
        return not any(is_met(element, at, self.stores[one.number], one, numbers) for one in behind)

    def _changes(self, symbol: Symbol) -> bool:
        """Does anything but its declaration give the variable a value?"""
        return bool(self.writes.get(symbol)) or symbol in self.addressed

    def _stays(self, load: Expr) -> bool:
        """Is the memory of a load never written?"""
        roots = self.origins.roots(load)
        if any(one is None or (is_private(one) and self._changes(one)) for one in roots):
            return False
        return not any(self.may_alias(written, one) for written, _ in self.memory for one in roots)

    def changes_only_behind(self, symbol: Symbol, at: Place) -> bool:
        """Has a thread's own variable its first value at a place that is in no loop?"""
        if any(root is None or root == symbol for root, _ in self.memory):
            return False
        return all(write.number > at.number for write in self.writes.get(symbol, ()))

    def keeps_memory(self, roots: Iterable[Symbol | None], at: Place) -> bool:
        """Does memory in these variables keep what it holds at a place?"""
        wanted = {root for root in roots if not self._is_restored(root, at)}
        for root in wanted:
            if root is not None and is_private(root) and not self.keeps_variable(root, at):
                return False
        for written, place in self.memory:
            definition = self.definitions.get(written) if written is not None else None
            own = definition is not None and written is not None and is_private(written)
            around = definition.place.loops if own and definition is not None else ()
            if _later(place, at, around) and any(self.may_alias(written, one) for one in wanted):
                return False
        return True

    def _is_restored(self, root: Symbol | None, at: Place) -> bool:
        restored = self.restored.get(root) if root is not None else None
        return restored is not None and restored(at)

    def may_alias(self, one: Symbol | None, other: Symbol | None) -> bool:
        """May memory reached through two variables be the same?"""
        if one == other:
            return True
        if one is None or other is None:
            known = other if one is None else one
            return known is None or not is_private(known)
        if is_private(one) or is_private(other) or _is_constant(one) or _is_constant(other):
            return False
        shared = (Storage.SHARED, Storage.DYNAMIC_SHARED)
        if one.storage in shared or other.storage in shared:
            return one.storage is other.storage is Storage.DYNAMIC_SHARED
        if (one in self.active or other in self.active) and _are_given(one, other):
            return False  # the contract of adjoints: active arrays overlap no others
        if self.assume_noalias or one.type.is_restrict or other.type.is_restrict:
            return False
        if Storage.GLOBAL in (one.storage, other.storage):
            arrays = one.type.kind is TypeKind.ARRAY or other.type.kind is TypeKind.ARRAY
            if one.storage is other.storage and arrays:
                return False
        return may_share_memory(one.type.element, other.type.element)


def is_private(symbol: Symbol) -> bool:
    """Is the variable itself a thread's own memory?"""
    indirect = symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE)
    return symbol.storage is Storage.LOCAL and not indirect


def _are_given(*symbols: Symbol) -> bool:
    """Are they arrays that a kernel is handed?"""
    return all(one.storage is Storage.PARAMETER for one in symbols)


def _is_constant(symbol: Symbol) -> bool:
    """Is it memory of the file with numbers that no kernel changes, `const` or `__constant__`?"""
    numbers = symbol.type.innermost
    is_const = symbol.type.is_const or numbers.is_const
    return symbol.storage is Storage.GLOBAL and numbers.is_arithmetic and is_const


def _later(write: Place, at: Place, around: tuple[int, ...]) -> bool:
    if write.number >= at.number:
        return True
    inside = len(around)
    shared = set(write.loops[inside:]) & set(at.loops[inside:])
    return bool(shared)


def find_places(
    body: tuple[Stmt, ...],
    effects: EffectsOf,
    origins: Origins,
    active: frozenset[Symbol],
    assume_noalias: bool,
) -> Places:
    places = Places(origins, assume_noalias, active, addressed=addressed(body))
    nodes = [node for one in body for node in walk(one)]
    signals = any(isinstance(n, Call) and n.name.startswith(_SIGNALS) for n in nodes)
    waits = [node for node in nodes if isinstance(node, (Barrier, Exchange))]
    places.waits = signals or bool(waits)
    places.blocks_wait = signals or any(one.scope is Scope.GRID for one in waits)
    _Numbering(places, effects).sequence(body, ())
    return places


def addressed(body: tuple[Stmt, ...]) -> frozenset[Symbol]:
    """Variables whose addresses are taken, that references are bound to, or that stand in text
    which is not understood."""
    found: set[Symbol] = set()
    for node in (node for statement in body for node in walk(statement)):
        match node:
            case Unary(op="&", operand=operand):
                found |= _named_itself(operand)
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol.type.kind is TypeKind.REFERENCE and one.initial is not None:
                        found |= _named_itself(one.initial)
            case Verbatim():
                found |= symbols_in(node)
            case _:
                pass
    return frozenset(found)


def _named_itself(place: Expr) -> set[Symbol]:
    """Variables that a place lies in, or may lie in; what a pointer leads to is another place."""
    match place:
        case Index(base=base) | Unary(op="*", operand=base) if _is_pointer(base):
            return set()
        case Member(base=base, arrow=True) if _is_pointer(base):
            return set()
        case _:
            return symbols_in(place)


def _is_pointer(expr: Expr) -> bool:
    inner = strip_parens(expr)
    return isinstance(inner, VarRef) and inner.symbol.type.kind is TypeKind.POINTER


def hiding_symbols(statements: tuple[Stmt, ...], taken: Iterable[str]) -> frozenset[Symbol]:
    """Variables that hide others: declared where another one of the same name can be seen, or one
    of the names `taken`. What is computed again for an inner one may ask for the outer one."""
    names = set(taken)
    found: set[Symbol] = set()
    for statement in statements:
        match statement:
            case Declare(variables=variables):
                found |= {one.symbol for one in variables if one.symbol.name in names}
                names |= {one.symbol.name for one in variables}
            case For(initial=initial, body=body):
                parts = (body,) if initial is None else (initial, body)
                found |= hiding_symbols(parts, names)
            case Block(statements=inner):
                found |= hiding_symbols(inner, names)
            case _:
                for child in children(statement):
                    if isinstance(child, Stmt):
                        found |= hiding_symbols((child,), names)
    return frozenset(found)


@final
class _Numbering:
    def __init__(self, places: Places, effects: EffectsOf) -> None:
        self.places = places
        self.effects = effects
        self.count = 0
        self.guards: tuple[Expr, ...] = ()

    def sequence(self, statements: tuple[Stmt, ...], loops: tuple[int, ...]) -> None:
        for statement in statements:
            self.statement(statement, loops)

    def statement(self, statement: Stmt, loops: tuple[int, ...]) -> None:
        self.count += 1
        place = Place(self.count, loops, self.guards)
        self.places.of_statement[id(statement)] = place
        match statement:
            case Block(statements=statements):
                self.sequence(statements, loops)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._note(condition, place)
                around = self.guards
                self.guards = (*around, condition) if self.effects.is_pure(condition) else around
                self.statement(then, loops)
                self.guards = around
                if otherwise is not None:
                    self.statement(otherwise, loops)
            case For(initial=initial, condition=condition, increment=increment, body=body):
                if initial is not None:
                    self.statement(initial, loops)
                inner = (*loops, self.count)
                head = counted(statement, self.effects)
                if head is not None:
                    self.places.counting[head.index] = self.count
                    self._turn(self.count, head.index, body)
                stepping = head or stepped(statement, self.effects)
                if stepping is not None:
                    self.places.heads[self.count] = stepping
                self._heads((condition,), inner)
                self.statement(body, inner)
                self._heads((increment,), inner)
            case While(condition=condition, body=body):
                inner = (*loops, self.count)
                self._heads((condition,), inner)
                self.statement(body, inner)
            case DoWhile(condition=condition, body=body):
                inner = (*loops, self.count)
                self.statement(body, inner)
                self._heads((condition,), inner)
            case Declare(variables=variables):
                for variable in variables:
                    definition = Definition(variable, statement, place)
                    self.places.definitions[variable.symbol] = definition
                    for part in (*variable.extents, variable.initial):
                        if part is not None:
                            self._note(part, place)
            case ExprStatement() | Exchange() | Return():
                self._note(statement, place)
            case _:
                self._note(statement, place)
                for child in children(statement):
                    if isinstance(child, Stmt):
                        self.statement(child, loops)

    def _turn(self, loop: int, index: Symbol, body: Stmt) -> None:
        nodes = list(walk(body))
        if not any(isinstance(node, (Barrier, Exchange)) for node in nodes):
            self.places.turns[loop] = Turn.of(nodes, declared_in(body), index)

    def _heads(self, parts: tuple[Node | None, ...], loops: tuple[int, ...]) -> None:
        self.count += 1
        for part in parts:
            if part is not None:
                self._note(part, Place(self.count, loops))

    def _note(self, node: Node, place: Place) -> None:
        effects = self.effects.of(node)
        match node:
            case ExprStatement(
                expr=Assign(
                    target=Index(base=VarRef(symbol=array), index=VarRef(symbol=counter)),
                    value=value,
                )
            ) if self.effects.is_pure(value):
                self.places.elements[array, place.number] = counter
            case _:
                pass
        match node:
            case ExprStatement(expr=Assign(target=Index() as element, value=value)) if all(
                self.effects.is_pure(one) for one in (element, value)
            ):
                self.places.stores[place.number] = element
            case _:
                pass
        for symbol in effects.writes:
            self.places.writes.setdefault(symbol, []).append(place)
        for symbol in effects.memory_writes:
            roots = {None} if symbol is None else self.places.origins.resolve(symbol)
            self.places.memory.extend((root, place) for root in roots)
            for root in roots:
                if root is not None and is_private(root) and not is_memory(root):
                    self.places.writes.setdefault(root, []).append(place)
