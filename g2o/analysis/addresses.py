"""Places in memory: so many elements from the start of an array, or of what a pointer was given."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.integer_types import same_size
from g2o.ir.expressions import Expr, Member, Paren, VarRef
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.polynomial import ZERO, Polynomial

_VECTORS: Final = ("char", "short", "int", "long", "float", "double", "half")
_NUMBERS: Final = {
    "char": (TypeKind.INTEGER, 8),
    "short": (TypeKind.INTEGER, 16),
    "int": (TypeKind.INTEGER, 32),
    "longlong": (TypeKind.INTEGER, 64),
    "float": (TypeKind.FLOATING, 32),
    "double": (TypeKind.FLOATING, 64),
}
_VECTOR: Final = re.compile(r"(?:const )?(?:volatile )?u?([a-z]+)([1-4])")


@final
@dataclass(frozen=True, slots=True)
class Address:
    """A place: `offset` counts elements of `element` from the start of `root`; None where it is
    not known. `private` places are the thread's own. `path` are the members below the element.
    `row` is the array that a pointer was made of: `double *row = a[i]`."""

    root: Symbol | None
    offset: Polynomial | None
    element: CType | None
    path: tuple[str, ...] = ()
    private: bool = False
    row: Row | None = None


@final
@dataclass(frozen=True, slots=True)
class Row:
    """An array inside of another one: where it begins, and how many innermost elements it has."""

    begin: Polynomial
    size: Polynomial


ANY_MEMBER: Final = "*"
"""In a path: a member that may share its place with others, as in a union."""

ANYWHERE: Final = Address(None, None, None)


def displaced(start: Address, by: Polynomial) -> Address:
    if start.offset is None or by == ZERO:
        return start
    if start.path:
        return Address(start.root, None, None, (), start.private)
    return replace(start, offset=start.offset + by)


def recounted(offset: Polynomial, element: CType | None, target: CType | None) -> Polynomial | None:
    """So many elements of a type as elements of another: numbers, and vectors of these.

    16 floats are 4 of the type float4. None where it is no whole number of them, or not known.
    """
    if same_size(element, target):
        return offset
    one, other = _numbers_in(element), _numbers_in(target)
    if one is None or other is None or one[1] != other[1]:
        return None
    numbers = offset.scaled(one[0])
    if any(factor % other[0] for _, factor in numbers.terms):
        return None
    return numbers.over(other[0])


def _numbers_in(ctype: CType | None) -> tuple[int, tuple[TypeKind, int]] | None:
    """How many numbers a value of the type consists of, and what these are."""
    if ctype is None:
        return None
    if ctype.is_arithmetic:
        return 1, (ctype.kind, ctype.bits)
    vector = _VECTOR.fullmatch(ctype.spelling) if is_vector(ctype) else None
    if vector is None or vector[1] not in _NUMBERS:
        return None
    return int(vector[2]), _NUMBERS[vector[1]]


def spelled_path(expr: Expr) -> tuple[str, ...] | None:
    """The members that lead from a variable to the value; None where more than members do."""
    match expr:
        case Member(base=base, name=name, arrow=False):
            path = spelled_path(base)
            return None if path is None else (*path, name)
        case Paren(inner=inner):
            return spelled_path(inner)
        case VarRef():
            return ()
        case _:
            return None


def has_own_member(record: CType | None, name: str) -> bool:
    """Does the member of that name have memory that no other member has?

    Those of unions have not, nor have bit fields; the name may be that of two members, one of them
    of a base.
    """
    if record is None:
        return False
    return is_vector(record) or [field for field, _ in record.fields].count(name) == 1


def is_vector(ctype: CType | None) -> bool:
    """CUDA's vector types: their members lie apart."""
    if ctype is None or ctype.kind is not TypeKind.RECORD:
        return False
    name = ctype.spelling.removeprefix("const ").removeprefix("volatile ").removeprefix("u")
    return name[:-1].removeprefix("long") in _VECTORS and name[-1:] in "1234"
