"""A reverse sweep that needs none of the primal's values stands alone, behind a call of the primal.

    block_sum(grid, block, shared_bytes, in, partial, n);
    for (...) {
        d_buf[0] += d_partial[b];
        ...

Of the forward sweep only that stays from which the reverse sweep computes indices, conditions and
trip counts. Legal where all of that is in variables of the thread and comes from memory that the
kernel does not write: then it is the same behind the primal as it was in it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import final

from g2o.ad.places import Places, is_private
from g2o.analysis.effects import EffectsOf, declared_in, is_tape_call, root_symbol, symbols_in
from g2o.ir.expressions import Assign, Call, Expr, Form, LaunchRef, Unary, VarRef, Verbatim
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind


class _NotApart(Exception):
    """The reverse sweep needs what only the forward sweep has."""


def reverse_alone(
    both: tuple[Stmt, ...],
    primal: tuple[Stmt, ...],
    shadows: Collection[Symbol],
    effects: EffectsOf,
    places: Places,
    *,
    of_iterations: bool = False,
) -> tuple[Stmt, ...] | None:
    """What of `both` sweeps has to follow a call of the primal; None where the reverse sweep
    cannot stand alone. `shadows` are those that the caller hands over, `effects` those of `both`.
    `of_iterations`: the threads are those of one loop, and never wait: what one of them has written
    last no other one changes.
    """
    old = {symbol for statement in primal for symbol in declared_in(statement)}
    new = {symbol for statement in both for symbol in declared_in(statement)} - old
    waits = {id(n) for one in primal for n in walk(one) if isinstance(n, (Barrier, Exchange))}
    memory = frozenset(shadows) | {one for one in new if not is_private(one)}
    slicer = _Slicer(effects, memory, waits, of_iterations)
    try:
        slicer.run(both)
    except _NotApart:
        return None
    order = _Order(both)
    written: set[Symbol | None] = set()
    for place, _ in places.memory:
        if place is None or not is_private(place):
            written.add(place)
    for one in slicer.kept_leaves:
        found = effects.of(one)
        if any(symbol not in memory and not _is_own(symbol) for symbol in found.memory_writes):
            return None
        for symbol in found.memory_reads:
            if symbol in memory or _is_own(symbol):
                continue
            roots = {None} if symbol is None else places.origins.resolve(symbol)
            if any(places.may_alias(root, other) for root in roots for other in written):
                if not of_iterations or order.is_written_later(one, memory, effects):
                    return None
    return tuple(slicer.rest(both))


@final
class _Order:
    """Where the nodes of both sweeps stand."""

    def __init__(self, both: tuple[Stmt, ...]) -> None:
        self.count = 0
        self.numbers: dict[int, int] = {}
        self.loops: dict[int, tuple[int, ...]] = {}
        self.writers: list[Stmt] = []
        for one in both:
            self._enter(one, ())

    def _enter(self, node: Node, around: tuple[int, ...]) -> None:
        self.count += 1
        self.numbers.setdefault(id(node), self.count)  # the first place, of what stands in several
        self.loops[id(node)] = (*self.loops.get(id(node), ()), *around)
        if isinstance(node, (ExprStatement, Declare)):
            self.writers.append(node)
        inside = (*around, id(node)) if isinstance(node, (For, While, DoWhile)) else around
        for child in children(node):
            self._enter(child, inside)

    def is_written_later(self, leaf: Node, memory: Collection[Symbol], effects: EffectsOf) -> bool:
        """Is memory other than the shadows' written behind the leaf, or again in a loop around?"""
        place, around = self.numbers[id(leaf)], set(self.loops[id(leaf)])
        for one in self.writers:
            later = self.numbers[id(one)] > place or not around.isdisjoint(self.loops[id(one)])
            if later and any(
                symbol not in memory and not _is_own(symbol)
                for symbol in effects.of(one).memory_writes
            ):
                return True
        return False


def _is_own(symbol: Symbol | None) -> bool:
    return symbol is not None and is_private(symbol)


