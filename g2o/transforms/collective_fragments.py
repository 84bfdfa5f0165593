"""Code that combines the values of all threads of a group, and nothing else that matters.

A fragment is a row of statements that all threads of the group come to. What is used of it
afterwards is what the values of all of them combine to; what it does to shared arrays nobody looks
at, but other fragments, which have stored there before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.contribution_values import Combined, Item
from g2o.analysis.contributions import Contributions
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Expr, Index, Literal, Unary, VarRef, strip_parens
from g2o.ir.statements import Barrier, Block, Declare, Exchange, If, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)
Place = tuple[Symbol, tuple[int, ...]]


@final
@dataclass(frozen=True, slots=True)
class Fragment:
    """Statements `first` to `last` of a sequence, and what variables and elements of shared arrays
    that are used afterwards are made of."""

    first: int
    last: int
    results: Mapping[Symbol, Combined]
    elements: Mapping[Place, Combined]
    arrays: frozenset[Symbol]
    declared: frozenset[Symbol]
    may_go: bool  # may the values be combined in any order?


@final
@dataclass(frozen=True, slots=True)
class Rows:
    """Statements, with what the kernel is that they are part of; `nested` in a loop or condition.
    Where values may be combined in any order, sums of real numbers may."""

    statements: tuple[Stmt, ...]
    body: Block
    nested: bool
    associative: bool

    def fragments(self, machine_of: Callable[[], Contributions]) -> list[Fragment]:
        """The longest fragments, one behind the other, that leave nothing in their arrays. Not the
        values of all may be combined in any order."""
        found: list[Fragment] = []
        first = 0
        while first < len(self.statements):
            fragment = None
            if _may_begin(self.statements[first]):
                fragment = self._fragment(first, machine_of())
            if fragment is not None:
                found.append(fragment)
            first = first + 1 if fragment is None else fragment.last + 1
        kept: list[Fragment] = []
        for fragment in reversed(found):
            own = self._with_own_elements(fragment, kept)
            if own is not None:
                kept.insert(0, own)
        return kept

    def _fragment(self, first: int, machine: Contributions) -> Fragment | None:
        known = set(machine.values)
        best: Fragment | None = None
        for last in range(first, len(self.statements)):
            if not machine.follows(self.statements[last]):
                break
            if machine.meets:
                best = self._complete(first, last, machine, known) or best
        return best

    def _complete(
        self, first: int, last: int, machine: Contributions, known: set[Symbol]
    ) -> Fragment | None:
        """The fragment, if all that is used of it afterwards is what all values combine to."""
        after = self.statements[last + 1 :]
        used = symbols_in(Block(after))
        if self.nested:
            own = {s for one in self.statements for s in declared_symbols(one)}
            inside = _occurrences(Block(self.statements[first : last + 1]))
            around = _occurrences(self.body)
            used |= {s for s in set(around) - own if around.count(s) > inside.count(s)}
        results: dict[Symbol, Combined] = {}
        for symbol, items in machine.values.items():
            if symbol in known or symbol not in used:
                continue
            if symbol in machine.bases and _is_untouched(items, symbol):
                continue
            whole = machine.whole(items)
            if whole is None:
                whole = self._of_some(items, symbol, after, machine, known)
            if whole is None:
                return None
            results[symbol] = whole
        elements: dict[Place, Combined] = {}
        for array, stored in machine.memory.items():
            for place in read_places(Block(after), array):
                whole = machine.whole_of_block(stored.get(place))
                if whole is not None:
                    elements[array, place] = whole
        wholes = (*results.values(), *elements.values())
        if not wholes:
            return None
        if len({one.means for one in wholes}) > len({one.base for one in wholes}):
            return None
        arrays, declared = frozenset(machine.memory), frozenset(machine.declared)
        may_go = all(map(self._may_be_combined, wholes))
        return Fragment(first, last, results, elements, arrays, declared, may_go)

    def _may_be_combined(self, whole: Combined) -> bool:
        """In any order?"""
        is_exact = whole.base.type.kind is TypeKind.INTEGER or whole.operator != "add"
        return (is_exact or self.associative) and not whole.base.type.is_volatile

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
        if found is None or self.nested:
            return None
        if any(one is not None and one.means != found.means for one in having):
            return None
        for statement in after:
            if symbol not in symbols_in(statement):
                continue
            if not isinstance(statement, If) or statement.otherwise is not None:
                return None
            if symbols_in(statement.condition) - known:
                return None
            holds = machine.threads_where(statement.condition)
            if holds is None or any(h and o is None for h, o in zip(holds, having, strict=True)):
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
            if self.nested and _occurrences(self.body).count(array) > here:
                return None
        elements = {place: whole for place, whole in fragment.elements.items() if place in read}
        if not elements and not fragment.results:
            return None
        return replace(fragment, elements=elements)


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
        and int(one.parts.sum()) == 1
        and int(one.parts[thread]) == 1
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
