"""What forming a pointer or a reference needs: where objects are, and values.

Cell &me = local[k];       where `local` is, and the value of k
float *q = a + i;          where the array `a` is, and the value of i
float &e = v.data[i];      the values of `v` and i
View w = {a, n};           where `a` is, and the value of n
"""

from __future__ import annotations

from g2o.ir.expressions import (
    Binary,
    Cast,
    Conditional,
    Expr,
    Index,
    InitList,
    Member,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind


def addressed(initial: Expr, ctype: CType) -> tuple[set[Symbol], list[Expr]]:
    """The objects whose places, and the expressions whose values, a variable of the type needs to
    be given its initial value."""
    places: set[Symbol] = set()
    values: list[Expr] = []

    def place(expr: Expr) -> None:
        """Where an object is."""
        match expr:
            case VarRef(symbol=symbol):
                places.add(symbol)
            case Index(base=base, index=index) if _is_array(base):
                place(base)
                values.append(index)
            case Index(base=base, index=index) if base.type.kind is TypeKind.POINTER:
                value(base)
                values.append(index)
            case Member(base=base, arrow=False):
                place(base)
            case Member(base=base, arrow=True) if base.type.kind is TypeKind.POINTER:
                value(base)
            case Unary(op="*", operand=operand) if operand.type.kind is TypeKind.POINTER:
                value(operand)
            case Paren(inner=inner):
                place(inner)
            case Conditional(condition=condition, if_true=one, if_false=other):
                values.append(condition)
                place(one)
                place(other)
            case _:
                values.append(expr)

    def value(expr: Expr) -> None:
        """A pointer, or what holds pointers."""
        match expr:
            case Unary(op="&", operand=operand):
                place(operand)
            case VarRef() | Index() | Member() | Unary(op="*") if _is_array(expr):
                place(expr)
            case Binary(op="+" | "-", left=left, right=right):
                value(left)
                value(right)
            case Paren(inner=inner) | Cast(operand=inner):
                value(inner)
            case Conditional(condition=condition, if_true=one, if_false=other):
                values.append(condition)
                value(one)
                value(other)
            case InitList(elements=elements, type=ctype):
                refers = [member.kind is TypeKind.REFERENCE for _, member in ctype.fields]
                for position, element in enumerate(elements):
                    found = place if position < len(refers) and refers[position] else value
                    found(element)
            case _:
                values.append(expr)

    if ctype.kind is TypeKind.REFERENCE:
        place(initial)
    else:
        value(initial)
    return places, values


def _is_array(expr: Expr) -> bool:
    ctype = expr.type
    if ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
        ctype = ctype.element
    return ctype.kind is TypeKind.ARRAY
