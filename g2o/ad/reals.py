"""Which types carry derivatives, and the real numbers that values of such types consist of."""

from __future__ import annotations

import re
from typing import Final

from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Expr, Index, Literal, Member, VarRef
from g2o.ir.types import FLOAT, INT, CType, TypeKind, computed_as

_VECTOR: Final = re.compile(r"^(?:const )?(float|double)([1234])$")
_DOUBLE: Final = CType("double", TypeKind.FLOATING, 64)
_AXES: Final = "xyzw"


def is_real(ctype: CType) -> bool:
    """Is it a floating type, be it a class, or an argument of a template that may be one?"""
    return ctype.kind in (TypeKind.FLOATING, TypeKind.DEPENDENT) or ctype.is_half


def fields_of(ctype: CType) -> tuple[tuple[str, CType], ...]:
    """The members of a vector type or of a structure."""
    vector = _VECTOR.match(ctype.spelling)
    if vector is None:
        return ctype.fields
    member = FLOAT if vector[1] == "float" else _DOUBLE
    return tuple((axis, member) for axis in _AXES[: int(vector[2])])


def carries(ctype: CType) -> bool:
    """Is there a real number in a value of this type, or behind a pointer of it?"""
    if is_real(ctype):
        return True
    if ctype.is_indirect:
        return ctype.element is not None and carries(ctype.element)
    return any(_is_part(member) for _, member in fields_of(ctype))


def hides_reals(ctype: CType) -> bool:
    """Is it, or does it hold or refer to, a union or a class of a library with real numbers?"""
    if ctype.is_indirect:
        return ctype.element is not None and hides_reals(ctype.element)
    return ctype.hides_reals or any(hides_reals(one) for _, one in ctype.fields)


def hides_parts(ctype: CType) -> bool:
    """Are some of its own real numbers in a union or a class of a library?"""
    if ctype.kind is TypeKind.ARRAY:
        return ctype.element is not None and hides_parts(ctype.element)
    own = (member for _, member in ctype.fields)
    return not ctype.is_indirect and (ctype.hides_reals or any(map(hides_parts, own)))


def _is_part(member: CType) -> bool:
    """Are there real numbers in a member itself? What it points to is no part of it."""
    if member.kind is TypeKind.ARRAY:
        return member.element is not None and _is_part(member.element)
    return not member.is_indirect and carries(member)


def real_parts(expr: Expr, ctype: CType | None = None) -> list[Expr]:
    """The real numbers in the lvalue `expr`: `p.x`, `p.y` of a `float2 p`."""
    ctype = _plain(value_type(expr) if ctype is None else ctype)
    if is_real(ctype):
        return [expr]
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None and ctype.extent is not None:
        return [
            part
            for position in range(ctype.extent)
            for part in real_parts(
                Index(expr, Literal(str(position), position, INT), ctype.element), ctype.element
            )
        ]
    return [
        part
        for name, member in fields_of(ctype)
        if not member.is_indirect or member.kind is TypeKind.ARRAY
        for part in real_parts(Member(expr, name, type=member), member)
    ]


def _plain(ctype: CType) -> CType:
    if ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
        return ctype.element
    return ctype


def precision(expr: Expr) -> CType:
    """The floating type in which the value of `expr` is computed."""
    ctype = _plain(value_type(expr))
    if isinstance(expr, VarRef):
        ctype = _plain(expr.symbol.type)
    return computed_as(ctype) if is_real(ctype) else _DOUBLE
