"""What the values in braces are for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Expr, InitList, Literal, strip_parens
from g2o.ir.types import CType, TypeKind, vector_number

_SCALARS = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL, TypeKind.DEPENDENT)


def initialised(braces: InitList) -> Iterator[tuple[Expr, CType]]:
    """The values, with the types of the elements or members that they are for; those that are for
    parts of these, where their braces have been left out, with the types of the parts."""
    ctype = braces.type
    if ctype.is_arithmetic:
        if len(braces.elements) == 1:
            yield braces.elements[0], ctype
        return
    waiting = list(braces.elements)
    for part in _types(ctype, len(waiting)):
        yield from _taken(waiting, part)


def with_braces(elements: Sequence[Expr], types: Sequence[CType]) -> tuple[Expr, ...]:
    """The values of a list for parts of these types, with the braces that have been left out: an
    aggregate takes as many as it has parts where the next one is a number (C++17, 11.6.1)."""
    waiting = list(elements)

    def taken(ctype: CType) -> Expr:
        inside = () if _is_whole(waiting[0]) else _types(ctype, 0)
        if not inside:
            return waiting.pop(0)
        return InitList(tuple(taken(part) for part in inside if waiting), ctype)

    return tuple(taken(ctype) for ctype in types if waiting)


def _taken(waiting: list[Expr], ctype: CType) -> Iterator[tuple[Expr, CType]]:
    """What a part of this type takes from the front of the values that are left."""
    inside = () if not waiting or _is_whole(waiting[0]) else _types(ctype, 0)
    if waiting and not inside:
        yield waiting.pop(0), ctype
    for part in inside:
        yield from _taken(waiting, part)


def _types(ctype: CType, count: int) -> tuple[CType, ...]:
    """The types of the parts of an aggregate; none of other types. An array without an extent has
    `count` elements."""
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        return (ctype.element,) * (count if ctype.extent is None else ctype.extent)
    if ctype.kind is not TypeKind.RECORD or ctype.constructs or ctype.is_built:
        return ()
    number = vector_number(ctype)
    if number is not None:
        return (number,) * int(ctype.spelling.rstrip()[-1])
    return tuple(part for _, part in ctype.fields)


def _is_whole(value: Expr) -> bool:
    """Is it not a number, but all of an aggregate? A text is a whole array."""
    ctype = value_type(value)
    if ctype.kind is TypeKind.POINTER:
        return isinstance(strip_parens(value), Literal)
    return isinstance(value, InitList) or not (ctype.kind in _SCALARS or ctype.is_half)
