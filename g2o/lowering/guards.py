"""Guards become loop bounds.

    int i = blockIdx.x * blockDim.x + threadIdx.x;     const int count =
    if (i >= n)                                            std::min(n, int(grid.x * block.x));
        return;                                    ->  for (int i = 0; i < count; ++i)
    y[i] = x[i];                                           y[i] = x[i];

Legal when the limit is the same for all threads and does not change while the kernel runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import final

from g2o.ir.expressions import (
    Binary,
    Code,
    Expr,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import Block, If, Return, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import DIM3

_NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_LARGEST = 2**31
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """`index op limit` holds for every thread that goes on; op is `<` or `>=`."""

    index: Symbol
    op: str
    limit: Expr


@final
@dataclass(slots=True)
class Bounds:
    """What guards say about each loop variable."""

    upper: dict[Symbol, list[Expr]] = field(default_factory=dict[Symbol, "list[Expr]"])
    lower: dict[Symbol, list[Expr]] = field(default_factory=dict[Symbol, "list[Expr]"])

    def add(self, limits: list[Limit]) -> None:
        for limit in limits:
            side = self.upper if limit.op == "<" else self.lower
            known = side.setdefault(limit.index, [])
            if limit.limit not in known:
                known.append(limit.limit)

    def __bool__(self) -> bool:
        return bool(self.upper or self.lower)


def split_guard(
    condition: Expr, indices: set[Symbol], invariant: Callable[[Expr], bool], negate: bool
) -> tuple[list[Limit], list[Expr]]:
    """Split `condition` (its negation where `negate`) into limits of loop variables and the rest.

    The rest are conjuncts that must hold too, each as it would be written.
    """
    limits: list[Limit] = []
    rest: list[Expr] = []
    for conjunct, inverted in conjuncts(condition, negate):
        limit = _limit(conjunct, inverted, indices, invariant)
        if limit is not None:
            limits.append(limit)
        else:
            rest.append(negated(conjunct) if inverted else conjunct)
    return limits, rest


def conjuncts(condition: Expr, negate: bool) -> list[tuple[Expr, bool]]:
    """What has to hold for `condition` (its negation) to hold, each with whether it is negated."""
    match condition:
        case Paren(inner=inner):
            return conjuncts(inner, negate)
        case Unary(op="!", operand=operand):
            return conjuncts(operand, not negate)
        case Binary(op=op, left=left, right=right) if op == ("||" if negate else "&&"):
            return [*conjuncts(left, negate), *conjuncts(right, negate)]
        case _:
            return [(condition, negate)]


def negated(condition: Expr) -> Expr:
    """The condition that holds when `condition` does not."""
    if isinstance(condition, Binary) and condition.op in _NEGATED:
        integral = condition.left.type.kind is not TypeKind.FLOATING
        if integral and condition.right.type.kind is not TypeKind.FLOATING:
            return Binary(_NEGATED[condition.op], condition.left, condition.right, condition.type)
    return Unary("!", condition)


def _limit(
    conjunct: Expr, inverted: bool, indices: set[Symbol], invariant: Callable[[Expr], bool]
) -> Limit | None:
    if not isinstance(conjunct, Binary) or conjunct.op not in _NEGATED:
        return None
    op = _NEGATED[conjunct.op] if inverted else conjunct.op
    left, right = _bare(conjunct.left), _bare(conjunct.right)
    if isinstance(right, VarRef) and right.symbol in indices:
        left, right, op = right, left, _MIRRORED[op]
    if not isinstance(left, VarRef) or left.symbol not in indices or not invariant(right):
        return None
    if right.type.kind not in (TypeKind.INTEGER, TypeKind.DEPENDENT) or op in ("==", "!="):
        return None
    if op in ("<=", ">"):
        if _compared_unsigned(left.symbol.type, right.type) and not stays_small(right):
            return None
        return Limit(left.symbol, "<" if op == "<=" else ">=", _plus_one(right))
    return Limit(left.symbol, op, right)


def _compared_unsigned(left: CType, right: CType) -> bool:
    """Are numbers of these types compared as unsigned ones?"""
    bits = max(left.bits, right.bits, 32)
    return any(not one.is_signed and one.bits >= bits for one in (left, right))


def stays_small(limit: Expr) -> bool:
    """Is one more than `limit` above it as an unsigned number too? It is not where `n - 1` is asked
    for n = 0."""
    match limit:
        case Paren(inner=inner):
            return stays_small(inner)
        case Literal(value=value):
            return value is not None and 0 <= value < _LARGEST
        case Binary(op="+" | "*" | "/" | ">>" | "%", left=left, right=right):
            return stays_small(left) and stays_small(right)
        case Binary(op="-", left=left, right=right):
            return _is_dimension(left) and integer_value(right) == 1
        case _:
            return _is_dimension(limit)


def _is_dimension(expr: Expr) -> bool:
    match expr:
        case Paren(inner=inner):
            return _is_dimension(inner)
        case Member(base=VarRef(symbol=symbol)):
            return symbol.type == DIM3
        case Code(parts=("int(", Member() as dimension, ")")):
            return _is_dimension(dimension)
        case _:
            return False


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Paren):
        expr = expr.inner
    return expr


def _plus_one(expr: Expr) -> Expr:
    value = integer_value(expr) if isinstance(expr, Literal) else None
    if value is not None and isinstance(expr, Literal) and expr.text.isdigit():
        return Literal(str(value + 1), value + 1, expr.type)
    match expr:
        case Binary(op="-", left=left, right=right) if integer_value(right) == 1:
            return left
        case _:
            return Binary("+", expr, Literal("1", 1, INT), expr.type)


def only_returns(statement: Stmt) -> bool:
    """Is this `return;`, with or without braces?"""
    match statement:
        case Return(value=None):
            return True
        case Block(statements=(Return(value=None),)):
            return True
        case _:
            return False


def returning_guard(statement: Stmt) -> Expr | None:
    """The condition of `if (condition) return;`."""
    match statement:
        case If(condition=condition, then=then, otherwise=None) if only_returns(then):
            return condition
        case _:
            return None
