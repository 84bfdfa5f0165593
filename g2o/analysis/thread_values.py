"""Integers and addresses as the first threads of a block compute them.

    threadIdx.x / 8      ->  0 0 0 0 0 0 0 0 1 1 ...
    n + threadIdx.x      ->  Symbolic(n, 0), Symbolic(n, 1), ...
    &tile[1][threadIdx.x]  ->  Address(tile, ..., 17), Address(tile, ..., 18), ...

What is not known at compile time but the same for all threads is a name with an offset, what
differs in an unknown way is None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import repeat
from typing import final

from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind

_LONGEST_NAME = 200


@final
@dataclass(frozen=True, slots=True)
class Symbolic:
    """A value that is not known but for its distance to others with the same name."""

    name: str
    offset: int


@final
@dataclass(frozen=True, slots=True)
class Address:
    """An element of what `root` holds: `offset` elements behind the place that `path` leads to."""

    root: Symbol
    path: tuple[int | Symbolic | str, ...]
    offset: int | Symbolic
    element: CType | None

    @property
    def place(self) -> tuple[Symbol, tuple[int | Symbolic | str, ...], int | Symbolic]:
        """Equal for what is certainly the same memory."""
        bits = 0 if self.element is None else self.element.bits
        if bits and isinstance(self.offset, int):
            return self.root, self.path, self.offset * bits
        return self.root, self.path, self.offset

    def at(self, offset: int | Symbolic) -> Address:
        """The element at `offset` in place of this one."""
        return Address(self.root, self.path, offset, self.element)

    def member(self, name: str) -> Address:
        """The member of the element."""
        return Address(self.root, (*self.path, self.offset, name), 0, None)

    def inside(self) -> Address:
        """The first element of the array that the element is."""
        element = self.element
        if element is None or element.kind is not TypeKind.ARRAY:
            return self
        inner = element.element
        if element.extent is not None and isinstance(self.offset, int):
            return replace(self, offset=self.offset * element.extent, element=inner)
        return replace(self, path=(*self.path, self.offset), offset=0, element=inner)

    def viewed_as(self, element: CType | None) -> Address | None:
        """The address after a cast of the pointer."""
        old = 0 if self.element is None else self.element.bits
        new = 0 if element is None else element.bits
        if old == new or self.offset == 0:
            return replace(self, element=element)
        if not old or not new or not isinstance(self.offset, int) or self.offset * old % new:
            return None
        return replace(self, offset=self.offset * old // new, element=element)


Scalar = int | Symbolic | Address | None
Value = Scalar | list[Scalar]
"""A scalar where all threads have the same, a list with an element for each thread otherwise."""


def each(function: Callable[..., Scalar], *values: Value | str | CType) -> Value:
    """`function` applied thread by thread; what is not a list is the same for all."""
    width = next((len(value) for value in values if isinstance(value, list)), 0)
    if not width:
        return function(*values)
    columns = [value if isinstance(value, list) else repeat(value, width) for value in values]
    return [function(*row) for row in zip(*columns, strict=True)]


def wrapped(value: Scalar, ctype: CType) -> Scalar:
    """`value` converted to an integer type."""
    if not isinstance(value, int) or ctype.kind is not TypeKind.INTEGER or not ctype.bits:
        return int(bool(value)) if isinstance(value, int) and ctype.kind is TypeKind.BOOL else value
    value &= (1 << ctype.bits) - 1
    if ctype.is_signed and value >> (ctype.bits - 1):
        value -= 1 << ctype.bits
    return value


def combine(op: str, left: Scalar, right: Scalar) -> Scalar:
    """`left op right` for one thread."""
    if isinstance(left, int) and isinstance(right, int):
        return _of_integers(op, left, right)
    match left, right:
        case (Address(), int() | Symbolic()) if op in ("+", "-"):
            offset = combine(op, left.offset, right)
            return left.at(offset) if isinstance(offset, (int, Symbolic)) else None
        case (int() | Symbolic(), Address()) if op == "+":
            return combine("+", right, left)
        case (Address(), Address()) if left.root == right.root and left.path == right.path:
            return combine(op, left.offset, right.offset)
        case (Symbolic(), int()) if op in ("+", "-"):
            return replace(left, offset=_of_integers(op, left.offset, right) or 0)
        case (int(), Symbolic()) if op == "+":
            return replace(right, offset=right.offset + left)
        case (Symbolic(), Symbolic()) if left.name == right.name and op in _RELATIVE:
            return _of_integers(op, left.offset, right.offset)
        case (None, 0) | (0, None) if op == "&&":
            return 0
        case (None, int()) | (int(), None) if op == "||" and (left or right):
            return 1
        case (int() | Symbolic(), int() | Symbolic()) if op not in _COMPARISONS:
            name = f"({_spelled(left)}{op}{_spelled(right)})"
            return Symbolic(name, 0) if len(name) < _LONGEST_NAME else None
        case _:
            return None


_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=", "&&", "||")
_RELATIVE = ("-", "<", ">", "<=", ">=", "==", "!=")


def _spelled(value: int | Symbolic) -> str:
    return str(value) if isinstance(value, int) else f"{value.name}+{value.offset}"


def _of_integers(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%" if right != 0:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if op == "/" else left - quotient * right
        case "<<" if 0 <= right < 64:
            return left << right
        case ">>" if 0 <= right < 64:
            return left >> right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<":
            return int(left < right)
        case ">":
            return int(left > right)
        case "<=":
            return int(left <= right)
        case ">=":
            return int(left >= right)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "&&":
            return int(bool(left) and bool(right))
        case "||":
            return int(bool(left) or bool(right))
        case _:
            return None
