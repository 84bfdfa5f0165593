"""C++ types as far as analysis and emission ask about them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import final

_VECTOR = re.compile(r"(?:const )?u?(char|short|int|long|longlong|float|double)[1-4]")
_CHARACTER = 8  # bits of the types that may look at all others
_INNER_DECLARATOR = re.compile(r"\(\s*([*&]+(?:\s*\b(?:const|volatile|__restrict__)\b)*)\s*\)")
_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict__|__restrict)\b\s*")
_FLOATING = {32: "float", 64: "double"}
_EXTENTS = re.compile(r"(?:\[[^\[\]]*\])+$")


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
    refers to. `extent` is the number of elements of an array, None where it is not a constant; a
    `std::array` is a record that has both.
    `fields` are the members of a structure, those of its bases first; none for unions. One that
    `constructs` may hold other numbers than zeros when it is declared with empty braces: it has a
    constructor, or members with initial values. One that `hides_reals` is a class of a library for
    real numbers, `std::complex<double>`, whose members are nobody else's business, or `is_union`.
    One that `is_view` is spelled as a class, which has the subscripts of a pointer to arrays whose
    extents it knows itself, and is copied as a pointer is. One that `is_half` is a class that
    stands for a real number of 16 bits, PyTorch's `c10::Half` and `c10::BFloat16`. Objects of one
    that `ends` do something then, and of one that `copies` a copy is not what the object is. Braces
    call a constructor of one that `is_built`, or begin with its bases; they are the members of
    others.
    An enumeration is an integer of the sign that it has in arithmetic: overloads and templates tell
    it from the integer.
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
    fields: tuple[tuple[str, CType], ...] = field(default=(), compare=False, repr=False)
    constructs: bool = field(default=False, compare=False, repr=False)
    hides_reals: bool = field(default=False, compare=False, repr=False)
    is_union: bool = field(default=False, compare=False, repr=False)  # with real numbers
    is_enumeration: bool = field(default=False, compare=False, repr=False)
    is_view: bool = field(default=False, compare=False, repr=False)
    is_half: bool = field(default=False, compare=False, repr=False)
    ends: bool = field(default=False, compare=False, repr=False)
    copies: bool = field(default=False, compare=False, repr=False)
    is_built: bool = field(default=False, compare=False, repr=False)

    @property
    def is_arithmetic(self) -> bool:
        return self.kind in (TypeKind.BOOL, TypeKind.INTEGER, TypeKind.FLOATING)

    @property
    def is_indirect(self) -> bool:
        return self.kind in (TypeKind.POINTER, TypeKind.REFERENCE, TypeKind.ARRAY)

    @property
    def converts_by_name(self) -> bool:
        """Can a conversion to it be spelled as a call, as `int(x)` and `std::size_t(x)` can?"""
        return all(map(str.isidentifier, self.spelling.split("::")))

    @property
    def innermost(self) -> CType:
        """The element type under all array extents."""
        current = self
        while current.kind is TypeKind.ARRAY and current.element is not None:
            current = current.element
        return current


def unqualified(ctype: CType) -> str:
    """The spelling of a type without `const`, `volatile` and `__restrict__`."""
    return _QUALIFIERS.sub("", ctype.spelling).strip()


def number_name(ctype: CType) -> str:
    """The name of a type of numbers in the language: `double` for what `typedef double real` names;
    of other types their own."""
    if ctype.kind is TypeKind.FLOATING and ctype.bits in _FLOATING:
        return _FLOATING[ctype.bits]
    return unqualified(ctype)


def common_spelling(left: CType, right: CType) -> str:
    """The type in which C++ compares the two, as C++ spells it."""
    bits = max(left.bits, right.bits, 32)
    unsigned = (not left.is_signed and left.bits >= bits) or (
        not right.is_signed and right.bits >= bits
    )
    if left.kind is TypeKind.DEPENDENT:
        return left.spelling
    if bits == 32:
        return "unsigned" if unsigned else "int"
    return "std::size_t" if unsigned else "long long"


def constant(spelling: str) -> str:
    """The spelling of the same type for what nobody changes: `const int`, `float *const`."""
    if spelling.endswith("*"):
        return f"{spelling}const"
    return spelling if spelling.startswith("const ") else f"const {spelling}"


def declarator(spelling: str, name: str) -> str:
    """A declaration of `name` with the type that is spelled so.

    `("int (*)[8]", "p")` gives `int (*p)[8]`, `("float[4]", "a")` gives `float a[4]`.
    """
    inner = _INNER_DECLARATOR.search(spelling)
    if inner is not None:
        space = " " if spelling[inner.end(1) - 1].isidentifier() else ""
        return f"{spelling[: inner.end(1)]}{space}{name}{spelling[inner.end(1) :]}"
    extents = _EXTENTS.search(spelling)
    base, behind = spelling, ""
    if extents is not None:
        base, behind = spelling[: extents.start()].rstrip(), extents.group()
    return f"{base}{'' if base.endswith(('*', '&', ' ', '(')) else ' '}{name}{behind}"


def variable_extents(ctype: CType) -> tuple[str, ...]:
    """How the extents of the rows that a pointer leads to are spelled, where not all of them are
    constants: "n", "m" of `double (*)[n][m]`."""
    row = ctype.element
    if ctype.kind is not TypeKind.POINTER or row is None or row.kind is not TypeKind.ARRAY:
        return ()
    spelled = _EXTENTS.search(row.spelling)
    texts = [] if spelled is None else [one.strip() for one in spelled[0][1:-1].split("][")]
    levels, known = 0, True
    current: CType | None = row
    while current is not None and current.kind is TypeKind.ARRAY:
        levels, known = levels + 1, known and current.extent is not None
        current = current.element
    return () if known or len(texts) != levels else tuple(texts)


def decayed(ctype: CType) -> CType:
    """The type that a parameter of this type has: an array is a pointer to its first element."""
    if ctype.kind is not TypeKind.ARRAY or ctype.element is None:
        return ctype
    spelling = declarator(ctype.element.spelling, "(*)")
    if ctype.element.kind is not TypeKind.ARRAY:
        spelling = declarator(ctype.element.spelling, "*").rstrip()
    return CType(spelling, TypeKind.POINTER, 64, is_signed=False, element=ctype.element)


_VECTOR_NUMBERS = {
    "char": (TypeKind.INTEGER, 8),
    "short": (TypeKind.INTEGER, 16),
    "int": (TypeKind.INTEGER, 32),
    "long": (TypeKind.INTEGER, 64),
    "longlong": (TypeKind.INTEGER, 64),
    "float": (TypeKind.FLOATING, 32),
    "double": (TypeKind.FLOATING, 64),
}


def may_share_memory(one: CType | None, other: CType | None) -> bool:
    """May elements of the two types lie in the same memory? (C++ [basic.lval])

    Numbers of different types do not, characters apart; structures do where members of theirs may.
    """
    first, second = numbers_in(one), numbers_in(other)
    if first is None or second is None:
        return True
    if any(bits == _CHARACTER for _, bits in first | second):
        return True
    return bool(first & second)


def numbers_in(ctype: CType | None) -> frozenset[tuple[TypeKind, int]] | None:
    """What an element is made of in the end; None where that is not known."""
    if ctype is None:
        return None
    if ctype.is_arithmetic:
        return frozenset(((ctype.kind, ctype.bits),))
    match ctype.kind:
        case TypeKind.ARRAY:
            parts = (ctype.element,)
        case TypeKind.RECORD:
            vector = _VECTOR.fullmatch(ctype.spelling)
            if vector is not None:
                return frozenset((_VECTOR_NUMBERS[vector[1]],))
            parts = tuple(member for _, member in ctype.fields)
        case _:
            return None
    inner = [numbers_in(part) for part in parts]
    known = [one for one in inner if one is not None]
    if not known or len(known) < len(inner):
        return None
    return frozenset[tuple[TypeKind, int]]().union(*known)


def vector_number(ctype: CType) -> CType | None:
    """What the members of `uint2` and its like are; None for other types."""
    vector = _VECTOR.fullmatch(ctype.spelling)
    if vector is None:
        return None
    kind, bits = _VECTOR_NUMBERS[vector[1]]
    is_signed = not ctype.spelling.removeprefix("const ").startswith("u")
    name = {"longlong": "long long"}.get(vector[1], vector[1])
    if bits == _CHARACTER and is_signed:
        name = f"signed {name}"
    spelling = name if is_signed else f"unsigned {name}".removesuffix(" int")
    return CType(spelling, kind, bits, is_signed=is_signed)


INT = CType("int", TypeKind.INTEGER, 32)
UNSIGNED = CType("unsigned", TypeKind.INTEGER, 32, is_signed=False)
FLOAT = CType("float", TypeKind.FLOATING, 32)
BOOL = CType("bool", TypeKind.BOOL, 8, is_signed=False)
VOID = CType("void", TypeKind.VOID)
UNKNOWN = CType("auto", TypeKind.OTHER)


def computed_as(ctype: CType) -> CType:
    """The type in which sums of such numbers are made: `float` for those of 16 bits."""
    return FLOAT if ctype.is_half else ctype
