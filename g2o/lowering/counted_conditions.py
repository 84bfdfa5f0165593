"""In which turns of a loop a condition holds that asks nothing but the number of the turn.

    for (int t = 0; t < 256; ++t) {
        const int warp = t / 32, lane = t & 31;
        if (warp == 3 && lane < 8)                from 96 to below 104

Numbers of threads are small where they are known: every turn is tried. Numbers are what their types
hold, and so are those that are compared: of two types, one without a sign, there are none below 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.positions import minimum_of
from g2o.analysis.thread_values import combine, wrapped
from g2o.ir.expressions import (
    Binary,
    Cast,
    Conditional,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import CountedLoop
from g2o.ir.symbols import Symbol
from g2o.ir.types import BOOL, CType, TypeKind
from g2o.lowering.thread_group import LANES

WARP: Final = 32
"""How many turns a loop over the lanes of a warp has."""
_MOST: Final = 1024
_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.BOOL)
_COMPARISONS: Final = frozenset({"<", ">", "<=", ">=", "==", "!="})
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """Of `turns`, those from `first` to below `end` fulfil some conditions, and no others do;
    `asked` are the other conditions."""

    first: int
    end: int
    turns: range
    asked: tuple[Expr, ...]


def counted(
    conditions: Sequence[Expr], loop: CountedLoop, values: Mapping[Symbol, Expr]
) -> Counted | None:
    """Which turns fulfil the conditions that ask nothing else, where these are neighbours. `values`
    is what other variables have been given."""
    turns = _turns(loop)
    if turns is None:
        return None
    holding = set(turns)
    asked: list[Expr] = []
    for condition in conditions:
        known = [_value(condition, loop.index, turn, values) for turn in turns]
        if None in known:
            asked.append(condition)
        else:
            holding &= {turn for turn, value in zip(turns, known, strict=True) if value}
    if len(asked) == len(conditions) or not holding:
        return None
    first, end = min(holding), max(holding) + 1
    return Counted(first, end, turns, tuple(asked)) if len(holding) == end - first else None


def _turns(loop: CountedLoop) -> range | None:
    """Turns among which are all that the loop may have, where these are not many."""
    lower = integer_value(loop.lower)
    upper = WARP if loop.upper == LANES else None
    for limit in minimum_of(loop.upper) or (loop.upper,):
        known = integer_value(limit)
        upper = known if upper is None or (known is not None and known < upper) else upper
    if lower is None or upper is None or loop.step is not None or not 0 <= lower < upper <= _MOST:
        return None
    return range(lower, upper)


def _value(expr: Expr, index: Symbol, turn: int, values: Mapping[Symbol, Expr]) -> int | None:
    """The number, in that turn."""
    if expr.type.kind not in _NUMBERS:
        return None

    def inner(part: Expr) -> int | None:
        return _value(part, index, turn, values)

    match expr:
        case Literal(value=number):
            return number
        case Paren(inner=one):
            return inner(one)
        case Cast(operand=operand):
            return _held(inner(operand), expr.type)
        case VarRef(symbol=symbol) if symbol is index:
            return turn
        case VarRef(symbol=symbol) if symbol in values:
            return _held(inner(values[symbol]), symbol.type)
        case Unary(op="-" | "+" | "~" | "!" as op, operand=operand):
            number = inner(operand)
            if number is None:
                return None
            new = {"-": -number, "+": number, "~": ~number, "!": int(number == 0)}[op]
            return _held(new, expr.type)
        case Conditional(condition=condition, if_true=first, if_false=second):
            chosen = inner(condition)
            return None if chosen is None else _held(inner(first if chosen else second), expr.type)
        case Binary(op="&&" | "||" as op, left=left, right=right):
            first_value = inner(left)
            if first_value is None or (first_value != 0) is (op == "||"):
                return None if first_value is None else int(first_value != 0)
            second_value = inner(right)
            return None if second_value is None else int(second_value != 0)
        case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
            return _combined(op, inner(left), inner(right), None)
        case Binary(op=op, left=left, right=right) if op in _ARITHMETIC:
            return _combined(op, inner(left), inner(right), expr.type)
        case _:
            return None


def _combined(op: str, left: int | None, right: int | None, ctype: CType | None) -> int | None:
    """Of two numbers; in a type, unless they are compared. Nothing below 0 is compared or divided,
    and nothing has more bits than it holds."""
    if left is None or right is None:
        return None
    careful = ctype is None or op in ("/", "%", "<<", ">>")
    if careful and (left < 0 or right < 0):
        return None
    if op in ("<<", ">>") and (ctype is None or right >= (ctype.bits or 0)):
        return None
    found = combine(op, left, right)
    if not isinstance(found, int):
        return None
    if ctype is not None and ctype.is_signed and _held(found, ctype) != found:
        return None
    return int(found) if ctype is None else _held(found, ctype)


def _held(number: int | None, ctype: CType) -> int | None:
    if number is None or (ctype is not BOOL and not ctype.bits):
        return None
    found = wrapped(number, ctype)
    return found if isinstance(found, int) else None
