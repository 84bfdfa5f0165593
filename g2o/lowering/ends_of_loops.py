"""Where loops over some of the threads begin and end: the least and the greatest of numbers."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace
from typing import Final

from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Literal,
    Member,
    Paren,
    VarRef,
    integer_value,
)
from g2o.ir.statements import CountedLoop, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT, CType
from g2o.lowering.context import DIM3
from g2o.lowering.empty_turns import exceeds_by, parts_of
from g2o.lowering.tiles import rounded_up

_ZERO: Final = Literal("0", 0, INT)
_LEAST_OF_SIGNED: Final = ("std::min(", "std::min<int>(")


def least(extent: Expr, limit: Expr, ctype: CType) -> Expr:
    """The smaller of the number of threads and a limit, for an index of type `ctype`."""
    values = integer_value(extent), integer_value(limit)
    if values[0] is not None and values[1] is not None:
        return limit if values[1] <= values[0] else extent
    others = list(parts_of(extent))
    apart = [exceeds_by(one, limit) for one in others]
    if any(by is not None and by <= 0 for by in apart):
        return extent
    kept = [one for one, by in zip(others, apart, strict=True) if by is None]
    if not kept:
        return limit
    if len(kept) < len(others):
        first, *more = kept
        for one in more:
            first = least(first, one, ctype)
        return least(first, limit, ctype)
    if isinstance(limit, Binary) and limit.op == "-" and limit.left == extent:
        if (integer_value(limit.right) or 0) > 0:
            return limit
    if not ctype.is_signed:
        return Code(("std::min<unsigned>(", limit, ", ", extent, ")"), type=ctype)
    named = isinstance(extent, Literal) and not extent.text.isdigit()  # perhaps no `int`
    explicit = "<int>" if named or limit.type.spelling != "int" else ""
    return Code((f"std::min{explicit}(", extent, ", ", limit, ")"), type=INT)


def with_least_ends(body: Stmt) -> Stmt:
    """The body with ends of loops that are the least of numbers of which one is the least."""

    def shorter(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop):
            return None
        parts = list(parts_of(node.upper))
        end = parts[0]
        for one in parts[1:]:
            end = least(end, one, node.index.type)
        if len(list(parts_of(end))) == len(parts):
            end = node.upper
        inner = rewrite(node.body, shorter)
        same = end is node.upper and inner is node.body
        return node if same else replace(node, upper=end, body=inner)

    return rewrite(body, shorter)


def greatest(
    lower: Expr, floors: tuple[Expr, ...], is_never_negative: Callable[[Expr], bool]
) -> Expr:
    """The largest of these numbers."""
    start = integer_value(lower)
    values = [integer_value(one) for one in floors]
    if start is not None and all(one is not None and one <= start for one in values):
        return lower
    match floors:
        case ():
            return lower
        case (Literal(value=int() as value) as floor,) if start is not None and value >= start:
            return floor
        case (Code(parts=("g2o::first_after(", *_)) as floor,) if start == 0:
            return floor
        case (floor,) if start == 0 and is_never_negative(floor):
            return floor
        case (floor,):
            return Code(("std::max<int>(", lower, ", ", floor, ")"), type=INT)
        case _:
            others = tuple(part for floor in floors for part in (", ", floor))
            return Code(("std::max<int>({", lower, *others, "})"), type=INT)


def is_within_extent(limit: Expr) -> bool:
    """Is the bound of a loop already in the limit?"""
    match limit:
        case _ if is_number_of_turns(limit):
            return True
        case Binary(op="+", left=Code(parts=("std::min<int>(", *_))):
            return True  # of the last index
        case Code(parts=("g2o::places_below(", *_)):
            return True
        case _:
            return False


def is_never_zero(count: Expr, positive: Set[Symbol] = frozenset()) -> bool:
    """Is it a number of threads, which is one at least, and not the least of that and another?
    `positive` are variables that hold one."""
    match count:
        case Literal(text=text, value=value):  # a parameter of a template has no value
            return value > 0 if value is not None else text.replace("::", "").isidentifier()
        case VarRef(symbol=symbol):
            return symbol in positive
        case Member(base=VarRef(symbol=symbol)):
            return symbol.type == DIM3
        case Cast(operand=inner) | Paren(inner=inner):
            return is_never_zero(inner, positive)
        case Binary(op="*", left=left, right=right):
            return is_never_zero(left, positive) and is_never_zero(right, positive)
        case Binary(op="/"):
            threads = rounded_up(count)
            return threads is not None and is_never_zero(threads, positive)
        case Code(parts=("int(", Member() as inner, ")")):
            return is_never_zero(inner, positive)
        case Code(parts=(text,)):
            return text == "g2o::warp_size"
        case _:
            return False


def is_above_zero(count: Expr, positive: Set[Symbol] = frozenset()) -> tuple[Expr, ...]:
    """What has to hold so that a loop from zero to `count` has a first turn: nothing where that is
    a number of threads, and of the least of several numbers what each of them asks."""
    if is_never_zero(count, positive):
        return ()
    match count:
        case Code(parts=(str() as text, *parts)) if text in _LEAST_OF_SIGNED:
            operands = [one for one in parts if not isinstance(one, str)]
            return tuple(asked for one in operands for asked in is_above_zero(one, positive))
        case Binary(op="-", left=limit, right=offset) if count.type.is_signed:
            return (Binary("<", offset, limit, BOOL),)
        case _:
            return (Binary(">", count, _ZERO, BOOL),)


def is_number_of_turns(limit: Expr) -> bool:
    """Is the bound in the limit, and never negative?"""
    match limit:
        case Cast(operand=Code(parts=(str() as text, *_))):
            return text.startswith(("std::min<unsigned>", "std::min<std::size_t>"))
        case Code(parts=(str() as text, *_)):
            return text.startswith("g2o::threads_below")
        case _:
            return False
