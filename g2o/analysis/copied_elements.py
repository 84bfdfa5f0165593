"""Copies of so many bytes, as elements: which, how many, and each of them.

memcpy(v, x + 4 * i, sizeof(v)), v an array of 4 float:  elements v[k] and x[4 * i + k], 4 of them
memcpy(u, x, n * sizeof(float)), u rows of 4 float:      u[k / 4][k % 4] and x[k], n of them
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from g2o.analysis.effects import symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Binary,
    Code,
    Expr,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import N, rewrite
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind, unqualified

_SIZE: Final = re.compile(r"sizeof\s*\(?\s*(.*?)\s*\)?$", re.DOTALL)
_FIRST: Final = re.compile(r"\*\s*(\w+)|(\w+)\s*\[\s*0\s*\]")
_VECTOR: Final = re.compile(r"u?(char|short|int|longlong|float|double)([1-4])")
_NAME: Final = re.compile(r"\w+")
_MEMBER: Final = re.compile(r"([*\s]*)(\w+)((?:\s*(?:->|\.)\s*\w+)+)((?:\[\w+\])*)")
_BYTES: Final = {"char": 1, "short": 2, "int": 4, "longlong": 8, "float": 4, "double": 8}


def copied_element(pointer: Expr) -> CType | None:
    """The type of the elements that a pointer, without parentheses, leads to."""
    if isinstance(pointer, Unary) and pointer.op == "&":
        named = value_type(pointer.operand) if isinstance(pointer.operand, Index) else None
        return None if named is None or named.kind is TypeKind.ARRAY else named
    made = value_type(pointer)
    element = made.element if made.kind in (TypeKind.POINTER, TypeKind.ARRAY) else None
    while element is not None and element.kind is TypeKind.ARRAY and element.extent:
        element = element.element
    return None if element is None or element.kind is TypeKind.ARRAY else element


def copied_count(size: Expr, element: CType, sides: tuple[Expr, ...]) -> Expr | None:
    """How many elements there are in that many bytes; `sides` are the pointers to them."""
    value = integer_value(size)
    if value is None and isinstance(size, Verbatim):
        value = _vector_bytes(_measured(size))
    if value is not None and element.bits:
        count, rest = divmod(value, element.bits // 8)
        return None if rest else Literal(str(count), count, INT)
    match size:
        case Code() if _is_of_element(size, element, sides):
            return Literal("1", 1, INT)
        case Verbatim():
            whole = [_elements_of(side.type) for side in sides if _is_whole(size, side)]
            if whole and whole[0]:
                return Literal(str(whole[0]), whole[0], INT)
            if _is_of_element(size, element, sides):
                return Literal("1", 1, INT)
            number = bytes_of(element)
            if size.value is None or not number or size.value % number:
                return None
            return Literal(str(size.value // number), size.value // number, INT)
        case Binary(op="*", left=left, right=right):
            for factor, other in ((left, right), (right, left)):
                if _is_of_element(strip_parens(factor), element, sides):
                    return other
            for factor, other in ((left, right), (right, left)):
                rest = copied_count(strip_parens(factor), element, sides)
                if rest is not None:
                    is_one = integer_value(rest) == 1
                    return other if is_one else Binary("*", rest, other, size.type)
            return None
        case _:
            return None


def copied_row(pointer: Expr) -> CType | None:
    """The type of the rows that a pointer, without parentheses, leads to: arrays of numbers, or of
    arrays of numbers, with known extents."""
    made = value_type(pointer)
    row = made.element if made.kind in (TypeKind.POINTER, TypeKind.ARRAY) else None
    is_row = row is not None and row.kind is TypeKind.ARRAY and row.innermost.is_arithmetic
    return row if is_row and row is not None and bytes_of(row) else None


def counter_type(count: Expr) -> CType:
    """The type of a number that counts up to another one."""
    made = value_type(count)
    if made.kind is not TypeKind.INTEGER or made.bits < INT.bits:
        return INT
    if made.bits == INT.bits:
        return INT if made.is_signed else UNSIGNED
    return CType("size_t", TypeKind.INTEGER, 64, is_signed=False)


def measures(size: Verbatim) -> bool:
    """Is it the size of a variable or a type with a plain name?"""
    return _NAME.fullmatch(_measured(size)) is not None


def bytes_measured(size: Expr) -> int | None:
    """How many bytes there are, where a number, or the size of a variable, says it."""
    inner = strip_parens(size)
    if not isinstance(inner, Verbatim):
        return integer_value(inner)
    match inner.parts:
        case (VarRef(symbol=symbol),) if measures(inner):
            return bytes_of(symbol.type) or None
        case _:
            return _vector_bytes(_measured(inner))


def bytes_of(ctype: CType) -> int:
    """The size of a type, arrays of it included; 0 where that is not known."""
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        return (ctype.extent or 0) * bytes_of(ctype.element)
    return ctype.bits // 8


def element_at(pointer: Expr, index: Expr, element: CType) -> Expr:
    """The element at `index` from where a pointer, without parentheses, leads to."""
    match pointer:
        case Unary(op="&", operand=Index(base=base, index=first)):
            return Index(base, _sum(first, index), element)
        case Binary(op="+", left=base, right=first) if base.type.is_indirect:
            if _has_rows(base):
                return _in_rows(Paren(pointer, pointer.type), base.type, index, element)
            return Index(base, _sum(first, index), element)
        case _:
            return _in_rows(pointer, value_type(pointer), index, element)


def _in_rows(base: Expr, ctype: CType, index: Expr, element: CType) -> Expr:
    """The element at `index` from where `base` leads to, which may be rows."""
    row = ctype.element
    if row is None or row.kind is not TypeKind.ARRAY:
        return Index(base, index, element)
    size = Literal(str(_elements_of(row)), _elements_of(row), INT)
    inner = index if isinstance(index, VarRef | Literal) else Paren(index, type=index.type)
    of_row = Index(base, Binary("/", inner, size, index.type), row)
    return _in_rows(of_row, row, Binary("%", inner, size, index.type), element)


def _elements_of(ctype: CType) -> int:
    """How many elements an array has, those of its rows together; 0 where that is not known."""
    if ctype.kind is not TypeKind.ARRAY or ctype.element is None:
        return 1
    return (ctype.extent or 0) * _elements_of(ctype.element)


def _vector_bytes(name: str) -> int | None:
    found = _VECTOR.fullmatch(name)
    return None if found is None else _BYTES[found[1]] * int(found[2])


def _is_whole(size: Verbatim, side: Expr) -> bool:
    """Is it the size of an array?"""
    is_array = isinstance(side, VarRef) and side.type.kind is TypeKind.ARRAY
    return is_array and isinstance(side, VarRef) and _measured(size) == side.symbol.name


def with_sizes_of(expr: N, pointer: Symbol) -> N:
    """The expression with the sizes of what a pointer leads to by their types, `sizeof **rows`."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Verbatim) or [*symbols_in(node)] != [pointer]:
            return None
        ctype: CType | None = pointer.type
        for mark in _measured(node):
            if mark in "*[" and ctype is not None:
                ctype = ctype.element
        return None if ctype is None else Code((_size_of(ctype),), type=node.type)

    return rewrite(expr, replacement)


