"""Shared arrays that every iteration of a loop fills anew: the reverse sweep fills them again.

    for (int k0 = 0; k0 < n; k0 += TILE) {          for (k0 = last; k0 >= 0; k0 -= TILE) {
        tile[ty][tx] = a[row * n + k0 + tx];            tile[ty][tx] = a[row * n + k0 + tx];
        __syncthreads();                                __syncthreads();
        ... tile[ty][k] ...                    ->       ... tile[ty][k] in the derivative ...
        __syncthreads();                                __syncthreads();
    }                                               }

Without it every thread would keep every element that it reads, on a tape. An iteration that is
filled again sees what it saw: all stores to the array are these, at the same elements in every
iteration (so that what is not stored in one is in none), of values that can be computed again, and
a barrier stands between them and the reads. The stores may stand in loops that count to the same
number in every iteration, and under conditions that do not depend on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.loops import counted
from g2o.ad.origins import Origins
from g2o.ad.places import Place, Places
from g2o.ad.scopes import Braces
from g2o.ad.shadows import is_block_memory
from g2o.ad.values import Values
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Paren,
    VarRef,
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
    Scope,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


@final
@dataclass(slots=True)
class Replay:
    """The stores to one array in the body of a loop, which has the `braces`. `made` are the stores
    as the reverse sweep does them, None until it is asked for what the array held, empty where it
    cannot know."""

    array: Symbol
    stores: tuple[Stmt, ...]
    loop: int
    barrier: int  # the number of the barrier behind the stores
    values: Values
    braces: Braces
    made: tuple[Stmt, ...] | None = None

    def holds(self, at: Place) -> bool:
        """Does the array hold again, in the reverse sweep, what it held at a place?"""
        if self.loop not in at.loops or at.number <= self.barrier:
            return False
        if self.made is None:
            self.made = ()
            self.made = self._all_again(self.stores, self.braces) or ()
        return bool(self.made)

    def _all_again(self, stores: Iterable[Stmt], braces: Braces) -> tuple[Stmt, ...] | None:
        own = [one for one in stores if self.array in (_arrays(one) or ())]
        done = [self._again(one, braces) for one in own]
        made = tuple(one for one in done if one is not None)
        return made if len(made) == len(done) else None

    def _again(self, store: Stmt, braces: Braces) -> Stmt | None:
        place, values = self.values.places.place(store), self.values
        match store:
            case ExprStatement(expr=expr):
                assign = strip_parens(expr)
                assert isinstance(assign, Assign)
                target = values.lvalue(assign.target, place, braces)
                value = values.attempt(assign.value, place, braces)
                if target is None or value is None:
                    return None
                return ExprStatement(Assign("=", target, value, assign.type))
            case If(condition=condition, then=then, otherwise=otherwise):
                asked = values.attempt(condition, place, braces)
                first = self._all_again(statements_of(then), braces)
                second: tuple[Stmt, ...] | None = ()
                if otherwise is not None:
                    second = self._all_again(statements_of(otherwise), braces)
                if asked is None or first is None or second is None:
                    return None
                return If(asked, Block(first), Block(second) if second else None)
            case For():
                return self._loop_again(store, place, braces)
            case _:
                return None

    def _loop_again(self, store: For, place: Place, braces: Braces) -> Stmt | None:
        """The loop with variables of its own, which can only be computed again."""
        values = self.values
        head = counted(store, values.effects)
        if head is None:
            return None
        ends = [values.attempt(one, place, braces) for one in (head.first, head.bound, head.step)]
        first, bound, step = ends
        if first is None or bound is None or step is None:
            return None
        inner = Braces(braces, joint=False, keeps_nothing=True)
        homes = {one: values.braces_of[one] for one in declared_in(store)}
        values.braces_of.update(dict.fromkeys(homes, inner))
        index = values.renamed(head.index)
        inner.renewed[head.index] = VarRef(index)
        stores = self._all_again(statements_of(store.body), inner)
        values.braces_of.update(homes)
        if stores is None:
            return None
        head = replace(head, first=first, bound=bound, step=step)
        return head.same_order(index, [*inner.again, *stores])


def replays(loop: For | While | DoWhile, values: Values, braces: Braces) -> Iterator[Replay]:
    """The arrays that the body of the loop fills in every iteration before it waits."""
    places = values.places
    body = statements_of(loop.body)
    stores: dict[Symbol, list[Stmt]] = {}
    for statement in body:
        for array in sorted(_arrays(statement) or (), key=lambda one: one.id):
            stores.setdefault(array, []).append(statement)
    number = places.place(loop.body).loops[-1]
    for array, found in stores.items():
        first, last = places.place(found[0]).number, places.place(found[-1]).number
        between = (one for one in body if first < places.place(one).number < last)
        if any(isinstance(node, (Barrier, Exchange)) for one in between for node in walk(one)):
            continue  # threads have waited for each other: another one may store there again
        barriers = [
            places.place(one).number
            for one in body
            if isinstance(one, Barrier) and one.scope is Scope.BLOCK
        ]
        behind = min((at for at in barriers if at > last), default=None)
        if behind is None or not _are_all(found, array, places):
            continue
        fixed = _Fixed(number, places, values.effects)
        if all(fixed.fills(one, array) for one in found):
            yield Replay(array, tuple(found), number, behind, values, braces)


def with_replays(
    filled: Iterable[Replay], declared: list[Stmt], reverse: list[Stmt], origins: Origins
) -> list[Stmt]:
    """The reverse sweep of an iteration, where what it reads is filled first: what it has
    `declared` from what the arrays hold stands behind that, the rest in front of it."""
    fills = sorted((one for one in filled if one.made), key=lambda one: one.barrier)
    if not fills:
        return [*declared, *reverse]
    wait = Barrier(Scope.BLOCK)
    open_arrays = {one.array for one in fills}
    result, held = _apart(declared, open_arrays, origins)
    if reverse and isinstance(reverse[0], Barrier):
        result.append(reverse[0])
        reverse = reverse[1:]
    else:
        result.append(wait)
    known: set[Symbol] = set()  # filled since threads have waited
    for one in fills:
        stores = list(one.made or ())
        needed = known.union(*map(declared_in, held))
        if _apart(stores, needed, origins)[1]:
            open_arrays -= known
            known.clear()
            free, held = _apart(held, open_arrays, origins)
            result += [wait, *free]
        result += stores
        known.add(one.array)
    return [*result, wait, *held, *reverse]


def _apart(
    statements: Iterable[Stmt], arrays: Collection[Symbol], origins: Origins
) -> tuple[list[Stmt], list[Stmt]]:
    """Statements that need nothing of the arrays, and those that do."""
    free: list[Stmt] = []
    held: list[Stmt] = []
    names = set(arrays)
    for one in statements:
        roots = {root for symbol in symbols_in(one) for root in origins.resolve(symbol)}
        if names.isdisjoint(roots | symbols_in(one)):
            free.append(one)
        else:
            held.append(one)
            names |= declared_in(one)
    return free, held


def _arrays(statement: Stmt) -> frozenset[Symbol] | None:
    """The shared arrays to which the statement stores, if that is all that it does."""
    match statement:
        case ExprStatement(expr=expr):
            assign = strip_parens(expr)
            if not isinstance(assign, Assign) or assign.op != "=":
                return None
            root = root_symbol(assign.target)
            if root is None or not is_block_memory(root):
                return None
            is_element = root.type.kind is TypeKind.ARRAY and _subscripts(assign.target)
            return frozenset({root}) if is_element else None
        case Declare():
            return frozenset()
        case If() | For():
            bodies = (statement.body,) if isinstance(statement, For) else _branches(statement)
            found = [_arrays(one) for body in bodies for one in statements_of(body)]
            known = [one for one in found if one is not None]
            return frozenset[Symbol]().union(*known) if len(known) == len(found) else None
        case _:
            return None


def _branches(node: If) -> tuple[Stmt, ...]:
    return (node.then,) if node.otherwise is None else (node.then, node.otherwise)


def _target(statement: Stmt) -> Expr | None:
    """The one element to which the statement stores, whichever way it goes."""
    match statement:
        case ExprStatement(expr=expr):
            assign = strip_parens(expr)
            return assign.target if isinstance(assign, Assign) else None
        case If(then=then, otherwise=otherwise) if otherwise is not None:
            both = (*statements_of(then), *statements_of(otherwise))
            if len(statements_of(then)) != 1 or len(both) != 2:
                return None
            first, second = map(_target, both)
            return first if first == second else None
        case _:
            return None


def _subscripts(target: Expr) -> list[Expr]:
    """The subscripts of an element, if it is one of an array."""
    found: list[Expr] = []
    while isinstance(target, Index):
        found.append(target.index)
        target = strip_parens(target.base)
    return found if isinstance(target, VarRef) else []


def _are_all(stores: list[Stmt], array: Symbol, places: Places) -> bool:
    """Are these the only stores that may go to the array?"""
    known = {
        places.place(node).number
        for store in stores
        for node in walk(store)
        if isinstance(node, ExprStatement)
    }
    return all(
        at.number in known for root, at in places.memory if places.may_alias(root, array)
    ) and all(at.number in known for at in places.writes.get(array, ()))


@final
@dataclass(frozen=True, slots=True)
class _Fixed:
    """What is the same in every iteration of a loop. `counters` are the indices of loops inside."""

    loop: int
    places: Places
    effects: EffectsOf
    counters: frozenset[Symbol] = frozenset()

    def fills(self, statement: Stmt, array: Symbol) -> bool:
        """Does the statement store to the same elements of the array?"""
        match statement:
            case If(condition=condition) if self.has(condition):
                inner = (one for body in _branches(statement) for one in statements_of(body))
                return all(self.fills(one, array) for one in inner)
            case For():
                head = counted(statement, self.effects)
                if head is None or not all(map(self.has, (head.first, head.bound, head.step))):
                    return False
                inside = replace(self, counters=self.counters | {head.index})
                return all(inside.fills(one, array) for one in statements_of(statement.body))
            case Declare():
                return True
            case _:
                target = _target(statement)
                if target is None:
                    return False
                return root_symbol(target) != array or all(map(self.has, _subscripts(target)))

    def has(self, value: Expr) -> bool:
        """Is the value the same?"""
        for node in walk(value):
            if not isinstance(node, (VarRef, LaunchRef, Literal, Binary, Paren, Cast)):
                return False
        return all(map(self._has_variable, symbols_in(value)))

    def _has_variable(self, symbol: Symbol) -> bool:
        if symbol in self.counters:
            return True
        if self.places.writes.get(symbol) or symbol.type.kind is not TypeKind.INTEGER:
            return False
        if symbol.storage is Storage.PARAMETER:
            return True
        definition = self.places.definitions.get(symbol)
        if definition is None or definition.variable.initial is None:
            return False
        inside = self.loop in definition.place.loops
        return self.has(definition.variable.initial) if inside else True
