"""Types of expressions in templates, where clang only knows that they depend on arguments.

T x; x.re       ->  decltype(T::re)
float v[N]; v[i]    ->  float
"""

from __future__ import annotations

import re

from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Conditional,
    Expr,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.types import BOOL, INT, CType, TypeKind, decayed, unqualified

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})
_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict__|__restrict)\b")
_MEMBER = re.compile(r"(\.|->)\s*(\w+)\s*$")
_NAME = re.compile(r"[A-Za-z_][\w:]*(?:<.*>)?")


def value_type(expr: Expr) -> CType:
    """The type of the value of `expr`, from the variables in it; what clang says where they do not
    tell."""
    known = _from_structure(expr)
    return known if known is not None and is_known(known) else expr.type


def is_known(ctype: CType) -> bool:
    return ctype.kind is not TypeKind.OTHER and ctype.spelling not in ("<dependent type>", "")


def _from_structure(expr: Expr) -> CType | None:
    match expr:
        case VarRef(symbol=symbol):
            return _referred(symbol.type)
        case Paren(inner=inner):
            return value_type(inner)
        case Cast(type=ctype):
            return ctype
        case Assign(target=target):
            return value_type(target)
        case Index(base=base):
            return _element(value_type(base))
        case Member(base=base):
            return None if is_known(expr.type) else _member(value_type(base), expr)
        case Unary(op="*", operand=operand):
            return _element(value_type(operand))
        case Unary(op="&", operand=operand):
            return _pointer(value_type(operand))
        case Unary(op="!"):
            return BOOL
        case Unary(op="++" | "--", operand=operand):
            return value_type(operand)
        case Unary(operand=operand):
            return _promoted(value_type(operand))
        case Conditional(if_true=if_true, if_false=if_false):
            return common_type(value_type(if_true), value_type(if_false))
        case Binary(op=op) if op in _COMPARISONS:
            return BOOL if not is_known(expr.type) else None
        case Binary(op="+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" as op, left=left, right=right):
            first, second = value_type(left), value_type(right)
            return _moved(op, first, second) or common_type(first, second)
        case _:
            return None


def _referred(ctype: CType) -> CType | None:
    return ctype.element if ctype.kind is TypeKind.REFERENCE else ctype


def _element(ctype: CType) -> CType | None:
    indirect = ctype.kind in (TypeKind.POINTER, TypeKind.ARRAY)
    return ctype.element if indirect else None


def _pointer(ctype: CType) -> CType | None:
    if not is_known(ctype) or ctype.kind is TypeKind.ARRAY:
        return None
    array = CType(f"{ctype.spelling}[]", TypeKind.ARRAY, element=ctype)
    return decayed(array)


def _member(ctype: CType, member: Member) -> CType | None:
    """The type of a member that clang does not name: what the class is depends on arguments."""
    name, arrow = member.name, member.arrow
    if not name and member.span is not None:
        spelled = _MEMBER.search(member.span.text)
        name, arrow = (spelled[2], spelled[1] == "->") if spelled else ("", False)
    record = ctype.element if arrow else ctype
    if record is None or not name or not is_known(record):
        return None
    if name in (fields := dict(record.fields)):
        return fields[name]
    plain = _QUALIFIERS.sub("", record.spelling).strip(" &")
    if not _NAME.fullmatch(plain):
        return None
    return CType(f"decltype({plain}::{name})", TypeKind.DEPENDENT)


def _promoted(ctype: CType) -> CType | None:
    if ctype.is_half:
        return ctype
    if not ctype.is_arithmetic:
        return None
    return INT if ctype.kind is not TypeKind.FLOATING and ctype.bits < 32 else ctype


def _moved(op: str, left: CType, right: CType) -> CType | None:
    """The type of a pointer that is moved by a number."""
    if op == "+" and left.is_arithmetic:
        left, right = right, left
    moves = op in ("+", "-") and right.kind is TypeKind.INTEGER
    if not moves or left.kind not in (TypeKind.POINTER, TypeKind.ARRAY):
        return None
    return decayed(left)


def common_type(left: CType, right: CType) -> CType | None:
    """The usual arithmetic conversions, as far as they concern 32 and 64 bits."""
    first, second = _promoted(left), _promoted(right)
    if left.is_half and second is not None:
        return right if right.kind is TypeKind.FLOATING else left
    if right.is_half and first is not None:
        return left if left.kind is TypeKind.FLOATING else right
    if first is None or second is None:
        same = left.kind is right.kind and unqualified(left) == unqualified(right)
        return left if same and is_known(left) else None
    floating = [one for one in (first, second) if one.kind is TypeKind.FLOATING]
    candidates = floating or [first, second]
    return max(candidates, key=lambda one: (one.bits, not one.is_signed))
