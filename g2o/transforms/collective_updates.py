"""Updates of a thread's own value, as atomic ones of a total.

sum += x;                       ->    atomicAdd(&total, x);
m = fmaxf(m, x);                ->    atomicMax(&total, x);
if (x < m) m = x;               ->    atomicMin(&total, x);
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.contribution_values import (
    Start,
    extreme_of,
    is_infinity,
    may_be_combined,
    of_comparison,
    of_literal,
)
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Literal,
    Unary,
    VarRef,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import Block, ExprStatement, If, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind

_ATOMICS: Final = {"add": "atomicAdd", "max": "atomicMax", "min": "atomicMin"}


def atomic(kind: str, place: Expr, value: Expr) -> Call:
    """The atomic operation that combines a value with what a place has."""
    name = _ATOMICS[kind]
    pointer = CType(f"{place.type.spelling} *", TypeKind.POINTER, element=place.type)
    address = Unary("&", place, type=pointer)
    callee = Literal(f"g2o::atomic_{kind}")
    return Call(name, callee, (address, value), is_cuda=True, type=place.type)


def combined(kind: str, place: Expr, value: Expr) -> Stmt:
    """The same as a statement, none where it would not matter: `c ? x : 0` of sums."""
    match strip_parens(value):
        case Conditional(condition=condition, if_true=some, if_false=none) if _is_neutral(
            kind, none, place.type
        ):
            return If(strip_parens(condition), combined(kind, place, some))
        case Conditional(condition=condition, if_true=none, if_false=some) if _is_neutral(
            kind, none, place.type
        ):
            return If(negated(condition), combined(kind, place, some))
        case _:
            return ExprStatement(atomic(kind, place, value))


def _is_neutral(kind: str, expr: Expr, ctype: CType) -> bool:
    """Is what is combined with it what it was? The first value of all is none that this changes."""
    if kind == "add":
        return is_zero(expr)
    if ctype.kind is TypeKind.INTEGER:
        number = integer_value(expr)
        least = -(1 << ctype.bits - 1) if ctype.is_signed else 0
        most = (1 << ctype.bits - ctype.is_signed) - 1
        return number is not None and number == (least if kind == "max" else most)
    match strip_parens(expr):
        case Unary(op="-", operand=operand) if kind == "max":
            return _is_infinite(operand)
        case one:
            return kind == "min" and _is_infinite(one)


def _is_infinite(expr: Expr) -> bool:
    bare = strip_parens(expr)
    if isinstance(bare, Call):
        return is_infinity(bare)
    return isinstance(bare, Literal) and of_literal(bare) == Start("min")


def is_zero(expr: Expr) -> bool:
    """Is it the number that sums begin with?"""
    bare = strip_parens(expr)
    while isinstance(bare, Cast):
        bare = strip_parens(bare.operand)
    if not isinstance(bare, Literal):
        return False
    if bare.value is not None:
        return bare.value == 0
    try:
        return float(bare.text.rstrip("fFlL")) == 0
    except ValueError:
        return False


@final
@dataclass(frozen=True, slots=True)
class Updates:
    """Replaces updates of `base` by atomic ones of the place `total`."""

    base: Symbol
    total: Expr
    kind: str

    def __call__(self, node: Node) -> Node | None:
        value: Expr | None = None
        match node:
            case ExprStatement(expr=expr):
                value = self.value_of(strip_parens(expr))
            case If(condition=condition, then=then, otherwise=None) if self.kind != "add":
                value = self.extreme_of(condition, then)
            case _:
                pass
        if value is None or self.base in symbols_in(value):
            return None
        if not may_be_combined(self.kind, value, self.base.type):
            return None
        made = combined(self.kind, self.total, value)
        assert isinstance(node, (ExprStatement, If))
        assert isinstance(made, (ExprStatement, If))
        return replace(made, trivia=node.trivia)

    def value_of(self, expr: Expr) -> Expr | None:
        """What is combined with the base."""
        if not isinstance(expr, Assign) or not self.is_base(expr.target):
            return None
        value = strip_parens(expr.value)
        match value:
            case _ if expr.op == "+=":
                return expr.value if self.kind == "add" else None
            case _ if expr.op != "=":
                return None
            case Binary(op="+", left=left, right=right) if self.kind == "add":
                return right if self.is_base(left) else left if self.is_base(right) else None
            case Call(arguments=(left, right)) as call:
                if extreme_of(call) != self.kind:
                    return None
                return right if self.is_base(left) else left if self.is_base(right) else None
            case Conditional(condition=condition, if_true=first, if_false=second):
                return self.compared(condition, first, second)
            case _:
                return None

    def extreme_of(self, condition: Expr, then: Stmt) -> Expr | None:
        """`x` of `if (x > base) base = x;`."""
        while isinstance(then, Block) and len(then.statements) == 1:
            then = then.statements[0]
        if not isinstance(then, ExprStatement):
            return None
        stored = strip_parens(then.expr)
        if not isinstance(stored, Assign) or stored.op != "=" or not self.is_base(stored.target):
            return None
        return self.compared(condition, stored.value, VarRef(self.base))

    def compared(self, condition: Expr, first: Expr, second: Expr) -> Expr | None:
        """The other value, where the condition chooses the greater or lesser one of two."""
        if of_comparison(condition, first, second) != self.kind:
            return None
        first, second = strip_parens(first), strip_parens(second)
        return second if self.is_base(first) else first if self.is_base(second) else None

    def is_base(self, expr: Expr) -> bool:
        bare = strip_parens(expr)
        return isinstance(bare, VarRef) and bare.symbol is self.base
