"""Code that combines the values of all threads of a group, and nothing else that matters.

A fragment is a row of statements that all threads of the group come to. What is used of it
afterwards is what the values of all of them combine to; what it does to shared arrays nobody looks
at, but other fragments, which have stored there before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.contribution_values import Combined, Item, element_type
from g2o.analysis.contributions import WARP, Contributions
from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.prefixes import (
    Prefix,
    Row,
    names_only,
    prefix_in_array,
    prefix_of_threads,
    whole_of_row,
)
from g2o.ir.expressions import Assign, Expr, Index, Literal, Unary, VarRef, strip_parens
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Exchange,
    ExprStatement,
    If,
    Node,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind
from g2o.transforms.collective_scans import Scan, scan_of

_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)
Place = tuple[Symbol, tuple[int, ...]]


@final
@dataclass(frozen=True, slots=True)
class Fragment:
    """Statements `first` to `last` of a sequence, and what variables and elements of shared arrays
    that are used afterwards are made of: the values of all threads, or (`scan`) prefixes of them.
    `numbers` are the same for all threads. Where `by_halves`, a reduction of the lanes of a warp
    that joins halves gives the same. What is `kept_inside` is not used behind the sequence."""

    first: int
    last: int
    results: Mapping[Symbol, Combined]
    elements: Mapping[Place, Combined]
    numbers: Mapping[Symbol, int]
    arrays: frozenset[Symbol]
    declared: frozenset[Symbol]
    may_go: bool  # may the values be combined in any order?
    scan: Scan | None = None
    by_halves: bool = False
    kept_inside: frozenset[Symbol] = frozenset()

    @property
    def changes(self) -> bool:
        """Is something else put in its place?"""
        return self.may_go or self.by_halves


@final
@dataclass(frozen=True, slots=True)
class Around:
    """Where statements stand: `nested` in a loop or condition, and what comes after them; None in a
    loop."""

    nested: bool
    later: tuple[Stmt, ...] | None

    def before(self, statements: tuple[Stmt, ...]) -> Around:
        return self if self.later is None else replace(self, later=(*statements, *self.later))


@final
@dataclass(frozen=True, slots=True)
class Rows:
    """Statements, with what the kernel is that they are part of, and where they stand there. Where
    values may be combined in any order, sums of real numbers may."""

    statements: tuple[Stmt, ...]
    body: Block
    around: Around
    associative: bool
    effects: EffectsOf
    differentiated: bool

    def fragments(self, machine_of: Callable[[], Contributions]) -> list[Fragment]:
        """The longest fragments, one behind the other, that leave nothing in their arrays. Not the
        values of all may be combined in any order."""
        found: list[list[Fragment]] = []
        next_one = 0
        for first, known in enumerate(self._known_before(machine_of)):
            if first < next_one or not _may_begin(self.statements[first]):
                continue
            machine = machine_of()
            positions = set(machine.values)
            machine.values.update(known)
            choices = self._choices(first, machine, positions)
            if choices:
                found.append(choices)
                next_one = choices[0].last + 1
        kept: list[Fragment] = []
        for choices in reversed(found):
            made = (self._with_own_elements(one, kept) for one in choices)
            own = next((one for one in made if one is not None), None)
            if own is not None:
                kept.insert(0, own)
        return kept

    def _known_before(
        self, machine_of: Callable[[], Contributions]
    ) -> Iterator[dict[Symbol, list[Item]]]:
        """The integers of all threads in front of each statement."""
        known: dict[Symbol, list[Item]] = {}
        for statement in self.statements:
            yield known
            changed = written_after_declaration(Block((statement,)), self.effects)
            changed |= set(declared_symbols(statement))
            if not changed:
                continue
            machine = machine_of()
            machine.values.update(known)
            plain = isinstance(statement, (Declare, ExprStatement)) and machine.follows(statement)
            known = {s: items for s, items in known.items() if s not in changed}
            for symbol in changed if plain else ():
                items = machine.values.get(symbol, [None])
                if all(isinstance(item, int) for item in items):
                    known[symbol] = items

    def _choices(self, first: int, machine: Contributions, known: set[Symbol]) -> list[Fragment]:
        """The fragments that begin there, those first that something else is put in the place of,
        and of these the longest."""
        found: list[Fragment] = []
        for last in range(first, len(self.statements)):
            if not machine.follows(self.statements[last]):
                break
            made = self._complete(first, last, machine, known) if machine.meets else None
            if made is not None:
                found.insert(0, made)
        return sorted(found, key=lambda one: not one.changes)

    def _complete(
        self, first: int, last: int, machine: Contributions, known: set[Symbol]
    ) -> Fragment | None:
        """The fragment, if all that is used of it afterwards is what all values combine to, or
        prefixes of them."""
        after = self.statements[last + 1 :]
        used = symbols_in(Block(after))
        if self.around.later is not None:
            used |= symbols_in(Block(self.around.later))
        else:
            own = {s for one in self.statements for s in declared_symbols(one)}
            inside = _occurrences(Block(self.statements[first : last + 1]))
            around = _occurrences(self.body)
            used |= {s for s in set(around) - own if around.count(s) > inside.count(s)}
        row = self._row(after, machine, used)
        results: dict[Symbol, Combined] = {}
        prefixes: dict[Symbol, Prefix] = {}
        numbers: dict[Symbol, int] = {}
        for symbol, items in machine.values.items():
            if symbol in known or symbol not in used or symbol not in machine.touched:
                continue
            if symbol in machine.bases and _is_untouched(items, symbol):
                continue
            number = items[0]
            if isinstance(number, int) and all(item == number for item in items):
                numbers[symbol] = number
                continue
            whole = machine.whole(items) or whole_of_row(items, row)
            if whole is None and (prefix := prefix_of_threads(items, machine.group)) is not None:
                prefixes[symbol] = prefix
                continue
            if whole is None:
                whole = self._of_some(items, symbol, after, machine, known)
            if whole is None:
                return None
            results[symbol] = whole
        elements: dict[Place, Combined] = {}
        for array, stored in machine.memory.items():
            if row is not None and array is row.array:
                continue
            for place in read_places(Block(after), array):
                whole = machine.whole_of_block(stored.get(place))
                if whole is not None:
                    elements[array, place] = whole
        wholes = (*results.values(), *elements.values())
        arrays = frozenset(array for array, stored in machine.memory.items() if stored)
        declared = frozenset(machine.declared)
        if row is not None or prefixes:
            scan = scan_of(row, prefixes, results, machine, self.differentiated)
            if scan is None or elements:
                return None
            may_go = self._is_exact(scan.prefix.base, scan.prefix.operator)
            others = arrays if row is None else arrays - {row.array}
            fragment = Fragment(first, last, {}, {}, numbers, others, declared, may_go)
            return replace(fragment, scan=scan)
        if not wholes or machine.outgoing:
            return None
        if len({one.means for one in wholes}) > len({one.base for one in wholes}):
            return None
        may_go = all(self._is_exact(one.base, one.operator) for one in wholes)
        fragment = Fragment(first, last, results, elements, numbers, arrays, declared, may_go)
        later = self.around.later
        kept = set[Symbol]() if later is None else results.keys() - symbols_in(Block(later))
        if machine.is_open:  # there is no memory for so many
            fragment = replace(fragment, may_go=False)
        by_halves = not fragment.may_go and self._are_by_halves(fragment, machine)
        return replace(fragment, by_halves=by_halves, kept_inside=frozenset(kept))

    def _are_by_halves(self, fragment: Fragment, machine: Contributions) -> bool:
        """Are all sums that lanes of a warp make of their own variables, in that order where there
        is one, or extremes of whole numbers?"""
        if machine.group != WARP or fragment.elements or fragment.arrays:
            return False
        for symbol, whole in fragment.results.items():
            ctype = whole.base.type
            if whole.start is not None or ctype.is_volatile:
                return False
            if machine.is_open and whole.operator != "add":
                return False  # lanes that a block lacks count as zeros
            if ctype.kind is TypeKind.INTEGER:
                continue
            items = machine.values[symbol]
            exact = self.associative or machine.are_by_halves(items)
            if whole.operator != "add" or not exact:
                return False
        return True

    def _row(
        self, after: tuple[Stmt, ...], machine: Contributions, used: set[Symbol]
    ) -> Row | None:
        """Of an array that is used afterwards, the elements that hold prefixes, if no others are
        used that the code has stored to."""
        if machine.group != machine.count:
            return None
        for array, stored in machine.memory.items():
            row = prefix_in_array(array, stored) if array in used else None
            if row is None:
                continue
            inside = {(place,) for place in range(row.first, row.first + row.count)}
            if stored.keys() <= inside:
                return row
            changed = written_after_declaration(Block(after), self.effects)
            if not self.around.nested and names_only(machine, after, array, inside, changed):
                return row
        return None

    def _is_exact(self, base: Symbol, operator: str) -> bool:
        """May values be combined in any order?"""
        ctype = element_type(base)
        is_exact = ctype.kind is TypeKind.INTEGER or operator != "add"
        return (is_exact or self.associative) and not ctype.is_volatile

    def _of_some(
        self,
        items: Sequence[Item],
        symbol: Symbol,
        after: tuple[Stmt, ...],
        machine: Contributions,
        known: set[Symbol],
    ) -> Combined | None:
        """What all values combine to, if only threads look at the variable that have that, by
        conditions on what is `known` of their positions."""
        having = [machine.whole_at(thread, item) for thread, item in enumerate(items)]
        found = next((one for one in having if one is not None), None)
        own = {one for statement in self.statements for one in declared_symbols(statement)}
        later = self.around.later or ()
        if found is None or (self.around.later is None and symbol not in own):
            return None
        if any(one is not None and one.means != found.means for one in having):
            return None
        everywhere = [True] * len(items)
        users = _threads_that_use(symbol, (*after, *later), everywhere, machine, known)
        if users is None or any(u and o is None for u, o in zip(users, having, strict=True)):
            return None
        return found

    def _with_own_elements(self, fragment: Fragment, later: list[Fragment]) -> Fragment | None:
        """The fragment with those elements that are read before a later one stores to the array, if
        nobody reads anything else from its arrays until then."""
        read: set[Place] = set()
        for array in fragment.arrays:
            taken = [one.first for one in later if array in one.arrays]
            end = min(taken, default=len(self.statements))
            rest = self.statements[fragment.last + 1 : end]
            known = [place for one in rest for place in read_places(one, array)]
            if sum(_occurrences(one).count(array) for one in rest) > len(known):
                return None
            if any((array, place) not in fragment.elements for place in known):
                return None
            read |= {(array, place) for place in known}
            here = sum(_occurrences(one).count(array) for one in self.statements)
            if self.around.nested and _occurrences(self.body).count(array) > here:
                return None
        elements = {place: whole for place, whole in fragment.elements.items() if place in read}
        if not elements and not fragment.results and fragment.scan is None:
            return None
        return replace(fragment, elements=elements)


def _threads_that_use(
    symbol: Symbol,
    statements: Sequence[Stmt],
    active: list[bool],
    machine: Contributions,
    known: set[Symbol],
) -> list[bool] | None:
    """Which of the `active` threads use what a variable has, by conditions on what is `known` of
    their positions; None where one cannot be told that uses it. Those that it is given another
    value in are active no more."""
    users = [False] * len(active)
    for statement in statements:
        if symbol not in symbols_in(statement):
            continue
        inner: list[bool] | None = list(active)
        match statement:
            case Block():
                inner = _threads_that_use(symbol, statement.statements, active, machine, known)
            case If(condition=condition, otherwise=None) if not symbols_in(condition) - known:
                holds = machine.threads_where(condition)
                if holds is None:
                    return None
                under = [one and other for one, other in zip(active, holds, strict=True)]
                left = list(under)
                then = statements_of(statement.then)
                inner = _threads_that_use(symbol, then, left, machine, known)
                active[:] = [
                    one and (still or not was)
                    for one, was, still in zip(active, under, left, strict=True)
                ]
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)) if (
                target is symbol and symbol not in symbols_in(value)
            ):
                active[:] = [False] * len(active)
                continue
            case _:
                pass
        if inner is None:
            return None
        users = [one or other for one, other in zip(users, inner, strict=True)]
    return users


def _may_begin(statement: Stmt) -> bool:
    """Does it say what is combined, or use what threads share?"""
    if isinstance(statement, (Barrier, Block)):
        return False
    if isinstance(statement, Declare):
        variables = statement.variables
        copies = all(isinstance(one.initial, VarRef) for one in variables)
        return copies or all(one.symbol.storage is Storage.SHARED for one in variables)
    return any(
        isinstance(node, Exchange) or (isinstance(node, VarRef) and node.symbol.storage in _SHARED)
        for node in walk(statement)
    )


def _occurrences(node: Node) -> list[Symbol]:
    found: list[Symbol] = []
    for inner in walk(node):
        if isinstance(inner, VarRef):
            found.append(inner.symbol)
        elif isinstance(inner, Exchange):
            found.append(inner.result)
    return found


def declared_symbols(statement: Stmt) -> list[Symbol]:
    return [one.symbol for one in statement.variables] if isinstance(statement, Declare) else []


def _is_untouched(items: Sequence[object], base: Symbol) -> bool:
    return all(
        isinstance(one, Combined)
        and one.base is base
        and not one.operator
        and one.parts == 1 << thread
        for thread, one in enumerate(items)
    )


def read_places(node: Node, array: Symbol) -> list[tuple[int, ...]]:
    """The elements that are named by numbers and only read; for a variable, the empty place."""
    stored = {id(strip_parens(target)) for inner in walk(node) for target in targets_of(inner)}
    found: list[tuple[int, ...]] = []
    within: set[int] = set()
    for inner in walk(node):
        if not isinstance(inner, (Index, VarRef)) or id(inner) in within or id(inner) in stored:
            continue
        place: list[int] = []
        bare: Expr = inner
        chain: list[Expr] = [bare]
        while isinstance(bare, Index):
            index = strip_parens(bare.index)
            if not isinstance(index, Literal) or index.value is None:
                break
            place.insert(0, index.value)
            bare = strip_parens(bare.base)
            chain.append(bare)
        if isinstance(bare, VarRef) and bare.symbol is array:
            within |= {id(one) for one in chain}
            found.append(tuple(place))
    return found


def targets_of(node: Node) -> list[Expr]:
    match node:
        case Assign(target=target):
            return [target]
        case Unary(op="++" | "--" | "&", operand=operand):
            return [operand]
        case _:
            return []
