"""Numbers of 16 bits that are classes: PyTorch's `c10::Half` and `c10::BFloat16`.

In a kernel, their operators are arithmetic, and their conversions casts:

    v += x[i] * w[0];        calls of `operator+=`, `operator*`     ->    as for a `float`
    exp(float(v))            a call of `operator float`             ->    a cast

In its derivative, which is computed with floats and rounded where it is stored, factors from memory
become floats first:

    d_v += x[i] * d_y[i];    ->    d_v += float(x[i]) * float(d_y[i]);

The primal keeps its operators, whose results are rounded to 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from g2o.ad.reals import is_real
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Member,
    Unary,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Node
from g2o.ir.traverse import N, rewrite
from g2o.ir.types import BOOL, FLOAT

_OPERATOR: Final = "operator"
_ARITHMETIC: Final = frozenset("+-*/")
_COMPARISONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_COMPOUND: Final = frozenset({"+=", "-=", "*=", "/="})


def with_half_arithmetic(node: N) -> N:
    """`node` with the operators and conversions of such numbers as those of other numbers."""

    def replacement(inner: Node) -> Node | None:
        if isinstance(inner, Cast):
            return _cast_once(inner, rewrite(inner.operand, replacement))
        if not isinstance(inner, (Call, Verbatim)):
            return None
        parts = inner.arguments if isinstance(inner, Call) else inner.parts
        if not inner.type.is_half and not any(map(_is_of_half, parts)):
            return None
        built = tuple(rewrite(one, replacement) for one in parts)
        return _converted(inner, built) if isinstance(inner, Verbatim) else _computed(inner, built)

    return rewrite(node, replacement)


def _cast_once(cast: Cast, operand: Expr) -> Expr | None:
    """`static_cast<float>(h)`, which clang has as a conversion of a conversion."""
    if isinstance(operand, Cast) and operand.type == cast.type and operand != cast.operand:
        return replace(cast, operand=operand.operand, form=Form.PATCHED)
    return None


def _is_of_half(part: Expr) -> bool:
    """Is it such a number, or its conversion, `x.operator float`?"""
    return value_type(part.base if isinstance(part, Member) else part).is_half


def _converted(made: Verbatim, parts: tuple[Expr, ...]) -> Expr | None:
    """`c10::Half(x)`, which clang has as the call of a constructor."""
    if len(parts) != 1 or not made.type.is_half or not _is_number(parts[0]):
        return None
    return Cast(parts[0], made.type, span=made.span)


def _computed(call: Call, operands: tuple[Expr, ...]) -> Expr | None:
    op = call.name.removeprefix(_OPERATOR)
    if op == call.name or call.key:
        return None
    span, form = call.span, call.form
    match operands:
        case (Member(base=base),) if op.startswith(" ") and is_real(call.type):
            return Cast(base, call.type, span=span)
        case (operand,) if op in ("+", "-"):
            return Unary(op, operand, type=call.type, span=span, form=form)
        case (left, right) if op in _ARITHMETIC:
            return Binary(op, left, right, call.type, span=span, form=form)
        case (left, right) if op in _COMPARISONS:
            return Binary(op, left, right, BOOL, span=span, form=form)
        case (target, value) if op in _COMPOUND:
            return Assign(op, target, value, call.type, span=span, form=form)
        case _:
            return None


def _is_number(expr: Expr) -> bool:
    ctype = value_type(expr)
    return ctype.is_arithmetic or ctype.is_half


def with_halves_as_floats(node: N) -> N:
    """`node`, a derivative, with such numbers converted where they meet floats."""

    def replacement(inner: Node) -> Node | None:
        match inner:
            case Binary(op=op, left=left, right=right, type=ctype):
                if ctype.is_half or not (op in _ARITHMETIC or op in _COMPARISONS):
                    return None
                if ctype == BOOL and value_type(left).is_half and value_type(right).is_half:
                    return None
                first, second = _as_float(left, replacement), _as_float(right, replacement)
                same = first is left and second is right
                return inner if same else replace(inner, left=first, right=second, form=Form.BUILT)
            case Conditional(if_true=if_true, if_false=if_false):
                if value_type(if_true).is_half is value_type(if_false).is_half:
                    return None
                return replace(
                    inner,
                    condition=rewrite(inner.condition, replacement),
                    if_true=_as_float(if_true, replacement),
                    if_false=_as_float(if_false, replacement),
                    form=Form.BUILT,
                )
            case _:
                return None

    return rewrite(node, replacement)


def _as_float(expr: Expr, replacement: Callable[[Node], Node | None]) -> Expr:
    made = rewrite(expr, replacement)
    return Cast(strip_parens(made), FLOAT) if value_type(made).is_half else made
