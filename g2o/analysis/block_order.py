"""Whether a thread only waits for blocks that come before its own.

    while (status[blockIdx.x - 1] == 0);   ...   status[blockIdx.x] = 1;
    while (turn != blockIdx.x);            ...   turn = blockIdx.x + 1;

Blocks that one thread takes in ascending order, and the numbers that `atomicAdd(&next, 1)` gives
them as they start, have this in common: the first of those that are not done waits for none of the
others. (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.effects import EffectsOf, is_memory, root_symbol
from g2o.analysis.spins import Look, Spin, is_atomic, only_reads
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, TypeKind

BLOCK: Final = "blockIdx"
_ZERO: Final = Literal("0", 0, INT)
_COUNTS: Final = ("atomicAdd", "atomicInc")
_UPDATES: Final = {"atomicAdd": "+=", "atomicSub": "-=", "atomicAnd": "&=", "atomicXor": "^="}


@final
@dataclass(frozen=True, slots=True)
class Position:
    """A number that stands for a block, and some more: `of` is BLOCK or the variable that holds
    what an atomic operation has counted."""

    of: str | Symbol
    more: int


@final
@dataclass(frozen=True, slots=True)
class Place:
    """An element behind a pointer or in an array; `index` is None where it is not known."""

    root: Symbol | None
    index: Expr | None


@final
@dataclass(slots=True)
class BlockOrder:
    """Answers for the loops of one kernel."""

    body: Node
    effects: EffectsOf
    values: dict[Symbol, list[Assign | None]] = field(
        default_factory=dict["Symbol", "list[Assign | None]"]
    )
    in_progress: set[Symbol] = field(default_factory=set[Symbol])

    def __post_init__(self) -> None:
        for symbol, value in _assignments(self.body, self.effects):
            self.values.setdefault(symbol, []).append(value)

    # -- what waits for what ---------------------------------------------------------------------

    def earlier_blocks(self, spin: Spin, look: Look) -> Position | None:
        """The number that the blocks are in the order of, if those that write what the loop looks
        at come before the one that waits."""
        place = self.place(look.place)
        if place.root is None or place.index is None:
            return None
        writes = [one for one in self.writes(place.root) if not self._is_elsewhere(one, place)]
        found = self._at_most(place.index)
        if found is None:
            return self._turn(spin, place, writes)
        for write in writes:
            index = self.place(write.target).index
            own = None if index is None else self._exactly(index)
            if own is None or own.of != found.of or found.more >= own.more:
                return None
        return found if writes else None

    def _is_elsewhere(self, write: Assign, place: Place) -> bool:
        """Is it surely another element than the one that is looked at?"""
        other = self.place(write.target).index
        if other is None or place.index is None:
            return False
        one, two = integer_value(other), integer_value(place.index)
        return one is not None and two is not None and one != two

    def _turn(self, spin: Spin, place: Place, writes: list[Assign]) -> Position | None:
        """One after the other: the loop compares with the number of the block, and who is done
        adds one."""
        match spin.loop.condition:
            case Binary(op="!=" | "<", left=left, right=right):
                pass
            case _:
                return None
        shown = self.place(left.arguments[0] if isinstance(left, Call) else left)
        own = self._exactly(right)
        if shown != place or own is None or not writes:
            return None
        for write in writes:
            given = self._exactly(write.value)
            next_one = given is not None and given == Position(own.of, own.more + 1)
            adds = write.op == "+=" and integer_value(write.value) == 1
            if self.place(write.target) != place or not (next_one or adds):
                return None
        return own

    def origin(self, symbol: Symbol) -> Symbol | None:
        """The array, or the pointer from outside, that a pointer comes from."""
        return self._origin(symbol).root

    def writes(self, root: Symbol) -> list[Assign]:
        """What the kernel stores behind the root."""
        return [one for one in stores_in(self.body) if self.place(one.target).root == root]

    def place(self, expr: Expr) -> Place:
        """The element that an lvalue, or an address, means."""
        match strip_parens(expr):
            case Index(base=base, index=index):
                return self._behind(self.place(base), index)
            case Member(base=inner) | Cast(operand=inner) | Unary(op="*" | "&", operand=inner):
                return self.place(inner)
            case Binary(op="+", left=left, right=right) if left.type.is_indirect:
                return self._behind(self.place(left), right)
            case VarRef(symbol=symbol):
                return self._origin(symbol)
            case other:
                return Place(root_symbol(other), None)

    def _behind(self, place: Place, index: Expr) -> Place:
        return Place(place.root, index if place.index == _ZERO else None)

    def _origin(self, symbol: Symbol) -> Place:
        """Pointers that are only other names for others stand for those."""
        values = self.values.get(symbol, [])
        if symbol.type.kind not in (TypeKind.POINTER, TypeKind.REFERENCE) or not values:
            return Place(symbol, _ZERO)
        only = values[0]
        if len(values) > 1 or only is None or only.op != "=" or symbol in self.in_progress:
            return Place(symbol, None)
        self.in_progress.add(symbol)
        found = self.place(only.value)
        self.in_progress.discard(symbol)
        return found

    # -- numbers of blocks -----------------------------------------------------------------------

    def _exactly(self, expr: Expr) -> Position | None:
        match strip_parens(expr):
            case LaunchRef(builtin=Builtin.BLOCK_INDEX, axis=axis) if self._is_only_axis(axis):
                return Position(BLOCK, 0)
            case Cast(operand=operand):
                return self._exactly(operand)
            case Binary(op="+" | "-" as op, left=left, right=right):
                return _moved(self._exactly(left), integer_value(right), op)
            case VarRef(symbol=symbol):
                only = self._only_value(symbol)
                if only is None:
                    return None
                return Position(symbol, 0) if _is_ticket(only) else self._exactly(only)
            case _:
                return None

    def _at_most(self, expr: Expr) -> Position | None:
        exact = self._exactly(expr)
        if exact is not None:
            return exact
        match strip_parens(expr):
            case Cast(operand=operand):
                return self._at_most(operand)
            case Binary(op="-", left=left, right=right) if self._is_natural(right):
                return _moved(self._at_most(left), -(integer_value(right) or 0), "+")
            case Binary(op="+", left=left, right=right):
                return _moved(self._at_most(left), self._greatest(right), "+")
            case VarRef(symbol=symbol) if symbol not in self.in_progress:
                self.in_progress.add(symbol)
                found = self._greatest_of(symbol, self.values.get(symbol, []))
                self.in_progress.discard(symbol)
                return found
            case _:
                return None

    def _greatest_of(self, symbol: Symbol, values: list[Assign | None]) -> Position | None:
        """The most that a variable is that only ever becomes less."""
        if is_memory(symbol) and len(values) > 1:
            return None
        found: list[Position] = []
        for value in values:
            if value is None:
                return None
            less = value.op == "-=" or (
                value.op == "="
                and isinstance(changed := strip_parens(value.value), Binary)
                and changed.op == "-"
                and strip_parens(changed.left) == value.target
            )
            if less:
                step = value.value if value.op == "-=" else strip_parens(value.value)
                by = step.right if isinstance(step, Binary) and value.op == "=" else step
                if not self._is_natural(by):
                    return None
                continue
            start = self._at_most(value.value) if value.op == "=" else None
            if start is None:
                return None
            found.append(start)
        if not found or any(one.of != found[0].of for one in found):
            return None
        return max(found, key=lambda one: one.more)

    def _is_natural(self, expr: Expr) -> bool:
        """Is it surely not negative?"""
        value = integer_value(expr)
        if value is not None:
            return value >= 0
        match strip_parens(expr):
            case LaunchRef():
                return True
            case Binary(op="&" | "%" | "/" | "+" | "*", left=left, right=right):
                return self._is_natural(left) and self._is_natural(right)
            case VarRef(symbol=symbol):
                only = self._only_value(symbol)
                return only is not None and self._is_natural(only)
            case _:
                return False

    def _greatest(self, expr: Expr) -> int | None:
        """The most that a number is, where that is a constant."""
        value = integer_value(expr)
        if value is not None:
            return value
        match strip_parens(expr):
            case Binary(op="&", right=right):
                mask = integer_value(right)
                return mask if mask is not None and mask >= 0 else None
            case Binary(op="%", right=right):
                divisor = integer_value(right)
                return None if divisor is None else abs(divisor) - 1
            case VarRef(symbol=symbol):
                only = self._only_value(symbol)
                return None if only is None else self._greatest(only)
            case _:
                return None

    def _only_value(self, symbol: Symbol) -> Expr | None:
        values = self.values.get(symbol, [])
        only = values[0] if len(values) == 1 else None
        return only.value if only is not None and only.op == "=" else None

    def _is_only_axis(self, axis: int | None) -> bool:
        """Are blocks told apart by this axis alone?"""
        return all(
            node.axis == axis
            for node in walk(self.body)
            if isinstance(node, LaunchRef) and node.builtin is Builtin.BLOCK_INDEX
        )


def _moved(position: Position | None, by: int | None, op: str) -> Position | None:
    if position is None or by is None:
        return None
    return Position(position.of, position.more + (by if op == "+" else -by))


def _is_ticket(expr: Expr) -> bool:
    """Is it what an atomic operation has counted?"""
    call = strip_parens(expr)
    if not isinstance(call, Call) or not is_atomic(call):
        return False
    stem = call.name.partition("_")[0]
    one = len(call.arguments) > 1 and (stem == "atomicInc" or integer_value(call.arguments[1]) == 1)
    return stem in _COUNTS and one


def _assignments(body: Node, effects: EffectsOf) -> Iterator[tuple[Symbol, Assign | None]]:
    """Everything that a variable is set to; None for what is not known."""
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None:
                        yield one.symbol, Assign("=", VarRef(one.symbol), one.initial)
            case Assign(target=VarRef(symbol=symbol)):
                yield symbol, node
            case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol) as target):
                yield symbol, Assign(f"{op[0]}=", target, Literal("1", 1, INT))
            case Unary(op="&", operand=VarRef(symbol=symbol)) if not is_memory(symbol):
                yield symbol, None
            case Call():
                for symbol in effects.of_called(node).writes:
                    yield symbol, None
            case _:
                pass


def stores_in(body: Node) -> Iterator[Assign]:
    """What is stored. An atomic operation is an update, or a store of its last operand."""
    for node in walk(body):
        match node:
            case Assign():
                yield node
            case Unary(op="++" | "--" as op, operand=operand):
                yield Assign(f"{op[0]}=", operand, Literal("1", 1, INT), span=node.span)
            case Call(arguments=(address, value, *rest)) if is_atomic(node):
                stem = node.name.partition("_")[0]
                if only_reads(node):
                    continue
                op = _UPDATES.get(stem, "=")
                given = rest[0] if stem == "atomicCAS" and rest else value
                yield Assign(op, address, given, span=node.span)
            case _:
                pass
