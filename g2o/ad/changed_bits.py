"""Numbers that are changed as what they are not: refused.

    union { float f; unsigned u; } p;        unsigned *bits = (unsigned *)&v;
    p.f = x[i];                              *bits &= 0x7fffffffu;
    p.u &= 0x7fffffffu;
    y[i] = p.f;                              y[i] = v;

To the rules an integer has no derivative, so that its change would leave that of the number as it
was: here without the sign. The same holds for a `float` that is half of a `double`.
"""

from __future__ import annotations

from g2o.ad.activity import Activity
from g2o.ad.bits import is_integer, is_view
from g2o.ad.reals import carries, is_real
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import Assign, Expr, Index, Member, Paren, Unary, VarRef
from g2o.ir.statements import Block
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind, unqualified

_COPIED = Note("copy it as what it is: float4 instead of uint4")
_INSTEAD = Note("compute with numbers: fabs(v) for a sign that is masked, ldexp for exponents")


def refuse_changed_bits(body: Block, activity: Activity) -> None:
    """Raise Refusal where the bits of an active number change through an integer, or where a union
    has it as a number of another size, too."""
    sizes: dict[Symbol, int] = {}
    for node in walk(body):
        match node:
            case Assign(target=target):
                _look_at_target(target, activity, node)
            case Unary(op="++" | "--", operand=target):
                _look_at_target(target, activity, node)
            case Member() | Index():
                _look_at_size(node, activity, sizes)
            case _:
                pass


def _look_at_target(target: Expr, activity: Activity, node: Expr) -> None:
    ctype = value_type(target)
    if not activity.is_active(target):
        return
    if _is_of_integers(ctype) and any(map(_has_numbers, activity.origins.roots(target))):
        message = (
            f"a value of type {unqualified(ctype)} is written over values that carry derivatives"
        )
        raise refuse("G2O0403", message, node.span or target.span, _COPIED)
    if not is_integer(ctype):
        return
    if is_view(target, activity.origins) or _union_of(target) is not None:
        message = "an integer changes the bits of a value that carries derivatives"
        raise refuse("G2O0403", message, node.span or target.span, _INSTEAD)


def _is_of_integers(ctype: CType) -> bool:
    """Is it a structure in which there is no real number, `uint4` for one?"""
    return ctype.kind is TypeKind.RECORD and not carries(ctype)


def _has_numbers(root: Symbol | None) -> bool:
    if root is None:
        return False
    inner = root.type.innermost
    return inner.kind is TypeKind.FLOATING or carries(inner)


def _look_at_size(node: Expr, activity: Activity, sizes: dict[Symbol, int]) -> None:
    union = _union_of(node)
    ctype = value_type(node)
    if union is None or not is_real(ctype) or not ctype.bits or not activity.is_active(node):
        return
    if sizes.setdefault(union, ctype.bits) != ctype.bits:
        message = f"union '{union.name}' has a value that carries derivatives in two sizes"
        raise refuse("G2O0403", message, node.span)


def _union_of(lvalue: Expr) -> Symbol | None:
    """The variable that is a union, or points to some, of which the lvalue is a part."""
    inner, is_part = lvalue, False
    while True:
        match inner:
            case Member(base=base):
                inner, is_part = base, True
            case Index(base=base) | Paren(inner=base) | Unary(op="*", operand=base):
                inner = base
            case VarRef(symbol=symbol):
                return symbol if is_part and _is_union(symbol.type) else None
            case _:
                return None


def _is_union(ctype: CType) -> bool:
    """Is it a union, or a class of which nothing is known?"""
    inner = ctype.innermost
    return inner.kind is TypeKind.RECORD and not inner.fields
