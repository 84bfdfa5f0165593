"""Bounds of loops over threads from what guards compare the index with.

    if (i < n)               int count = std::min(n, int(grid.x * block.x))
    if (i < m)  (size_t)     int count = int(std::min<std::size_t>(m, grid.x * block.x))
    if (i >= k) (unsigned)   for (int i = int(std::min<unsigned>(k, grid.x * block.x)); ...)
    if (i > k)               for (int i = g2o::first_after(k, count); i < count; ++i)

Numbers are compared in the type in which C++ compares them: what is below zero is large as an
unsigned number. Everything is brought between zero and the number of threads before it becomes a
number of the type of the index, which holds both.
"""

from __future__ import annotations

from collections.abc import Set

from g2o.analysis.positions import polynomial_of
from g2o.ir.expressions import Cast, Code, Expr, Literal, VarRef
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind, common_spelling
from g2o.lowering.context import SIZE, bound_for, minimum
from g2o.lowering.guards import stays_small

_ZERO = Literal("0", 0, INT)
_UNSIGNED = {"unsigned": UNSIGNED, "std::size_t": SIZE}


def lower_bound(
    limits: list[Expr],
    above: list[Expr],
    index: Symbol,
    total: Expr,
    end: Expr,
    from_zero: Set[Symbol] = frozenset(),
) -> Expr:
    """The first index, of `total`, that is at least every one of `limits`, and more than each of
    `above`; `end` where there is none in front of it. Variables `from_zero` are never negative."""
    firsts = [Code(("g2o::first_after(", one, ", ", end, ")"), type=index.type) for one in above]
    if not firsts:
        return _at_least(limits, index, total, from_zero)
    least = [_at_least(limits, index, total, from_zero)] if limits else []
    first, *others = (*least, *firsts)
    for other in others:
        both = (f"std::max<{_plain(index.type)}>(", first, ", ", other, ")")
        first = Code(both, type=index.type)
    return first


def _at_least(limits: list[Expr], index: Symbol, total: Expr, from_zero: Set[Symbol]) -> Expr:
    if not limits:
        return _ZERO
    (limit, *more) = limits
    if not more and isinstance(limit, VarRef) and limit.symbol in from_zero:
        if limit.type == index.type == INT:
            return limit
    if len(limits) > 1 and all(_plain(limit.type) == "int" for limit in limits):
        if index.type.is_signed and index.type.bits == 32:
            highest = limits[0]
            for other in limits[1:]:
                highest = Code(("std::max(", highest, ", ", other, ")"), type=INT)
            return Code(("std::max(", highest, ", 0)"), type=INT)
    result = _first(limits[0], index.type, total)
    for other in limits[1:]:
        start = _first(other, index.type, total)
        both = (f"std::max<{_plain(index.type)}>(", result, ", ", start, ")")
        result = Code(both, type=index.type)
    return result


def _first(limit: Expr, index: CType, total: Expr) -> Expr:
    if isinstance(limit, Literal) or (not limit.type.is_signed and stays_small(limit)):
        return limit
    spelled = _plain(index)
    if limit.type.kind is TypeKind.DEPENDENT or index.kind is TypeKind.DEPENDENT:
        return Code((f"std::max<{spelled}>(", limit, ", 0)"), type=index)
    compared = common_spelling(limit.type, index)
    if compared == common_spelling(index, index):
        if not limit.type.is_signed and limit.type.bits >= 32:
            return limit
        explicit = "" if _plain(limit.type) == spelled == "int" else f"<{spelled}>"
        return Code((f"std::max{explicit}(", limit, ", 0)"), type=index)
    if compared in _UNSIGNED:
        return Cast(minimum(limit, total, compared), index)
    return Cast(Code((f"std::clamp<{compared}>(", limit, ", 0, ", total, ")"), type=index), index)


def upper_bound(limits: list[Expr], index: Symbol, total: Expr) -> tuple[Expr, bool]:
    """The end of the indices, of `total`, that are below all `limits`, and whether it is so simple
    that it needs no name."""
    if not limits:
        return bound_for(index.type, total), True
    kinds = {common_spelling(limit.type, index.type) for limit in limits}
    if len(kinds) > 1:
        return _least_of_all(limits, index, total), False
    (common,) = kinds
    result, *others = _without_larger(limits)
    for other in others:
        same = other.type.spelling == result.type.spelling
        mixed = not same or (common in _UNSIGNED and result.type.is_signed)
        if mixed:
            ctype = _UNSIGNED.get(common, result.type)
            result = Code((f"std::min<{common}>(", result, ", ", other, ")"), type=ctype)
        else:
            result = minimum(result, other)
    if _plain(result.type) == _plain(total.type) == _plain(index.type):
        return minimum(result, total), False
    signed = index.type.is_signed and not common.startswith(("unsigned", "std::size_t"))
    if common in ("int", "const int"):
        return minimum(result, bound_for(INT, total)), False
    bounded = minimum(result, total, common)
    if common.removeprefix("const ") == index.type.spelling and signed == index.type.is_signed:
        return bounded, False
    return Cast(bounded, index.type) if index.type.spelling.isidentifier() else bounded, False


def _without_larger(limits: list[Expr]) -> list[Expr]:
    """The limits but those that another one is always below: `n - 1` of `n` and `n - 1`."""
    known = [polynomial_of(one, {}) if one.type.is_signed else None for one in limits]

    def is_larger(number: int, other: int) -> bool:
        one, two = known[number], known[other]
        above = one - two if one is not None and two is not None else None
        by = above.value if above is not None else None
        return by is not None and (by > 0 or (by == 0 and number > other))

    numbers = range(len(limits))
    return [
        limit
        for number, limit in enumerate(limits)
        if not any(is_larger(number, other) for other in numbers)
    ]


def _least_of_all(limits: list[Expr], index: Symbol, total: Expr) -> Expr:
    """The least of limits that are compared in different types."""
    spelled = _plain(index.type)
    result: Expr | None = None
    for limit in limits:
        own = minimum(limit, total, common_spelling(limit.type, index.type))
        if result is None:
            result = Cast(own, index.type)
        else:
            least = (f"std::min<{spelled}>(", result, ", ", own, ")")
            result = Code(least, type=index.type)
    assert result is not None
    return result


def _plain(ctype: CType) -> str:
    return ctype.spelling.replace("const ", "")
