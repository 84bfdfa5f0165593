"""Objects that a place may be a part of, though it is reached by a function of theirs.

std::array<int, 2> found;   found[0] = 1;      changes `found`
struct Row { int v[4]; int &at(int i); } row;  row.at(i) = 1;   `row`
struct View { float *data; int n; } view;      view[i] = 1;     not `view`: no float is in there
"""

from __future__ import annotations

from collections.abc import Iterator

from g2o.ir.expressions import Binary, Call, Cast, Expr, Index, Member, Paren, Unary, VarRef
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind, may_share_memory

_OBJECTS = frozenset({TypeKind.RECORD, TypeKind.DEPENDENT, TypeKind.OTHER})
_LEADING_ELSEWHERE = frozenset({TypeKind.POINTER, TypeKind.REFERENCE})


def owners_of(place: Expr) -> Iterator[Symbol]:
    """The variables of class type that `place` may lie in."""
    for base in _reached_by_functions(place):
        symbol = _whole(base)
        if (
            symbol is not None
            and not symbol.type.is_const
            and may_have_element(symbol.type, place.type)
        ):
            yield symbol


def _reached_by_functions(place: Expr) -> Iterator[Expr]:
    """What the functions on the way to a place are called on or with."""
    match place:
        case Index(base=base):
            if base.type.kind in _OBJECTS:
                yield base
            yield from _reached_by_functions(base)
        case Member(base=inner) | Paren(inner=inner) | Cast(operand=inner) | Unary(operand=inner):
            yield from _reached_by_functions(inner)
        case Binary(left=left, right=right):
            yield from _reached_by_functions(left)
            yield from _reached_by_functions(right)
        case Call(callee=callee, arguments=arguments):
            if isinstance(callee, Member):
                yield callee.base
            yield from arguments
        case _:
            pass


def _whole(expr: Expr) -> Symbol | None:
    """The variable that an expression is or is a part of, behind no pointer."""
    match expr:
        case VarRef(symbol=symbol) if symbol.type.kind in _OBJECTS:
            return symbol
        case Paren(inner=inner) | Cast(operand=inner) | Unary(op="&", operand=inner):
            return _whole(inner)
        case Member(base=base, arrow=False):
            return _whole(base)
        case Index(base=base) if base.type.kind in (TypeKind.ARRAY, *_OBJECTS):
            return _whole(base)
        case _:
            return None


def may_have_element(owner: CType, element: CType) -> bool:
    """May an object have an element of that type in its own memory?"""
    if owner.kind is not TypeKind.RECORD or not owner.fields:
        return True
    inner = element.element if element.kind is TypeKind.REFERENCE else element
    if inner is None or not (inner.is_arithmetic or inner.kind is TypeKind.RECORD):
        return True  # a pointer that is a member, or who knows what
    inside = [one.innermost for _, one in owner.fields if one.kind not in _LEADING_ELSEWHERE]
    if inner.is_arithmetic:
        parts = [one for one in inside if one.kind is TypeKind.RECORD and one.fields]
        if any(may_have_element(one, inner) for one in parts):
            return True
        inside = [one for one in inside if one not in parts]
    return any(may_share_memory(one, inner) for one in inside)
