"""Statements that add to shadows, and shadows that start at 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from g2o.ad.reals import is_real, precision
from g2o.ad.shadows import shadow_type, shadow_variable
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Assign, Call, Cast, Expr, InitList, Literal, Unary
from g2o.ir.statements import Declare, ExprStatement, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, CType, TypeKind, computed_as

_ZERO: Final = "g2o::zero"


@final
@dataclass(frozen=True, slots=True)
class Seed:
    """What an adjoint hands down: `value`, or its negative."""

    value: Expr
    negative: bool = False


def add(place: Expr, seed: Seed) -> Stmt:
    op = "-=" if seed.negative else "+="
    return ExprStatement(Assign(op, place, seed.value, place.type))


def assign_zero(place: Expr) -> Stmt:
    return ExprStatement(Assign("=", place, zero(precision(place)), place.type))


def zero(ctype: CType) -> Expr:
    ctype = computed_as(ctype)
    if ctype.kind is TypeKind.FLOATING:
        return Literal("0.0f" if ctype.bits == 32 else "0.0", None, ctype)
    return Literal("0", 0, INT)


def is_zero(value: Expr | None) -> bool:
    return isinstance(value, Literal) and value.text in ("0.0f", "0.0", "0")


def zero_declaration(shadow: Symbol, like: Variable | None = None) -> Stmt:
    initial = zero(shadow.type) if is_real(shadow.type) else no_numbers(shadow.type)
    if like is None:
        return Declare((Variable(shadow, shadow.type.spelling, "", initial, "="),))
    return Declare((shadow_variable(like, shadow, initial),))


def is_all_zeros(initial: Expr | None) -> bool:
    """Is it how the shadow of a structure or an array starts?"""
    made = isinstance(initial, Call) and initial.name == _ZERO
    return made or initial == InitList(())


def is_taken_seed(value: Expr | None) -> bool:
    """Does it take a seed that several threads may take, and leave 0 (`taken_seeds.py`)?"""
    made = isinstance(value, Call) and value.name == "atomicExch" and value.span is None
    return made and isinstance(value, Call) and is_zero(value.arguments[1])


def no_numbers(ctype: CType) -> Expr:
    """`{}`, which stands for zeros unless the type has other ideas of how it starts. An array of
    such a type gets a loop in the end (`zeroed_objects.py`)."""
    if not ctype.innermost.constructs:
        return InitList(())
    callee = Literal(f"{_ZERO}<{ctype.spelling}>")
    return Call(_ZERO, callee, (), is_cuda=True, type=ctype)


def atomic_add(place: Expr, value: Expr, scope: str = "") -> Stmt:
    """`atomicAdd(&place, value)` with a value of the place's type, or one that becomes that when it
    is added. `scope` is "_block" where only the threads of a block meet."""
    target = value_type(place)
    known = value_type(value)
    if not target.is_half and (known.kind, known.bits) != (target.kind, target.bits):
        value = Cast(value, CType(shadow_type(target).spelling, target.kind, target.bits))
    if isinstance(place, Unary) and place.op == "*":
        address = place.operand
    else:
        pointer = CType(f"{target.spelling} *", TypeKind.POINTER, 64, element=target)
        address = Unary("&", place, type=pointer)
    callee = Literal("g2o::atomic_add")
    name = f"atomicAdd{scope}"
    return ExprStatement(Call(name, callee, (address, value), is_cuda=True, type=target))
