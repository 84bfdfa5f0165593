"""The place that an lvalue names, and what a pointer points to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Final

from g2o.analysis.accesses import OUTSIDE
from g2o.analysis.addresses import (
    ANY_MEMBER,
    ANYWHERE,
    Address,
    Row,
    displaced,
    has_own_member,
    recounted,
)
from g2o.analysis.effects import root_symbol
from g2o.analysis.evaluation import Evaluation
from g2o.analysis.integer_types import is_integer, is_pointer, same_element, type_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.formula import at_least, less
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial
from g2o.polyhedral.space import NameInfo

_OF_BLOCK: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)


@dataclass(slots=True)
class Places(Evaluation):
    """Indices in lvalues are evaluated."""

    def place(self, expr: Expr) -> Address:
        """The place that an lvalue names. Indices in it are evaluated."""
        match expr:
            case Paren() | Code() if (inner := strip_parens(expr)) is not expr:
                return self.place(inner)
            case VarRef(symbol=symbol):
                return self._variable(symbol)
            case Unary(op="*", operand=operand):
                return self._in_row(self.address(operand))
            case Index(base=base, index=index):
                start = self.address(base)
                position = self._index(index, start.root)
                moved = position * self._size(base, start.root)
                if base.type.kind is not TypeKind.ARRAY:
                    return self._in_row(displaced(start, moved))
                if (extent := self._extent_of(base, start.root)) is not None:
                    self.inside += [at_least(position, ZERO), less(position, extent)]
                if start.path:
                    path = (*start.path, ANY_MEMBER)  # an array inside a member
                    return Address(start.root, start.offset, start.element, path, start.private)
                return displaced(replace(start, row=None), moved)
            case Member(base=base, name=name, arrow=arrow):
                start = self.address(base) if arrow else self.place(base)
                if self.effects.memory.leads_elsewhere(expr):
                    return _behind(expr)
                record = base.type.element if arrow else type_of(base)
                if start.element is not None and start.element.innermost.kind is TypeKind.RECORD:
                    path = (*start.path, name if has_own_member(record, name) else ANY_MEMBER)
                    return Address(start.root, start.offset, start.element, path, start.private)
                return Address(start.root, None, None, (), start.private)
            case Cast(operand=operand):
                found = self.place(operand)
                return Address(found.root, None, None, (), found.private)
            case Conditional(condition=condition, if_true=one, if_false=other):
                self.condition(condition)
                places = (self.place(one), self.place(other))
                for place in places:
                    if place.private and place.root is not None:
                        self._bind(place.root, None)
                return places[0] if places[0] == places[1] else ANYWHERE
            case _:
                self.visit_children(expr)
                return ANYWHERE

    def _in_row(self, place: Address) -> Address:
        """The place that a pointer leads to: inside of the row that the pointer was made of."""
        row, offset = place.row, place.offset
        if row is None or offset is None:
            return place
        self.inside += [at_least(offset, row.begin), less(offset, row.begin + row.size)]
        return replace(place, row=None)

    def _as_pointer(self, array: Expr) -> Address:
        """Where an array starts, which a pointer to it does not leave."""
        start = self.place(array)
        extent = self._extent_of(array, start.root)
        if start.offset is None or start.path or extent is None:
            return start
        size = extent * self._size(array, start.root)
        return replace(start, row=Row(start.offset, size))

    def _extent_of(self, array: Expr, root: Symbol | None) -> Polynomial | None:
        """How many elements an array has, its rows where it has several dimensions."""
        if array.type.extent is not None:
            return Polynomial.constant(array.type.extent)
        if array.type.is_view and root is not None:
            return self._size_of_view(root, _levels(array.type) - 1)
        spelled = self._spelled_extents(array)[-_levels(array.type) :]
        return spelled[0] if spelled else None

    def _size_of_view(self, root: Symbol, dimension: int) -> Polynomial:
        """How many elements there are in a dimension, of which the innermost is the first."""
        info = NameInfo(varying=False, not_negative=True)
        wish = f"{root.name}.size{dimension}"
        return Polynomial.name(self.space.name(wish, info, ("size", root, dimension)))

    def _index(self, expr: Expr, root: Symbol | None) -> Polynomial:
        """The value of an index. One that has wrapped round is outside of every array, but for
        what is loaded, or handed to the kernel: in global memory, what is added as it is."""
        ctype = type_of(expr)
        value = self.value(expr)
        if not is_integer(ctype) or ctype.is_signed:
            return self.arithmetic.unwrapped(value, 64)
        bits = ctype.bits or 32
        before = self.arithmetic.unwrapped(value, bits)
        names = before.names
        if root is None or root.storage not in _OF_BLOCK:
            names = frozenset(product[0] for product, _ in before.terms if len(product) == 1)
        settled = self.arithmetic.settled(value, bits, self._given(names))
        return before if settled == value else settled

    def _variable(self, symbol: Symbol) -> Address:
        if symbol.type.kind is TypeKind.REFERENCE:
            bound = self.machine.env.get(symbol)
            if isinstance(bound, Address):
                return bound
            return ANYWHERE if symbol.storage is Storage.LOCAL else Address(symbol, None, None)
        if symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED, Storage.GLOBAL):
            return Address(symbol, ZERO, symbol.type.innermost)
        return Address(symbol, ZERO, symbol.type.innermost, private=True)

    def address(self, expr: Expr) -> Address:
        """What a pointer points to, or where an array starts."""
        match expr:
            case Paren() | Code() if (inner := strip_parens(expr)) is not expr:
                return self.address(inner)
            case Unary(op="&", operand=operand):
                noted = len(self.inside)
                place = self.place(operand)
                del self.inside[noted:]  # one behind the last element has an address, too
                return place
            case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.POINTER:
                return self._pointer(symbol)
            case VarRef() | Index() | Member() | Unary(op="*") if expr.type.kind is TypeKind.ARRAY:
                return self._as_pointer(expr)
            case Binary(op="+" | "-" as op, left=left, right=right):
                if not is_pointer(left):
                    left, right = right, left
                start = self.address(left)
                moved = self._index(right, start.root) * self._size(left, start.root)
                return displaced(start, moved if op == "+" else -moved)
            case Cast(operand=operand, type=target) if is_pointer(operand):
                start = self.address(operand)
                if same_element(start.element, target.element) and not start.path:
                    return Address(start.root, start.offset, target.element, (), start.private)
                offset = start.offset
                if offset is not None and offset != ZERO:
                    offset = recounted(offset, start.element, target.element)
                if offset is None or start.path:
                    return Address(start.root, None, None, (), start.private)
                return Address(start.root, offset, target.element, (), start.private)
            case Assign(op="=", target=VarRef(symbol=symbol), value=value):
                found = self.address(value)
                self._bind(symbol, found)
                return found
            case Conditional(condition=condition, if_true=one, if_false=other):
                self.condition(condition)
                first, second = self.address(one), self.address(other)
                if first == second:
                    return first
                if first.root == second.root and not (first.private or second.private):
                    return Address(first.root, None, None)
                return ANYWHERE
            case Member():
                self.value(expr)
                return _behind(expr)
            case _:
                self.value(expr)
                return ANYWHERE

    def _pointer(self, symbol: Symbol) -> Address:
        if symbol in self.hidden:
            return ANYWHERE
        known = self.machine.env.get(symbol)
        if isinstance(known, Address):
            return known
        if symbol.storage is Storage.PARAMETER and symbol not in self.machine.env:
            return Address(symbol, ZERO, symbol.type.element)
        if symbol.storage is Storage.GLOBAL and symbol not in self.written:
            return Address(symbol, ZERO, symbol.type.element)
        return ANYWHERE

    def _size(self, base: Expr, root: Symbol | None) -> Polynomial:
        """How many innermost elements one step of an index into `base`, a part of `root`, skips.

        An extent that is spelled as a constant which the build may define otherwise stays a name:
        what else is spelled so is as large.
        """
        step = base.type.element
        if step is None or step.kind is not TypeKind.ARRAY:
            return ONE
        levels = _levels(step)
        if step.is_view and root is not None:
            return prod((self._size_of_view(root, at) for at in range(levels)), start=ONE)
        size, current = ONE, step
        known = True
        while current.kind is TypeKind.ARRAY and current.element is not None:
            known = known and current.extent is not None
            size = size * Polynomial.constant(current.extent or 0)
            current = current.element
        spelled = self._spelled_extents(base)[-levels:]
        is_open = any(name in self.space.usual for extent in spelled for name in extent.names)
        if known and not is_open:
            return size
        return prod(spelled, start=ONE) if spelled else self.anything(varying=True)

    def _spelled_extents(self, base: Expr) -> tuple[Polynomial, ...]:
        """Those of the array that is indexed, where its declaration has all of them."""
        while isinstance(base, (Index, Paren)):
            base = base.base if isinstance(base, Index) else base.inner
        if not isinstance(base, VarRef):
            return ()
        spelled = self.extents.get(base.symbol, ())
        ctype = base.symbol.type
        if ctype.kind is TypeKind.POINTER and ctype.element is not None:
            ctype = ctype.element
        return spelled if len(spelled) == _levels(ctype) else ()


def _behind(member: Member) -> Address:
    """What a pointer, or a reference, that a structure holds leads to."""
    root = root_symbol(member)
    parameter = root is not None and root.storage is Storage.PARAMETER
    return Address(OUTSIDE, None, None) if parameter else ANYWHERE


def _levels(ctype: CType) -> int:
    """The dimensions of an array."""
    levels = 0
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        levels, ctype = levels + 1, ctype.element
    return levels
