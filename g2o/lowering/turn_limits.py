"""Between which turns of a loop a comparison with its index holds.

    int x = bx * TILE + tx;
    x < width                       below `width - bx * TILE`
    x >= first                      from `first - bx * TILE` on

Differences that an `int` may not hold are the number next to them, as they are compared with
indices; numbers without a sign, and wider ones, are compared as C++ compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import symbols_in
from g2o.analysis.positions import minimum_of
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
    strip_parens,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT, CType, TypeKind, common_spelling
from g2o.lowering.context import DIM3, minimum
from g2o.lowering.exact_positions import keeps_its_value, spelled_out
from g2o.lowering.guards import has_a_next, is_never_negative
from g2o.lowering.index_arithmetic import (
    clamped,
    difference,
    expanded,
    is_int,
    is_signed,
    is_unsigned,
    next_number,
    plain_operand,
    previous_number,
    without_index,
)
from g2o.lowering.loop_bodies import LoopBody

_ONE = Literal("1", 1, INT)
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """Reads comparisons. `is_uniform` says what is the same in all turns of a loop; the others are
    as in `Guards`."""

    is_uniform: Callable[[LoopBody, Expr], bool]
    counters: frozenset[Symbol]
    from_zero: frozenset[Symbol]
    extents: frozenset[str]
    constants: Mapping[Symbol, Expr]

    def limit(self, body: LoopBody, condition: Expr) -> Expr | None:
        """The bound of the index that `offset + index < limit` is: `limit - offset`."""
        if not isinstance(condition, Binary) or condition.op not in _MIRRORED:
            return None
        left, right, op = condition.left, condition.right, condition.op
        if symbols_in(right) & body.varying:
            left, right, op = right, left, _MIRRORED[op]
        if is_unsigned(body.loop.index):
            plain = self._is_plain_limit(body, left, op, right)
            return right if plain else self._limit_of_places(body, left, op, right)
        in_type = self._limit_in_type(body, left, op, right)
        if in_type is not None:
            return in_type
        if op not in ("<", "<="):
            return None
        offset, limit = self.offset(body, left, right), strip_parens(right)
        if offset is None:
            return None
        difference_of = difference if self.is_never_negative(offset) else clamped
        if op == "<=" and has_a_next(limit, self.counters):
            return difference_of(next_number(limit), offset)
        if op == "<=":  # the largest number has none, but the last index has
            last = previous_number(plain_operand(body.loop.upper))
            limit = Code(
                ("std::min<int>(", difference_of(limit, offset), ", ", last, ")"), type=INT
            )
            return Binary("+", limit, _ONE, INT)
        return difference_of(limit, offset)

    def floor(self, body: LoopBody, condition: Expr) -> Expr | None:
        """The least index for which `offset + index >= floor` holds: `floor - offset`."""
        if not isinstance(condition, Binary) or condition.op not in _MIRRORED:
            return None
        left, right, op = condition.left, condition.right, condition.op
        if symbols_in(right) & body.varying:
            left, right, op = right, left, _MIRRORED[op]
        if op not in (">", ">=") or not is_int(body.loop.index):
            return None
        offset, floor = self.offset(body, left, right), strip_parens(right)
        if offset is None:
            return None
        least = floor
        if op == ">" and has_a_next(floor, self.counters):
            least = next_number(floor)
        elif op == ">":
            if integer_value(offset) != 0:
                return None
            extent = plain_operand(body.loop.upper)
            return Code(("g2o::first_after(", floor, ", ", extent, ")"), type=INT)
        is_small = integer_value(floor) is not None and self.is_never_negative(offset)
        return difference(least, offset) if is_small else clamped(least, offset)

    def offset(self, body: LoopBody, position: Expr, limit: Expr) -> Expr | None:
        """What is added to the index where that is compared with a limit, all with signs."""
        if not self.is_uniform(body, limit) or not is_signed(limit):
            return None
        offset = without_index(expanded(position, body.values), body.loop.index)
        if offset is None or not self.is_uniform(body, offset) or not is_signed(offset):
            return None
        return offset

    def is_never_negative(self, expr: Expr) -> bool:
        """Are constants made of what is never negative, and counters of loops from zero upwards?"""

        def known(expr: Expr) -> bool:
            if not isinstance(expr, VarRef):
                return False
            value = self.constants.get(expr.symbol)
            if expr.symbol.type.bits < INT.bits or value is None:
                return expr.symbol in self.from_zero
            return self.is_never_negative(value)

        return is_never_negative(expr, self.extents, known)

    def _limit_in_type(self, body: LoopBody, left: Expr, op: str, right: Expr) -> Expr | None:
        """The same of a comparison in another type than `int`.

        What is added to the index is a number that counts threads of the grid, so that nothing
        wraps around whatever the types on the way, or all is done in signed types, none of which is
        narrower than what it holds.
        """
        kinds = {one.type.kind for one in (left, right)}
        if kinds != {TypeKind.INTEGER} or not self.is_uniform(body, right):
            return None
        wide = max((left.type, right.type, INT), key=lambda one: one.bits)
        signed = all(one.is_signed or one.bits < wide.bits for one in (left.type, right.type))
        if op != "<" and not (op == "<=" and signed and has_a_next(right, self.counters)):
            return None
        whole = spelled_out(left, body.numbers, body.varying)
        offset = without_index(whole, body.loop.index)
        if offset is None or not self.is_uniform(body, offset):
            return None
        if signed and wide.bits <= INT.bits and is_signed(offset):
            return None
        counts = self._counts_threads(offset)
        if not counts and not (signed and keeps_its_value(left, body.numbers, body.varying)):
            return None
        limit = next_number(right) if op == "<=" else strip_parens(right)
        extent = plain_operand(body.loop.upper)
        compared = common_spelling(right.type, left.type)
        if compared == "unsigned":  # as which it is given
            limit = plain_operand(limit)
        is_int = wide.bits <= INT.bits
        if signed and not (is_signed(offset) if is_int else offset.type.is_signed):
            offset = Cast(offset, INT if is_int else replace(wide, is_signed=True))
        if compared == "int":
            return difference(limit, offset)
        match offset:
            case Cast(operand=inner) if is_signed(inner) and limit.type.bits > INT.bits:
                offset = inner if signed else offset
            case _:
                pass
        if integer_value(offset) == 0 and not signed:
            return Cast(minimum(extent, limit, compared), INT)
        numbers = (limit, ", ", offset, ", ", extent)
        return Code((f"g2o::threads_below<{compared}>(", *numbers, ")"), type=INT)

    def _limit_of_places(self, body: LoopBody, left: Expr, op: str, right: Expr) -> Expr | None:
        """The same where places in an array are counted without a sign, `first + index + 256 < n`.

        They wrap around only in arrays that leave no room for the threads of a block: asserted.
        What begins with another number than one of threads, or of turns, may begin below zero.
        """
        upper = body.loop.upper
        if op != "<" or not any(map(self._is_extent, minimum_of(upper) or [upper])):
            return None
        if not self.is_uniform(body, right):
            return None
        if not all(_is_plain_unsigned(one.type) for one in (left, right)):
            return None
        whole = spelled_out(left, body.numbers, body.varying)
        offset = without_index(whole, body.loop.index)
        if offset is None or not self.is_uniform(body, offset):
            return None
        if not self._counts_threads(offset, of_turns=True):
            return None
        numbers = (strip_parens(right), ", ", offset, ", ", upper)
        return Code(("g2o::places_below(", *numbers, ")"), type=body.loop.index.type)

    def _is_extent(self, expr: Expr) -> bool:
        """Is it a number of threads of a block?"""
        bare = strip_parens(expr)
        return isinstance(bare, Literal) and (bare.text in self.extents or bool(bare.value))

    def _counts_threads(self, offset: Expr, *, of_turns: bool = False) -> bool:
        """Is it made of indices and dimensions of the launch only, and constants? Quotients and
        remainders without a sign are no larger than what is divided. Counters of loops are so where
        they are wide; `of_turns`: all that begin with zero."""
        match offset:
            case Paren(inner=inner) | Cast(operand=inner):
                return self._counts_threads(inner, of_turns=of_turns)
            case Binary(op="+" | "*", left=left, right=right):
                both = left, right
                return all(self._counts_threads(one, of_turns=of_turns) for one in both)
            case Binary(op="/" | "%", left=left) if not offset.type.is_signed:
                return self._counts_threads(left, of_turns=of_turns)
            case VarRef(symbol=symbol) if symbol.storage is Storage.INDEX:
                return True
            case VarRef(symbol=symbol) if symbol in self.constants:
                return self._counts_threads(self.constants[symbol], of_turns=of_turns)
            case VarRef(symbol=symbol):
                is_kept = symbol.type.bits > INT.bits or of_turns
                return is_kept and symbol in self.from_zero
            case Member(base=VarRef(symbol=symbol)):
                return symbol.type == DIM3
            case _:
                value = integer_value(offset)
                return value is not None and value >= 0

    def _is_plain_limit(self, body: LoopBody, left: Expr, op: str, right: Expr) -> bool:
        """Is it `index < limit`, compared without signs?"""
        ctype = right.type
        narrow = ctype.kind is TypeKind.INTEGER and ctype.bits <= body.loop.index.type.bits
        index = strip_parens(left) == VarRef(body.loop.index)
        return index and op == "<" and narrow and self.is_uniform(body, right)


def _is_plain_unsigned(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits == INT.bits and not ctype.is_signed
