"""What the integer arithmetic of a kernel asks of types."""

from __future__ import annotations

from g2o.ir.expressions import Expr, Literal, Paren, VarRef
from g2o.ir.types import INT, CType, TypeKind


def type_of(expr: Expr) -> CType:
    match expr:
        case Paren(inner=inner):
            return type_of(inner)
        case Literal(value=int()) if expr.type.kind is TypeKind.OTHER:
            return INT
        case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.REFERENCE:
            return symbol.type.element or symbol.type
        case _:
            return expr.type


def is_integer(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER


def is_comparable(ctype: CType) -> bool:
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL)


def is_wide(ctype: CType) -> bool:
    """A type that integers can be converted to."""
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL, TypeKind.DEPENDENT)


def is_unsigned(ctype: CType) -> bool:
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL) and not ctype.is_signed


def common_type(op: str, target: CType, source: CType) -> CType:
    """The type that a compound assignment computes in."""
    if op in ("<<", ">>") or not is_integer(source):
        return target if target.bits >= INT.bits else INT
    wider = max(target, source, key=lambda one: (one.bits, not one.is_signed))
    return wider if wider.bits >= INT.bits else INT


def is_pointer(expr: Expr) -> bool:
    return expr.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)


def same_element(one: CType | None, other: CType | None) -> bool:
    if one is None or other is None:
        return False
    if one.is_arithmetic and other.is_arithmetic:
        return (one.kind, one.bits) == (other.kind, other.bits)
    return one.spelling.removeprefix("const ") == other.spelling.removeprefix("const ")


def same_size(one: CType | None, other: CType | None) -> bool:
    if one is None or other is None:
        return False
    return one.is_arithmetic and other.is_arithmetic and one.bits == other.bits
