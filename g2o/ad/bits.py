"""Numbers looked at as bits: what flows there is lost to differentiation.

int bits = __float_as_int(x);                                a function that gives the bits
unsigned long long *bits = (unsigned long long *)total;      a pointer of another type
"""

from __future__ import annotations

from typing import Final

from g2o.ad.origins import Origins
from g2o.ir.expressions import Call, Cast, Expr, Index, Member, Paren, Unary, VarRef
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind

TO_BITS: Final = frozenset(
    {
        "__float_as_int", "__float_as_uint", "__double_as_longlong", "__double2hiint",
        "__double2loint", "__float2half", "__half_as_short", "__half_as_ushort",
        "__double_as_ulonglong", "bit_cast",
    }
)  # fmt: skip
FROM_BITS: Final = frozenset(
    {
        "__int_as_float", "__uint_as_float", "__longlong_as_double", "__hiloint2double",
        "__short_as_half", "__ushort_as_half", "bit_cast",
    }
)  # fmt: skip

_FIRST: Final = -1000


def bits_of(symbol: Symbol) -> Symbol:
    """What stands for the bits that an integer variable holds, in flows of derivatives."""
    return Symbol(_FIRST - symbol.id, symbol.name, symbol.type, symbol.storage)


def is_bits(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.id <= _FIRST


def is_integer(ctype: CType) -> bool:
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL)


def is_view(lvalue: Expr, origins: Origins) -> bool:
    """Does the lvalue of an integer type lie in memory of real numbers?"""
    if any(isinstance(node, Cast) and node.type.is_indirect for node in walk(lvalue)):
        return True
    for root in origins.roots(lvalue):
        if root is None:
            continue
        inner = root.type
        while inner.is_indirect and inner.element is not None:
            inner = inner.element
        if inner.kind is TypeKind.FLOATING:
            return not _is_index_of_record(lvalue)
        if inner.kind is TypeKind.RECORD and not inner.fields and isinstance(lvalue, Member):
            return True  # a union, or a class that is not known
    return False


def _is_index_of_record(lvalue: Expr) -> bool:
    return isinstance(lvalue, Member)


def bit_sources(expr: Expr, origins: Origins) -> list[Expr]:
    """The arguments of functions that give bits, and integers that may hold bits, in a value of
    an integer type."""
    match expr:
        case Call(name=name, arguments=arguments) if name in TO_BITS:
            return list(arguments)
        case VarRef() | Index() | Member() | Unary(op="*"):
            return [expr] if is_integer(expr.type) else []
        case Paren(inner=inner):
            return bit_sources(inner, origins)
        case Cast(operand=operand):
            return bit_sources(operand, origins) if is_integer(operand.type) else []
        case _:
            parts = [child for child in children(expr) if isinstance(child, Expr)]
            return [leaf for part in parts for leaf in bit_sources(part, origins)]
