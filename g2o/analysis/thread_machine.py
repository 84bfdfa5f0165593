"""Expressions for the first threads of a block at once, and the accesses that they make.

Every thread has the integers and addresses that are known at compile time (`thread_values`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, root_symbol
from g2o.analysis.shared_accesses import (
    SHARED,
    WARP,
    Branch,
    Event,
    Meetings,
    is_access,
)
from g2o.analysis.thread_values import Address, Scalar, Symbolic, Value, combine, each, wrapped
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children
from g2o.ir.types import CType, TypeKind

_EFFORT = 1_000_000  # values of threads that are computed for one kernel: a second


@final
@dataclass(frozen=True, slots=True)
class BlockShape:
    """Extents of a block, None where unknown, and the indices of its first threads."""

    extents: tuple[int | None, int | None, int | None]
    threads: tuple[tuple[int, int, int], ...]


class Exhausted(Exception):
    """The kernel is too large to be looked at any further."""


@dataclass(slots=True)
class ThreadMachine:
    """What the first threads of a block hold, and what evaluating an expression does."""

    effects: EffectsOf
    pointers: set[Symbol]
    shape: BlockShape
    arrays: set[Symbol]  # of global memory
    unplaced: set[Symbol]  # those of the pointers that may lead anywhere into shared memory
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])  # of the template
    meetings: Meetings = field(default_factory=Meetings)
    values: dict[Symbol, Value] = field(default_factory=dict[Symbol, Value])
    active: list[bool] = field(default_factory=list[bool])
    branches: tuple[Branch, ...] = ()
    warp_phase: int = 0
    fences: int = 0
    guesses: int = 0  # decisions around that are not known
    scattered: int = 0  # and of these, those that each thread takes for itself
    names: int = 0
    effort: int = 0

    @property
    def width(self) -> int:
        return len(self.shape.threads)

    def is_memory(self, symbol: Symbol) -> bool:
        """Does it stand for memory that the threads of a block share?"""
        return symbol.storage in SHARED or symbol in self.arrays

    def differing(self) -> Value:
        """A value of which nothing is known."""
        nothing: list[Scalar] = [None] * self.width
        return nothing

    def unknown(self) -> Value:
        """A value of which nothing is known but that all threads have the same."""
        self.names += 1
        return Symbolic(f"#{self.names}", 0)

    def spend(self, amount: int) -> None:
        self.effort += amount
        if self.effort > _EFFORT:
            raise Exhausted

    def forget(self, symbols: Iterable[Symbol]) -> None:
        for symbol in symbols:
            if symbol.storage is Storage.LOCAL or symbol in self.values:
                self.values[symbol] = self.differing()

    def converted(self, value: Value, ctype: CType) -> Value:
        if ctype.kind is TypeKind.FLOATING:
            return self.differing() if isinstance(value, list) else self.unknown()
        return each(wrapped, value, ctype)

    def assign(self, symbol: Symbol, value: Value, fresh: bool = False) -> None:
        """Give `symbol` a value in the active threads."""
        if fresh or all(self.active):
            self.values[symbol] = value
            return
        old = self.values.get(symbol)
        if old == value:
            return
        before = old if isinstance(old, list) else [old] * self.width
        after = value if isinstance(value, list) else [value] * self.width
        pairs = zip(self.active, before, after, strict=True)
        self.values[symbol] = [new if active else one for active, one, new in pairs]

    def with_active(self, column: list[Scalar]) -> Iterable[tuple[bool, Scalar]]:
        return zip(self.active, column, strict=True)

    # -- expressions ----------------------------------------------------------------------------

    def evaluate(self, node: Expr) -> Value:
        """The value for each thread; accesses on the way are noted."""
        self.spend(1)
        if is_access(node, self.pointers):
            place = self.address(node)
            self._record(node, place, writes=False)
            return self._loaded(place)
        match node:
            case Literal(value=value, text=text):
                known = self.numbers.get(text) if value is None else value
                return Symbolic(text, 0) if known is None else known
            case Paren(inner=inner):
                return self.evaluate(inner)
            case VarRef(symbol=symbol):
                return self._variable(symbol)
            case LaunchRef(builtin=builtin, axis=axis):
                return self._launch(builtin, axis)
            case Unary(op="&", operand=operand):
                return self.address(operand)
            case Unary():
                return self._unary(node)
            case Binary(op="&&" | "||"):
                return self._logical(node)
            case Binary(op=op, left=left, right=right):
                return self._binary(op, self.evaluate(left), self.evaluate(right), node.type)
            case Assign():
                return self._assign(node)
            case Conditional(condition=condition):
                return self._conditional(node, self.evaluate(condition))
            case Cast(operand=operand, type=ctype):
                value = self.evaluate(operand)
                if ctype.kind is TypeKind.POINTER:
                    return each(_viewed, value, ctype)
                return self.converted(value, ctype)
            case Index() | Member():
                if node.type.kind is TypeKind.ARRAY:
                    return each(_first, self.address(node))
                return self._loaded(self.address(node))
            case Call():
                return self._call(node)
            case _:
                uniform = True
                for child in children(node):
                    if not isinstance(child, Stmt):
                        uniform = not isinstance(self.evaluate(child), list) and uniform
                self.forget(self.effects.of(node).writes)
                return self.unknown() if uniform else None

    def _variable(self, symbol: Symbol) -> Value:
        if symbol in self.values:
            value = self.values[symbol]
            return self._loaded(value) if symbol.type.kind is TypeKind.REFERENCE else value
        if self.is_memory(symbol):
            return Address(symbol, (), 0, symbol.type.element)
        if symbol.storage is Storage.PARAMETER or symbol.type.is_const:
            return Symbolic(f"{symbol.name}#{symbol.id}", 0)
        return self.unknown() if symbol.storage is Storage.GLOBAL else None

    def _launch(self, builtin: Builtin, axis: int | None) -> Value:
        match builtin:
            case Builtin.THREAD_INDEX if axis is not None:
                column = [thread[axis] for thread in self.shape.threads]
                return column[0] if len(set(column)) == 1 else list[Scalar](column)
            case Builtin.BLOCK_DIM if axis is not None and self.shape.extents[axis] is not None:
                return self.shape.extents[axis]
            case Builtin.WARP_SIZE:
                return WARP
            case Builtin.THREAD_INDEX:
                return None
            case _:
                return Symbolic(f"{builtin.value}.{axis}", 0)

    def _binary(self, op: str, left: Value, right: Value, ctype: CType) -> Value:
        if isinstance(left, list) or isinstance(right, list):
            self.spend(self.width)
        return each(wrapped, each(combine, op, left, right), ctype)

    def _unary(self, node: Unary) -> Value:
        if node.is_update:
            old = self.evaluate(node.operand)
            new = self._binary("+" if node.op == "++" else "-", old, 1, node.operand.type)
            self._store(node.operand, new, None)
            return old if node.postfix else new
        value = self.evaluate(node.operand)
        match node.op:
            case "-":
                return self._binary("-", 0, value, node.type)
            case "~":
                return self._binary("^", value, -1, node.type)
            case "!":
                return self._binary("==", value, 0, node.type)
            case "+":
                return value
            case _:
                return self._loaded(value)

    def _logical(self, node: Binary) -> Value:
        left = self.evaluate(node.left)
        column = left if isinstance(left, list) else [left] * self.width
        outer = self.active
        stops = 0 if node.op == "&&" else 1
        self.active = [
            a and not (isinstance(v, int) and bool(v) == bool(stops))
            for a, v in self.with_active(column)
        ]
        right = self.evaluate(node.right)
        self.active = outer
        return self._binary(node.op, left, right, node.type)

    def _conditional(self, node: Conditional, condition: Value) -> Value:
        column = condition if isinstance(condition, list) else [condition] * self.width
        outer = self.active
        self.active = [a and v != 0 for a, v in self.with_active(column)]
        if_true = self.evaluate(node.if_true)
        self.active = [
            a and not (isinstance(v, int) and v) for a, v in zip(outer, column, strict=True)
        ]
        if_false = self.evaluate(node.if_false)
        self.active = outer

        def choose(chosen: Scalar, one: Scalar, other: Scalar) -> Scalar:
            if isinstance(chosen, int):
                return one if chosen else other
            return one if one == other else None

        return each(choose, condition, if_true, if_false)

    def _assign(self, node: Assign) -> Value:
        value = self.evaluate(node.value)
        if node.op != "=":
            value = self._binary(node.op[:-1], self.evaluate(node.target), value, node.target.type)
        elif isinstance(node.target, VarRef):
            value = self.converted(value, node.target.type)
        self._store(node.target, value, integer_value(node.value) if node.op == "=" else None)
        return value

    def _store(self, target: Expr, value: Value, constant: int | None) -> None:
        target = strip_parens(target)
        if isinstance(target, VarRef) and not is_access(target, self.pointers):
            if target.symbol.type.kind is not TypeKind.REFERENCE:
                self.assign(target.symbol, value)
                return
        if is_access(target, self.pointers) or isinstance(target, VarRef):
            self._record(target, self.address(target), writes=True, value=constant)
        else:
            self.address(target)

    def _call(self, node: Call) -> Value:
        atomic = node.is_cuda and node.name.startswith("atomic")
        uniform = True
        for position, argument in enumerate(node.arguments):
            if atomic and position == 0:
                self._atomic(argument)
                uniform = False
                continue
            uniform = not isinstance(self.evaluate(argument), list) and uniform
        self.forget(self.effects.of(node).writes)
        return self.unknown() if uniform and not node.type.is_indirect else None

    def _atomic(self, argument: Expr) -> None:
        place = self.evaluate(argument)
        self._record(argument, place, writes=True, atomic=True)

    # -- memory ---------------------------------------------------------------------------------

    def address(self, node: Expr) -> Value:
        """Where an lvalue is."""
        match node:
            case Paren(inner=inner):
                return self.address(inner)
            case VarRef(symbol=symbol):
                if symbol.type.kind is TypeKind.REFERENCE:
                    return self.values.get(symbol)
                inner = symbol.type.element if symbol.type.kind is TypeKind.ARRAY else symbol.type
                named = self.is_memory(symbol) and symbol.storage is not Storage.PARAMETER
                return Address(symbol, (), 0, inner) if named else None
            case Index(base=base, index=index):
                extent = base.type.extent if base.type.kind is TypeKind.ARRAY else None
                return each(_element, self._pointer(base), self.evaluate(index), extent)
            case Unary(op="*", operand=operand):
                return self._pointer(operand)
            case Member(base=base, name=name, arrow=arrow):
                whole = self._pointer(base) if arrow else self.address(base)
                return each(_member, whole, name)
            case Cast(operand=operand):
                return self.address(operand)
            case _:
                return None

    def _pointer(self, node: Expr) -> Value:
        """The value of a pointer, or the first element of an array."""
        match strip_parens(node):
            case Index(type=ctype) as inner if ctype.kind is TypeKind.ARRAY:
                return each(_first, self.address(inner))
            case Index() | Member() as inner if is_access(inner, self.pointers):
                inner_type = inner.type.kind
                if inner_type in (TypeKind.ARRAY, TypeKind.DEPENDENT):
                    return each(_first, self.address(inner))
                return self.evaluate(inner)
            case Unary(op="*") as inner:
                return each(_first, self.address(inner))
            case inner:
                return self.evaluate(inner)

    def _loaded(self, place: Value) -> Value:
        """What stands at an address: not known, but the same for all if that is."""
        return self.differing() if isinstance(place, list) else self.unknown()

    def _record(
        self,
        node: Expr,
        place: Value,
        writes: bool,
        atomic: bool = False,
        value: int | None = None,
    ) -> None:
        column = place if isinstance(place, list) else [place] * self.width
        known = [one for one in column if isinstance(one, Address)]
        root = known[0].root if known else root_symbol(node)
        if root is None:
            return
        if root in self.arrays:
            if self.scattered:
                return  # perhaps by one thread alone
            fences = 0  # say nothing of global memory, where places are rarely known to differ
        elif root.storage in SHARED:
            fences = self.fences
        elif root in self.unplaced:
            root, fences = None, self.fences  # somewhere in shared memory
        else:
            return
        places = tuple(
            one.place if isinstance(one, Address) and active else (... if active else None)
            for active, one in self.with_active(column)
        )
        if not any(one is not None for one in places):
            return
        event = Event(
            node, writes, atomic, value, self.branches, self.warp_phase, fences, places
        )  # fmt: skip
        self.spend(self.meetings.note(root, event, self.arrays))


def _viewed(value: Scalar, ctype: CType) -> Scalar:
    return value.viewed_as(ctype.element) if isinstance(value, Address) else value


def _element(base: Scalar, index: Scalar, extent: Scalar) -> Scalar:
    """An element. Who would leave the array is not there: blocks are smaller than was thought."""
    if not isinstance(base, Address):
        return None
    if isinstance(extent, int) and isinstance(index, int) and not 0 <= index < extent:
        base = replace(base, path=(*base.path, "beyond"))
    return combine("+", base, index)


def _first(value: Scalar) -> Scalar:
    return value.inside() if isinstance(value, Address) else None


def _member(value: Scalar, name: str) -> Scalar:
    return value.member(name) if isinstance(value, Address) else None
