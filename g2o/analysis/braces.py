"""What the values in braces are for."""

from __future__ import annotations

from collections.abc import Iterator

from g2o.ir.expressions import Expr, InitList
from g2o.ir.types import CType, TypeKind, vector_number


def initialised(braces: InitList) -> Iterator[tuple[Expr, CType]]:
    """The values, with the types of the elements or members that they are for."""
    ctype = braces.type
    if ctype.kind is TypeKind.ARRAY:
        for value in braces.elements:  # without inner braces for those of an inner array
            yield value, ctype.innermost
    elif ctype.kind is TypeKind.RECORD and not ctype.constructs:
        for value, (_, member) in zip(braces.elements, ctype.fields, strict=False):
            yield value, member
        number = vector_number(ctype)
        if number is not None:
            yield from ((value, number) for value in braces.elements)
    elif ctype.is_arithmetic and len(braces.elements) == 1:
        yield braces.elements[0], ctype
