"""Between which numbers an integer is, where the text says so: of constants and of counters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.positions import minimum_of
from g2o.ir.expressions import Binary, Call, Conditional, Expr, VarRef, integer_value, strip_parens
from g2o.ir.statements import CountedLoop, Declare, For, Node, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind

Range = tuple[int, int]
"""The least and the largest value."""

_LARGEST: Final = (1 << 31) - 1
"""Beyond what any range is."""

_NONE: Final[Range] = (_LARGEST, -_LARGEST)
_MOST_ROUNDS: Final = 6  # of variables that are told by others


@final
@dataclass(frozen=True, slots=True)
class Ranges:
    """The ranges of variables, wherever these are in scope."""

    known: Mapping[Symbol, Range] = field(default_factory=dict[Symbol, Range])

    @staticmethod
    def of(body: Node, effects: EffectsOf) -> Ranges:
        """Of the counters of loops, and of variables that keep what they are declared to be: in any
        of the loops, and declarations, that have them."""
        given = list(_given(body, effects))
        ranges = Ranges()
        for _ in range(_MOST_ROUNDS):
            known: dict[Symbol, Range | None] = {}
            for symbol, values in given:
                before = known.get(symbol, _NONE)
                known[symbol] = _around(before, values(ranges))
            found = Ranges({symbol: one for symbol, one in known.items() if one is not None})
            if found == ranges:
                return ranges
            ranges = found
        return Ranges()

    def range_of(self, number: Expr) -> Range | None:
        """The range of a number in which only variables with known ones occur."""
        number = strip_parens(number)
        value = integer_value(number)
        if value is not None:
            return value, value
        match number:
            case VarRef(symbol=symbol):
                return self.known.get(symbol)
            case Binary(op="+" | "-" | "*" | "<<" as op, left=left, right=right):
                return _held(self._combined(op, left, right), number.type)
            case Binary(op="/" | "%" | ">>" | "&" as op, left=left, right=right):
                return self._part(op, left, integer_value(right))
            case Conditional(if_true=left, if_false=right):
                return _around(self.range_of(left), self.range_of(right))
            case Call(name="min" | "max" as name, arguments=(left, right), is_cuda=True):
                one, other = self.range_of(left), self.range_of(right)
                if one is None or other is None:
                    return None
                choose = min if name == "min" else max
                return choose(one[0], other[0]), choose(one[1], other[1])
            case _:
                return None

    def _combined(self, op: str, left: Expr, right: Expr) -> Range | None:
        one, other = self.range_of(left), self.range_of(right)
        if one is None or other is None:
            return None
        if op == "<<":
            if other[0] != other[1] or not 0 <= other[0] < 31:
                return None
            op, other = "*", (1 << other[0], 1 << other[0])
        pairs = [(a, b) for a in one for b in other]
        found = [a + b if op == "+" else a - b if op == "-" else a * b for a, b in pairs]
        return (min(found), max(found))

    def _part(self, op: str, left: Expr, divisor: int | None) -> Range | None:
        """A quotient, or a remainder, of what is not negative."""
        if divisor is None or divisor < 0 or (op in "/%" and not divisor):
            return None
        if op == "&":
            return 0, divisor
        whole = self.range_of(left)
        if whole is None or whole[0] < 0:
            return None
        if op == "%":
            return 0, min(whole[1], divisor - 1)
        if op == ">>":
            return (whole[0] >> divisor, whole[1] >> divisor) if divisor < 31 else None
        return whole[0] // divisor, whole[1] // divisor


def _around(one: Range | None, other: Range | None) -> Range | None:
    if one is None or other is None:
        return None
    return min(one[0], other[0]), max(one[1], other[1])


def _held(values: Range | None, ctype: CType) -> Range | None:
    """The range, if a type holds all of it, and an `int` might have done so on the way."""
    if values is None or ctype.kind is not TypeKind.INTEGER:
        return None
    bits = min(ctype.bits - ctype.is_signed, 31)
    least = -(1 << bits) + 1 if ctype.is_signed else 0
    return values if least <= values[0] and values[1] <= (1 << bits) - 1 else None


def _given(
    body: Node, effects: EffectsOf
) -> Iterator[tuple[Symbol, Callable[[Ranges], Range | None]]]:
    """What tells the range of a variable, by the ranges of others."""
    written = written_after_declaration(body, effects)
    for node in walk(body):
        match node:
            case CountedLoop(index=index):
                yield index, partial(_counted, node)
            case For(initial=Declare(variables=(counter, *_))):
                turns = constant_turns(node)
                if turns is None or counter.symbol in effects.of(node.body).writes:
                    yield counter.symbol, partial(_constant, None)
                else:
                    values = (min(turns.values, default=0), max(turns.values, default=0))
                    yield turns.counter, partial(_constant, values)
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol.type.kind is TypeKind.INTEGER and one.symbol not in written:
                        yield one.symbol, partial(_initial, one)
            case _:
                pass


def _counted(loop: CountedLoop, ranges: Ranges) -> Range | None:
    """What a loop over threads counts while its body runs."""
    first = ranges.range_of(loop.lower)
    ends = [ranges.range_of(one) for one in (loop.upper, *minimum_of(strip_parens(loop.upper)))]
    lasts = [one[1] - 1 for one in ends if one is not None]
    return (first[0], max(first[0], min(lasts))) if first is not None and lasts else None


def _constant(values: Range | None, _: Ranges) -> Range | None:
    return values


def _initial(variable: Variable, ranges: Ranges) -> Range | None:
    if variable.initial is None:
        return None
    return _held(ranges.range_of(variable.initial), variable.symbol.type)
