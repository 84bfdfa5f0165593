"""Where an lvalue lies: in which variable, or behind which pointer."""

from __future__ import annotations

from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT, CType, TypeKind, vector_number


def root_symbol(expr: Expr) -> Symbol | None:
    """The variable through which an lvalue is reached, or None."""
    match expr:
        case VarRef(symbol=symbol):
            return symbol
        case Index(base=base) | Member(base=base):
            return root_symbol(base)
        case Paren(inner=inner):
            return root_symbol(inner)
        case Cast(operand=operand):
            return root_symbol(operand)
        case Unary(op="*" | "&" | "++" | "--", operand=operand):
            return root_symbol(operand)
        case Binary(op="+" | "-", left=left, right=right):
            if is_address(left):
                return root_symbol(left)
            return root_symbol(right) if is_address(right) else None
        case Code(parts=(only,)) if not isinstance(only, str):
            return root_symbol(only)
        case _:
            return None


def is_address(expr: Expr) -> bool:
    return expr.type.is_indirect or (
        isinstance(expr, VarRef) and expr.symbol.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
    )


def refers(member: Member) -> bool | None:
    """Is the member a reference, which leads elsewhere than its object? None: not known."""
    owner = member.base.type
    if owner.kind in (TypeKind.POINTER, TypeKind.REFERENCE) and owner.element is not None:
        owner = owner.element
    if owner.kind is TypeKind.REFERENCE and owner.element is not None:
        owner = owner.element
    if vector_number(owner) is not None:
        return False  # `float3` has nothing but numbers
    kinds = [ctype.kind for name, ctype in owner.fields if name == member.name]
    return TypeKind.REFERENCE in kinds if kinds else None


def object_at(pointer: Expr) -> Expr | None:
    """The object that an address is of, as whatever it is seen: `v` of `(float *)&v`."""
    match strip_parens(pointer):
        case Unary(op="&", operand=operand):
            return operand
        case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.POINTER:
            return object_at(operand)
        case _:
            return None


def goes_through_pointer(expr: Expr) -> bool:
    """Does the lvalue lie behind a pointer, rather than inside its root variable?"""
    match expr:
        case Index(base=base):
            inside = object_at(base)
            if inside is not None:
                return goes_through_pointer(inside)
            return base.type.kind is not TypeKind.ARRAY or goes_through_pointer(base)
        case Member(base=base, arrow=arrow):
            inside = object_at(base) if arrow else None
            if refers(expr):
                return True
            return (arrow and inside is None) or goes_through_pointer(inside or base)
        case Paren(inner=inner):
            return goes_through_pointer(inner)
        case Unary(op="*", operand=operand):
            inside = object_at(operand)
            return inside is None or goes_through_pointer(inside)
        case Cast(operand=operand):
            return goes_through_pointer(operand)
        case VarRef(symbol=symbol):
            return symbol.type.kind is TypeKind.REFERENCE and symbol.storage is Storage.LOCAL
        case Code(parts=(only,)) if not isinstance(only, str):
            return goes_through_pointer(only)
        case _:
            return False


def viewed_elements(place: Expr) -> tuple[Expr, Expr | None, int] | None:
    """Several elements of an array that are seen as one value, `((float4 *)&r[i])[k]`: `r[i]`, `k`
    and how many of them it is at a time."""
    match place:
        case Index(base=base, index=index):
            pointer: Expr = strip_parens(base)
            number: Expr | None = index
        case Unary(op="*", operand=operand):
            pointer, number = strip_parens(operand), None
        case _:
            return None
    match pointer:
        case Cast(operand=operand):
            inner = strip_parens(operand)
        case _:
            return None
    match inner:
        case Unary(op="&", operand=first):
            first = strip_parens(first)
        case VarRef(symbol=Symbol(type=CType(kind=TypeKind.ARRAY, element=CType() as element))):
            first = Index(inner, Literal("0", 0, INT), element)
        case _:
            return None
    array = root_symbol(first)
    own = 0 if array is None else array.type.innermost.bits
    if not own or not place.type.bits or place.type.bits % own:
        return None
    return first, number, place.type.bits // own