def with_sizes_of_arrays(node: N, arrays: Collection[Symbol]) -> N:
    """The code with sizes of arrays by those of elements: `sizeof w`, 4 * sizeof(double)."""

    def replacement(inner: Node) -> Node | None:
        match inner:
            case Verbatim(parts=(VarRef(symbol=symbol),)) if symbol in arrays:
                count, element = _elements_of(symbol.type), symbol.type.innermost
                if not count or _measured(inner) != symbol.name:
                    return None
                size = Code((_size_of(element),), type=inner.type)
                product = Binary("*", Literal(str(count), count, INT), size, inner.type)
                return Paren(product, inner.type)
            case _:
                return None

    return rewrite(node, replacement)


def with_sizes_of_members(node: N) -> N:
    """The code with sizes of what members lead to by their types: `sizeof *v->values` looks at no
    object."""

    def replacement(inner: Node) -> Node | None:
        match inner:
            case Verbatim(parts=(VarRef(symbol=symbol),)) if path := _MEMBER.fullmatch(
                _measured(inner)
            ):
                ctype = _member_type(symbol.type, path)
                if ctype is None or not _elements_of(ctype):
                    return None
                element, count = ctype.innermost, _elements_of(ctype)
                if not (element.is_arithmetic or element.kind is TypeKind.RECORD):
                    return None
                size = Code((_size_of(element),), type=inner.type)
                if ctype is element:
                    return size
                number = Literal(str(count), count, INT)
                return Paren(Binary("*", number, size, inner.type), inner.type)
            case _:
                return None

    return rewrite(node, replacement)


def _member_type(ctype: CType, path: re.Match[str]) -> CType | None:
    """The type of a path that begins with a variable of this type."""
    stars, _, members, indices = path.groups()
    found: CType | None = ctype
    for name in re.findall(r"\w+", members):
        record = found.element if found is not None and found.is_indirect else found
        found = None if record is None else dict(record.fields).get(name)
    for _ in range(len(stars.replace(" ", "")) + indices.count("[")):
        found = None if found is None else found.element
    return found


def _size_of(ctype: CType) -> str:
    return f"sizeof({unqualified(ctype)})"


def _is_of_element(size: Expr, element: CType, sides: tuple[Expr, ...]) -> bool:
    if isinstance(size, Code):
        return size.parts == (_size_of(element),)
    if not isinstance(size, Verbatim):
        return False
    measured = _measured(size)
    if measured == unqualified(element):
        return True
    first = _FIRST.fullmatch(measured)
    names = {one.symbol.name for one in sides if isinstance(one, VarRef) and not _has_rows(one)}
    return first is not None and (first[1] or first[2]) in names


def _has_rows(side: Expr) -> bool:
    element = value_type(side).element
    return element is not None and element.kind is TypeKind.ARRAY


def _measured(size: Verbatim) -> str:
    """What stands behind `sizeof`."""
    found = _SIZE.fullmatch(size.span.text) if size.span is not None else None
    return "" if found is None else found[1]


def _sum(first: Expr, index: Expr) -> Expr:
    if integer_value(index) == 0:
        return first
    return Binary("+", first, index, first.type)
