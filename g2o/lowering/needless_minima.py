"""Bounds that the loops around them keep small enough.

    for (int m = 0; m < 16; ++m)                      for (int m = 0; m < 16; ++m)
        for (int tx = 0; tx < std::min(m + 1, 16);        for (int tx = 0; tx < m + 1;

    if (BLOCK >= 256)                                 if (BLOCK >= 256)
        for (int t = 0; t < std::min(128, BLOCK);         for (int t = 0; t < 128;

Legal where the one operand is never above the other, whatever values the counters around have, and
where conditions around say it of constants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar, final

from g2o.analysis.constant_turns import constant_turns
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, For, If, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import Node, children, with_children
from g2o.ir.types import TypeKind
from g2o.lowering.guards import conjuncts

N = TypeVar("N", bound=Node)
_MINIMA = frozenset(("std::min(", "std::min<int>(", "std::min<unsigned>("))
_LARGEST = 1 << 30  # far from where an `int` ends


def without_needless_minima(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Give loops the operand of `std::min` that is the least in all turns of the loops around."""
    return tuple(_within(statement, {}) for statement in statements)


@final
@dataclass(frozen=True, slots=True)
class _Range:
    """All values from `low` to `high`, both among them."""

    low: int
    high: int


_Known = Mapping[Symbol | str, _Range]
"""The values of counters, and of constants by their names."""


def _within(node: N, known: _Known) -> N:
    """`node` where counters and constants have values of `known`."""
    if isinstance(node, If):
        then = _within(node.then, {**known, **_said(node.condition)})
        otherwise = None if node.otherwise is None else _within(node.otherwise, known)
        if then is node.then and otherwise is node.otherwise:
            return node
        return replace(node, then=then, otherwise=otherwise)
    if isinstance(node, For):
        turns = constant_turns(node)
        if turns is not None and turns.values:
            known = {**known, turns.counter: _Range(min(turns.values), max(turns.values))}
    elif isinstance(node, CountedLoop):
        upper = _least(node.upper, known)
        node = node if upper is node.upper else replace(node, upper=upper)
    old = children(node)
    new = tuple(_within(child, known) for child in old)
    if all(one is other for one, other in zip(new, old, strict=True)):
        return node
    return with_children(node, new)


def _least(bound: Expr, known: _Known) -> Expr:
    match bound:
        case Code(parts=(name, left, ", ", right, ")")) if (
            name in _MINIMA and not isinstance(left, str) and not isinstance(right, str)
        ):
            one, other = _range(left, known), _range(right, known)
            if one is not None and other is not None:
                if one.high <= other.low:
                    return left
                if other.high <= one.low:
                    return right
        case _:
            pass
    return bound


def _said(condition: Expr) -> dict[Symbol | str, _Range]:
    """What a condition says of constants: `BLOCK >= 256`."""
    found: dict[Symbol | str, _Range] = {}
    for conjunct, inverted in conjuncts(condition, negate=False):
        match strip_parens(conjunct):
            case Binary(op=">=" | ">" as op, left=left, right=right) if not inverted:
                value, named = integer_value(right), strip_parens(left)
            case _:
                continue
        if value is None or not 0 <= value < _LARGEST - 1:
            continue
        if isinstance(named, Literal) and named.value is None:
            found[named.text] = _Range(value + (op == ">"), _LARGEST - 1)
    return found


def _range(expr: Expr, known: _Known) -> _Range | None:
    """Where the value of a sum of constants and counters lies; None where that is not known."""
    value = integer_value(expr)
    if value is not None:
        return _fitting(value, value)
    match strip_parens(expr):
        case VarRef(symbol=symbol):
            return known.get(symbol)
        case Literal(text=name, value=None):  # a constant that the kernel names
            return known.get(name)
        case Cast(operand=operand, type=ctype) if (
            ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits >= 32
        ):
            return _range(operand, known)
        case Binary(op="+" | "-" as op, left=left, right=right, type=ctype) if ctype.is_signed:
            one, other = _range(left, known), _range(right, known)
            if one is None or other is None:
                return None
            if op == "+":
                return _fitting(one.low + other.low, one.high + other.high)
            return _fitting(one.low - other.high, one.high - other.low)
        case _:
            return None


def _fitting(low: int, high: int) -> _Range | None:
    return _Range(low, high) if -_LARGEST < low <= high < _LARGEST else None