@final
@dataclass(slots=True)
class _Slicer:
    """`memory` are shadows that other threads see, `waits` the barriers and shuffles of the
    primal."""

    effects: EffectsOf
    memory: frozenset[Symbol]
    waits: set[int]
    of_iterations: bool
    needed: set[Symbol] = field(default_factory=set[Symbol])
    kept: set[int] = field(default_factory=set[int])
    kept_leaves: list[Node] = field(default_factory=list[Node])

    def run(self, statements: tuple[Stmt, ...]) -> None:
        """Find what has to be kept. Raises _NotApart for what is not understood."""
        before = -1
        while before != len(self.kept):
            before = len(self.kept)
            for statement in reversed(statements):
                self._visit(statement)

    def _visit(self, node: Stmt) -> bool:
        """Keep the statement if it is needed; is it?"""
        match node:
            case Block(statements=statements):
                return self._keep_if(node, [self._visit(one) for one in reversed(statements)], ())
            case If(condition=condition, then=then, otherwise=otherwise):
                inner = [self._visit(then)] + ([self._visit(otherwise)] if otherwise else [])
                return self._keep_if(node, inner, (condition,))
            case For(initial=initial, condition=condition, increment=increment, body=body):
                heads = tuple(one for one in (initial, condition, increment) if one is not None)
                return self._keep_if(node, [self._visit(body)], heads)
            case While(condition=condition, body=body) | DoWhile(condition=condition, body=body):
                return self._keep_if(node, [self._visit(body)], (condition,))
            case Barrier() | Empty():
                return False
            case Return():
                return self._keep(node)
            case Declare() | ExprStatement() | Exchange():
                return self._keep(node) if self._is_wanted(node) else False
            case _:
                raise _NotApart

    def _keep_if(self, node: Stmt, inner: list[bool], heads: tuple[Node, ...]) -> bool:
        if not any(inner):
            return False
        for head in heads:
            self._keep(head)
        self.kept.add(id(node))
        return True

    def _keep(self, node: Node) -> bool:
        if id(node) not in self.kept:
            self.kept.add(id(node))
            self.kept_leaves.append(node)
            self.needed |= symbols_in(node)
            if id(node) in self.waits or any(isinstance(inner, Verbatim) for inner in walk(node)):
                raise _NotApart
        return True

    def _is_wanted(self, node: Declare | ExprStatement | Exchange) -> bool:
        if isinstance(node, Declare) and any(one.symbol in self.needed for one in node.variables):
            return True
        if isinstance(node, Exchange) and node.result in self.needed:
            return True
        found = self.effects.of(node)
        written: set[Symbol | None] = {*found.writes, *found.memory_writes}
        if self.of_iterations:  # what the primal has left in memory is there
            written -= {one for one in found.memory_writes if not _is_own(one)} - self.memory
        for inner in walk(node):
            if isinstance(inner, Call) and is_tape_call(inner):
                written.add(root_symbol(inner.callee))
        return any(one in self.memory or one in self.needed for one in written)

    # -- what is left ---------------------------------------------------------------------------

    def rest(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        """The kept statements, and the barriers of the reverse sweep."""
        result: list[Stmt] = []
        for statement in statements:
            if isinstance(statement, Barrier):
                if id(statement) not in self.waits:
                    result.append(statement)
            elif id(statement) in self.kept:
                result.append(self._reduced(statement))
        return _declared_late(result)

    def _reduced(self, node: Stmt) -> Stmt:
        match node:
            case Block(statements=statements):
                new = self.rest(statements)
                same = len(new) == len(statements) and all(
                    one is two for one, two in zip(new, statements, strict=True)
                )
                return node if same else replace(node, statements=tuple(new), form=Form.BUILT)
            case If(then=then, otherwise=otherwise):
                first = self._body(then)
                second = None
                if otherwise is not None and id(otherwise) in self.kept:
                    second = self._body(otherwise)
                if first is then and second is otherwise:
                    return node
                return replace(node, then=first, otherwise=second, form=Form.BUILT)
            case For(body=body) | While(body=body) | DoWhile(body=body):
                new_body = self._body(body)
                if new_body is body:
                    return node
                return replace(node, body=new_body, form=Form.BUILT)
            case _:
                return node

    def _body(self, body: Stmt) -> Stmt:
        if isinstance(body, Block):
            return self._reduced(body)
        return body if id(body) in self.kept else Block(())


def _declared_late(statements: list[Stmt]) -> list[Stmt]:
    """`int i = a; i = b;` becomes `int i = b;`: what has read the first value is gone."""
    for start, statement in enumerate(statements):
        if not isinstance(statement, Declare) or len(statement.variables) != 1:
            continue
        variable = statement.variables[0]
        if variable.symbol.type.kind is TypeKind.REFERENCE:
            continue  # what is assigned is the value of something else
        naming = [
            position
            for position in range(start + 1, len(statements))
            if variable.symbol in symbols_in(statements[position])
        ]
        if not naming or variable.initial is None or _may_change(variable.initial):
            continue
        match statements[naming[0]]:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)) if (
                target == variable.symbol and target not in symbols_in(value)
            ):
                before, between = statements[:start], statements[start + 1 : naming[0]]
                again = Declare((replace(variable, initial=value),))
                rest = [*before, *between, again, *statements[naming[0] + 1 :]]
                return _declared_late(rest)
            case _:
                pass
    return statements


def _may_change(expr: Expr) -> bool:
    return any(
        isinstance(node, (Call, Assign)) or (isinstance(node, Unary) and node.is_update)
        for node in walk(expr)
    )


def has_sweeps_of_its_own(statements: tuple[Stmt, ...], effects: EffectsOf) -> bool:
    """Do the sweeps not share one loop anyway: because threads wait for each other, or because each
    marches through memory in a loop of its own, that all of them begin alike?"""
    return any(
        isinstance(node, (Barrier, Exchange))
        or (isinstance(node, For) and _begins_alike(node) and _stores(node, effects))
        for one in statements
        for node in walk(one)
    )


def _begins_alike(loop: For) -> bool:
    match loop.initial:
        case Declare(variables=(Variable(initial=first),)) if first is not None:
            named = (node for node in walk(first) if isinstance(node, VarRef | LaunchRef))
            return all(
                isinstance(one, VarRef) and one.symbol.storage is Storage.PARAMETER for one in named
            )
        case _:
            return False


def _stores(loop: For, effects: EffectsOf) -> bool:
    return any(
        root is None or root.storage is Storage.PARAMETER for root in effects.of(loop).memory_writes
    )
