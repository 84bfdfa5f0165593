"""Seeds in shared memory and in variables that nobody reads any more are not set to 0.

The shadow of shared memory ends with the kernel, that of a variable with its braces. A statement
`d_s[t] = 0.0` that is the last one to touch `d_s` consumes a seed for nobody:

    d_x[i] += d_s[t];                d_x[i] += d_s[t];
    d_s[t] = 0.0;             ->

Legal because the array is memory of the block, no pointer into it has a name, and liveness is asked
for whole arrays: what any thread reads later, or in the next turn of a loop, is live. The element
has to be that of one thread: where several have stored the same number, one takes the seed, and the
others find 0. A variable is a thread's own, and so is a small array; of that, the turns of a loop
may have an element each, which no other turn reads (`turn_elements.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import final

from g2o.ad.increments import is_zero
from g2o.ad.loops import counted
from g2o.ad.turn_elements import has_own_elements, is_small_array, turns_with_elements
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of, symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Expr,
    Form,
    Index,
    LaunchRef,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Scope,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind


def without_dead_zeros(
    statements: tuple[Stmt, ...], shadows: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    """`statements`, the whole kernel, without zeros in `shadows` that are not read.

    Shadows are arrays of shared memory, variables and small arrays.
    """
    watched = frozenset(without_pointers(statements, shadows))
    if not watched:
        return statements
    threads = _Threads(statements, effects)
    return tuple(_sequence(statements, frozenset(), watched, threads)[0])


@final
class _Threads:
    """What tells the threads of a block apart: by the variables that name their indices."""

    def __init__(
        self, statements: tuple[Stmt, ...], effects: EffectsOf, alone: bool = False
    ) -> None:
        self.effects = effects
        self.alone = alone  # is there one thread only?
        self.names: dict[Symbol, int] = {}
        self.axes: set[int] = set()
        written: set[Symbol | None] = set()
        for node in (inner for statement in statements for inner in walk(statement)):
            match node:
                case LaunchRef(builtin=Builtin.THREAD_INDEX, axis=axis):
                    self.axes.add(-1 if axis is None else axis)
                case Declare(variables=variables):
                    for one in variables:
                        match one.initial:
                            case LaunchRef(builtin=Builtin.THREAD_INDEX, axis=int() as axis):
                                self.names[one.symbol] = axis
                            case _:
                                pass
                case Assign(target=target):
                    written.add(root_symbol(target))
                case Unary(operand=operand) if node.is_update or node.op == "&":
                    written.add(root_symbol(operand))
                case _:
                    pass
        self.names = {one: axis for one, axis in self.names.items() if one not in written}

    def under(self, condition: Expr) -> _Threads:
        """Those for which the condition holds: one, if it asks for its index."""
        match strip_parens(condition):
            case Binary(op="==", left=left, right=right) if self.axes <= {0}:
                found = [self._axis(strip_parens(one)) for one in (left, right)]
                if found.count(None) == 1:
                    return self._only_one()
            case Binary(op="&&", left=left, right=right):
                if self.under(left).alone or self.under(right).alone:
                    return self._only_one()
            case _:
                pass
        return self

    def _only_one(self) -> _Threads:
        return _Threads((), self.effects, alone=True)

    def _axis(self, expr: Expr) -> int | None:
        match expr:
            case LaunchRef(builtin=Builtin.THREAD_INDEX, axis=axis):
                return axis
            case VarRef(symbol=symbol):
                return self.names.get(symbol)
            case _:
                return None

    def own(self, place: Expr) -> bool:
        """Is it the place of one thread alone?"""
        if self.alone:
            return True
        found: set[int] = set()
        current = strip_parens(place)
        while isinstance(current, (Index, Member)):
            if isinstance(current, Index):
                found |= self._told_apart(current.index)
            current = strip_parens(current.base)
        return bool(found) and found >= self.axes

    def _told_apart(self, index: Expr) -> set[int]:
        """The axes along which a sum of multiples of indices differs."""
        inner = strip_parens(index)
        axis = self._axis(inner)
        if axis is not None:
            return {axis}
        match inner:
            case Binary(op="+" | "-" | "*", left=left, right=right):
                return self._told_apart(left) | self._told_apart(right)
            case _:
                return set()


def without_pointers(statements: tuple[Stmt, ...], shadows: Collection[Symbol]) -> list[Symbol]:
    """Those of the `shadows` that no variable points into."""
    pointed: set[Symbol] = set()
    for node in (inner for statement in statements for inner in walk(statement)):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None and _may_point(one.symbol.type):
                        pointed |= symbols_in(one.initial)
            case Assign(target=target, value=value) if _may_point(value_type(target)):
                pointed |= symbols_in(value)
            case _:
                pass
    return [one for one in shadows if one not in pointed]


def _may_point(ctype: CType) -> bool:
    if ctype.kind is TypeKind.RECORD:
        return any(_may_point(field) for _, field in ctype.fields)
    return ctype.kind not in (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)


def _sequence(
    statements: tuple[Stmt, ...],
    live: frozenset[Symbol],
    watched: frozenset[Symbol],
    threads: _Threads,
) -> tuple[list[Stmt], frozenset[Symbol]]:
    """What stays of `statements`, and what is live in front of them."""
    result: list[Stmt] = []
    for position in range(len(statements) - 1, -1, -1):
        statement = statements[position]
        place = _zeroed(statement)
        target = None if place is None else root_symbol(place)
        if target is not None and target in watched - live:
            if _waited_for(statements[:position], target):
                continue
        new = _statement(statement, live, watched, threads)
        if _zeroed(statement) is None:
            live |= watched & symbols_in(statement)
        if new is not None:
            result.append(new)
    return result[::-1], live


def _statement(
    statement: Stmt, live: frozenset[Symbol], watched: frozenset[Symbol], threads: _Threads
) -> Stmt | None:
    """The statement in front of what reads `live`; None where nothing is left of it."""
    match statement:
        case ExprStatement():
            place = _zeroed(statement)
            target = None if place is None else root_symbol(place)
            dead = place is not None and target in watched and target not in live
            own = place is not None and (_has_each(place) or threads.own(place))
            return None if dead and own else statement
        case Block():
            return _body(statement, live, watched, threads)
        case If(condition=condition, then=then, otherwise=otherwise):
            first = _body(then, live, watched, threads.under(condition))
            second = None if otherwise is None else _body(otherwise, live, watched, threads)
            if first is then and second is otherwise:
                return statement
            if first is None and second is None and _is_pure(condition):
                return None
            if first is None:
                first = Block(())
            return replace(statement, then=first, otherwise=second, form=Form.BUILT)
        case For(body=body) | While(body=body) | DoWhile(body=body):
            named = (watched & _used(statement)) - declared_in(body)
            again = live | (named - _of_turns(statement, named, threads.effects))
            new = _body(body, again, watched, threads)
            if new is body:
                return statement
            if new is None and isinstance(statement, For) and _only_counts(statement, threads):
                return None
            return replace(statement, body=new or Block(()), form=Form.BUILT)
        case _:
            return statement


def _waited_for(before: tuple[Stmt, ...], shadow: Symbol) -> bool:
    """Does no thread name the shadow behind the last barrier, which all have to come to?"""
    for statement in reversed(before):
        if isinstance(statement, Barrier) and statement.scope in (Scope.BLOCK, Scope.GRID):
            return True
        if shadow in symbols_in(statement):
            return False
    return False


def _has_each(place: Expr) -> bool:
    """Is it a variable, or an element of a small array, that every thread has for itself?"""
    symbol = root_symbol(place)
    if symbol is None or symbol.storage is Storage.SHARED:
        return False
    return isinstance(place, VarRef) or is_small_array(symbol)


def _used(statement: Stmt) -> set[Symbol]:
    """What the statement names, but for what it only sets to 0."""
    if _zeroed(statement) is not None:
        return set()
    found: set[Symbol] = set()
    for child in children(statement):
        found |= _used(child) if isinstance(child, Stmt) else symbols_in(child)
    return found | (set[Symbol]() if children(statement) else symbols_in(statement))


def _only_counts(loop: For, threads: _Threads) -> bool:
    """Does a loop with nothing in it come to its end, and leave nothing behind?"""
    head = counted(loop, threads.effects)
    if head is None or not isinstance(loop.initial, Declare):
        return False
    return all(_is_pure(one) for one in (head.first, head.bound, head.step))


def _of_turns(
    loop: For | While | DoWhile, named: Collection[Symbol], effects: EffectsOf
) -> frozenset[Symbol]:
    """Small arrays of which no turn of the loop names an element that another one names."""
    found = turns_with_elements(loop, effects) if isinstance(loop, For) else None
    if found is None or not isinstance(loop, For):
        return frozenset()
    return frozenset(
        one for one in named if is_small_array(one) and has_own_elements(loop, one, found.counter)
    )


def _body(
    body: Stmt, live: frozenset[Symbol], watched: frozenset[Symbol], threads: _Threads
) -> Stmt | None:
    old = statements_of(body)
    new = _sequence(old, live, watched, threads)[0]
    if len(new) == len(old) and all(one is two for one, two in zip(new, old, strict=True)):
        return body
    if not new:
        return None
    if isinstance(body, Block):
        return replace(body, statements=tuple(new), form=Form.BUILT)
    return Block(tuple(new))


def _zeroed(statement: Stmt) -> Expr | None:
    """The element of an array, or the variable, that the statement sets to 0."""
    match statement:
        case ExprStatement(expr=Assign(op="=", target=target, value=value)) if is_zero(value):
            inner = strip_parens(target)
            is_place = isinstance(inner, (Index, Member, VarRef)) and _is_pure(inner)
            return inner if is_place else None
        case _:
            return None


def _is_pure(expr: Expr) -> bool:
    return not any(
        isinstance(node, (Call, Assign)) or (isinstance(node, Unary) and node.is_update)
        for node in walk(expr)
    )
