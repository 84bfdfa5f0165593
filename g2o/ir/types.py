"""C++ types as far as analysis and emission ask about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final


class TypeKind(Enum):
    VOID = "void"
    BOOL = "bool"
    INTEGER = "integer"
    FLOATING = "floating"
    POINTER = "pointer"
    REFERENCE = "reference"
    ARRAY = "array"
    RECORD = "record"
    DEPENDENT = "dependent"
    OTHER = "other"


@final
@dataclass(frozen=True, slots=True)
class CType:
    """A type with the spelling that C++ text would use for it.

    `bits` is 0 where unknown (dependent types). `element` is what a pointer, reference or array
    refers to. `extent` is the number of elements of an array, None where it is not a constant.
    """

    spelling: str
    kind: TypeKind
    bits: int = 0
    is_signed: bool = True
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False
    element: CType | None = None
    extent: int | None = None

    @property
    def is_arithmetic(self) -> bool:
        return self.kind in (TypeKind.BOOL, TypeKind.INTEGER, TypeKind.FLOATING)

    @property
    def is_indirect(self) -> bool:
        return self.kind in (TypeKind.POINTER, TypeKind.REFERENCE, TypeKind.ARRAY)

    @property
    def innermost(self) -> CType:
        """The element type under all array extents."""
        current = self
        while current.kind is TypeKind.ARRAY and current.element is not None:
            current = current.element
        return current


INT = CType("int", TypeKind.INTEGER, 32)
UNSIGNED = CType("unsigned", TypeKind.INTEGER, 32, is_signed=False)
BOOL = CType("bool", TypeKind.BOOL, 8, is_signed=False)
VOID = CType("void", TypeKind.VOID)
UNKNOWN = CType("auto", TypeKind.OTHER)
