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
a barrier stands between them and the reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

from g2o.ad.places import Place, Places
from g2o.analysis.effects import root_symbol, statements_of, symbols_in
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
    DoWhile,
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

Again = Callable[[Expr, Place], Expr | None]


@final
@dataclass(slots=True)
class Replay:
    """The stores to one array in the body of a loop. `value` and `target` give an expression, and a
    place in memory, in terms of what the reverse sweep has. `made` are the stores as the reverse
    sweep does them, None until it is asked for what the array held, empty where it cannot know."""

    array: Symbol
    stores: tuple[Stmt, ...]
    loop: int
    barrier: int  # the number of the barrier behind the stores
    places: Places
    value: Again
    target: Again
    made: tuple[Stmt, ...] | None = None

    def holds(self, at: Place) -> bool:
        """Does the array hold again, in the reverse sweep, what it held at a place?"""
        if self.loop not in at.loops or at.number <= self.barrier:
            return False
        if self.made is None:
            self.made = ()
            done = [self._again(store, self.places.place(store)) for store in self.stores]
            self.made = tuple(one for one in done if one is not None)
            if len(self.made) < len(done):
                self.made = ()
        return bool(self.made)

    def _again(self, store: Stmt, place: Place) -> Stmt | None:
        match store:
            case ExprStatement(expr=expr):
                assign = strip_parens(expr)
                assert isinstance(assign, Assign)
                target, value = self.target(assign.target, place), self.value(assign.value, place)
                if target is None or value is None:
                    return None
                return ExprStatement(Assign("=", target, value, assign.type))
            case If(condition=condition, then=then, otherwise=otherwise) if otherwise is not None:
                asked = self.value(condition, place)
                branches = [
                    self._again(one, self.places.place(one))
                    for branch in (then, otherwise)
                    for one in statements_of(branch)
                ]
                first, second = branches
                if asked is None or first is None or second is None:
                    return None
                return If(asked, Block((first,)), Block((second,)))
            case _:
                return None


def replays(
    loop: For | While | DoWhile, places: Places, value: Again, target: Again
) -> Iterator[Replay]:
    """The arrays that the body of the loop fills in every iteration before it waits."""
    body = statements_of(loop.body)
    stores: dict[Symbol, list[Stmt]] = {}
    for statement in body:
        array = _filled(statement)
        if array is not None:
            stores.setdefault(array, []).append(statement)
    number = places.place(loop.body).loops[-1]
    for array, found in stores.items():
        last = max(places.place(one).number for one in found)
        barriers = [
            places.place(one).number
            for one in body
            if isinstance(one, Barrier) and one.scope is Scope.BLOCK
        ]
        behind = min((at for at in barriers if at > last), default=None)
        if behind is None or not _are_all(found, array, places):
            continue
        if all(_is_fixed(_target(one), number, places) for one in found):
            yield Replay(array, tuple(found), number, behind, places, value, target)


def with_replays(made: list[Stmt], reverse: list[Stmt]) -> list[Stmt]:
    """The reverse sweep of an iteration, where what it reads is filled first."""
    if not made:
        return reverse
    wait = Barrier(Scope.BLOCK)
    if reverse and isinstance(reverse[0], Barrier):
        return [reverse[0], *made, wait, *reverse[1:]]
    return [wait, *made, wait, *reverse]


def _filled(statement: Stmt) -> Symbol | None:
    """The shared array to which the statement stores, whichever way it goes."""
    match statement:
        case ExprStatement(expr=expr):
            assign = strip_parens(expr)
            if not isinstance(assign, Assign) or assign.op != "=":
                return None
            root = root_symbol(assign.target)
            if root is None or root.storage is not Storage.SHARED:
                return None
            is_element = root.type.kind is TypeKind.ARRAY and _subscripts(assign.target)
            return root if is_element else None
        case If(then=then, otherwise=otherwise) if otherwise is not None:
            both = (*statements_of(then), *statements_of(otherwise))
            if len(statements_of(then)) != 1 or len(both) != 2:
                return None
            first, second = both
            if _filled(first) is None:
                return None
            same = _filled(second) == _filled(first) and _target(first) == _target(second)
            return _filled(first) if same else None
        case _:
            return None


def _target(statement: Stmt) -> Expr:
    if isinstance(statement, If):
        return _target(statements_of(statement.then)[0])
    assert isinstance(statement, ExprStatement)
    assign = strip_parens(statement.expr)
    assert isinstance(assign, Assign)
    return assign.target


def _subscripts(target: Expr) -> list[Expr]:
    """The subscripts of an element, if it is one of an array."""
    found: list[Expr] = []
    while isinstance(target, Index):
        found.append(target.index)
        target = strip_parens(target.base)
    return found if isinstance(target, VarRef) else []


def _are_all(stores: list[Stmt], array: Symbol, places: Places) -> bool:
    """Are these the only stores that may go to the array?"""
    known = {places.place(one).number for store in stores for one in _leaves(store)}
    return all(
        at.number in known for root, at in places.memory if places.may_alias(root, array)
    ) and all(at.number in known for at in places.writes.get(array, ()))


def _leaves(store: Stmt) -> tuple[Stmt, ...]:
    if isinstance(store, If):
        branches = (store.then, store.otherwise) if store.otherwise is not None else (store.then,)
        return tuple(one for branch in branches for one in statements_of(branch))
    return (store,)


def _is_fixed(target: Expr, loop: int, places: Places) -> bool:
    """Is it the same element in every iteration?"""
    for subscript in _subscripts(target):
        for node in walk(subscript):
            if not isinstance(node, (VarRef, LaunchRef, Literal, Binary, Paren, Cast)):
                return False
        for symbol in symbols_in(subscript):
            definition = places.definitions.get(symbol)
            if places.writes.get(symbol) or symbol.type.kind is not TypeKind.INTEGER:
                return False
            if symbol.storage is Storage.PARAMETER:
                continue
            if definition is None or definition.variable.initial is None:
                return False
            if loop in definition.place.loops:
                return False
    return True
