"""Elements of arrays by row: which row of those that a loop goes through an access is in.

    d_u[up * nx + i]        the row `up`, where `i` is from 0 to below `nx`
    d_u[(k * ny + j) * nx + i + 1]      the plane `k`

A place is a sum of numbers times strides, each of which is the one inside of it times another
factor: the extent of that dimension. Rows are told apart where every number but the outermost is
from 0 to below the extent of its dimension.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.positions import minimum_of
from g2o.analysis.ranges import Ranges
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, For, Node, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, unqualified
from g2o.lowering.guards import conjuncts
from g2o.lowering.index_arithmetic import is_signed

_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_ONE: Final = Literal("1", 1, INT)
_ZERO: Final = Literal("0", 0, INT)


@final
@dataclass(frozen=True, slots=True)
class Term:
    """A number, times the product of the strides."""

    number: Expr
    strides: tuple[Expr, ...]


Strides = frozenset[tuple[Expr, int]]
"""The factors of a product, and how often each occurs."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """The number of a row, all of which have the same `strides`. `within`: the first and the last
    place in rows of `size` elements, where what stands in one may reach into others, like a tile
    with a halo."""

    number: Expr
    strides: Strides
    within: tuple[int, int] | None = None
    size: int = 1

    def reach(self, start: int) -> tuple[int, int]:
        """By how many rows that reaches back and on, where rows begin at the place `start`."""
        if self.within is None:
            return 0, 0
        first, last = self.within
        return (first - start) // self.size, (last - start) // self.size


@final
@dataclass(frozen=True, slots=True)
class Facts:
    """What is known where an access stands: `uppers` of indices that count from `lowers` on, which
    are constants, and `conditions` that hold."""

    lowers: Mapping[Symbol, int]
    uppers: Mapping[Symbol, tuple[Expr, ...]]
    conditions: tuple[Expr, ...] = ()

    def inside(self, loop: CountedLoop | For, limits: Mapping[Symbol, tuple[Expr, ...]]) -> Facts:
        """With what the head of a loop says; `limits` of variables, which others are at most."""
        found = _counted(loop)
        if found is None:
            return self
        index, lower, upper = found
        uppers = (upper, *minimum_of(upper))
        uppers += tuple(
            limit
            for one in uppers
            if isinstance(one, VarRef)
            for limit in limits.get(one.symbol, ())
        )
        return replace(
            self,
            lowers={**self.lowers, index: lower},
            uppers={**self.uppers, index: tuple(strip_parens(_alike(one)) for one in uppers)},
        )

    def and_also(self, condition: Expr, negate: bool) -> Facts:
        """With a condition, or its negation."""
        more = tuple(
            strip_parens(negated(one) if inverted else one)
            for one, inverted in conjuncts(_alike(condition), negate)
        )
        return replace(self, conditions=(*self.conditions, *more))

    def is_within(self, number: Expr, extent: Expr) -> bool:
        """Is the number from 0 to below `extent`?"""
        return self._is_natural(number, extent) and self._is_below(number, extent)

    def below(self, index: Symbol, limit: Expr) -> int | None:
        """How many turns of the loop over `index` may be from `limit` on, if that is known."""
        found = [less_than(upper, limit) for upper in self.uppers.get(index, ())]
        return min((one for one in found if one is not None), default=None)

    def range_of(self, number: Expr) -> tuple[int, int] | None:
        """The least and the largest value, of constants and indices between constants."""
        known: dict[Symbol, tuple[int, int]] = {}
        for index, lower in self.lowers.items():
            ends = [integer_value(one) for one in self.uppers.get(index, ())]
            last = min((one - 1 for one in ends if one is not None), default=None)
            if last is not None:
                known[index] = (lower, max(last, lower))
        return Ranges(known).range_of(number)

    def _is_natural(self, number: Expr, extent: Expr) -> bool:
        """Is it not below 0?"""
        number = strip_parens(number)
        value = integer_value(number)
        if value is not None:
            return value >= 0
        if less_than(extent, number) == 1:
            return self._is_positive(extent)
        match number:
            case Conditional(condition=condition, if_true=one, if_false=other):
                held = self.and_also(condition, False)._is_natural(one, extent)
                return held and self.and_also(condition, True)._is_natural(other, extent)
            case Call(name="max", arguments=(one, other), is_cuda=True):
                return self._is_natural(one, extent) or self._is_natural(other, extent)
            case Call(name="min", arguments=(one, other), is_cuda=True):
                return self._is_natural(one, extent) and self._is_natural(other, extent)
            case Binary(op="%", left=left):
                return self._is_natural(left, extent)
            case _:
                pass
        least = self._least(number)
        if least is not None:
            return least >= 0
        match number:
            case Binary(op="+", left=left, right=right) if _equal(right, extent):
                least = self._least(strip_parens(left))
                return least is not None and least >= -1 and self._is_positive(extent)
            case _:
                return False

    def _is_below(self, number: Expr, extent: Expr) -> bool:
        number = strip_parens(number)
        value, last = integer_value(number), integer_value(extent)
        if value is not None and last is not None:
            return value < last
        if value is not None and value <= 0:
            return self._is_positive(extent)
        if (less_than(extent, number) or 0) > 0:
            return True
        match number:
            case Conditional(condition=condition, if_true=one, if_false=other):
                held = self.and_also(condition, False)._is_below(one, extent)
                return held and self.and_also(condition, True)._is_below(other, extent)
            case Call(name="max", arguments=(one, other), is_cuda=True):
                return self._is_below(one, extent) and self._is_below(other, extent)
            case Call(name="min", arguments=(one, other), is_cuda=True):
                return self._is_below(one, extent) or self._is_below(other, extent)
            case Binary(op="%", right=right) if _equal(right, extent):
                return True
            case _:
                pass
        room = self._room(number, extent)
        return room is not None and room > 0

    def _is_positive(self, extent: Expr) -> bool:
        """Is an index below it?"""
        value = integer_value(extent)
        if value is not None:
            return value > 0
        rooms = ((one, self._room(VarRef(one), extent)) for one in self.uppers)
        return any(room is not None and room > 0 and self.lowers[one] >= 0 for one, room in rooms)

    def _least(self, number: Expr) -> int | None:
        """The least that a number is: an index and a constant, or one that conditions ask for."""
        least: list[int] = []
        for index, lower in self.lowers.items():
            added = less_than(number, VarRef(index))
            if added is not None:
                least.append(lower + added)
        said = list(self._said(number))
        for op, limit in said:
            value = integer_value(limit)
            if value is not None and op in (">", ">=", "=="):
                least.append(value + (op == ">"))
        known = max(least, default=None)
        differs = (integer_value(limit) == known for op, limit in said if op == "!=")
        return None if known is None else known + any(differs)

    def _room(self, number: Expr, extent: Expr) -> int | None:
        """How much less than the extent a number is at least."""
        rooms: list[int] = []
        for index, uppers in self.uppers.items():
            added = less_than(number, VarRef(index))
            found = (less_than(extent, one) for one in uppers)
            rooms += [1 + one - added for one in found if one is not None and added is not None]
        said = [(op, less_than(extent, limit)) for op, limit in self._said(number)]
        for op, room in said:
            if room is not None and op in ("<", "<=", "=="):
                rooms.append(room + (op == "<"))
        known = max(rooms, default=None)
        return None if known is None else known + any(op == "!=" and r == known for op, r in said)

    def _said(self, number: Expr) -> Iterator[tuple[str, Expr]]:
        """`number op limit`, as conditions say it."""
        for condition in self.conditions:
            match strip_parens(condition):
                case Binary(op=op, left=left, right=right) if op in _MIRRORED:
                    sides = ((left, right, op), (right, left, _MIRRORED[op]))
                case Unary(op="!", operand=left):
                    sides = ((left, _ZERO, "=="),)
                case left:
                    sides = ((left, _ZERO, "!="),)
            for one, other, said in sides:
                added = less_than(one, number) if is_signed(one) and is_signed(other) else None
                if added is not None:
                    limit = strip_parens(other)
                    value = integer_value(limit)
                    if value is not None:
                        yield said, Literal(str(value - added), value - added, INT)
                    else:
                        yield said, limit if added == 0 else _moved(limit, -added)


def _alike(number: Expr) -> Expr:
    """The number, whose members are the same ones wherever the object is a constant."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, Member) and node.type.is_const:
            ctype = replace(node.type, spelling=unqualified(node.type), is_const=False)
            return replace(node, base=_alike(node.base), type=ctype)
        return None

    return rewrite(number, replacement)


def _counted(loop: CountedLoop | For) -> tuple[Symbol, int, Expr] | None:
    """The index of a loop, the constant that it is not below, and what it is below."""
    match loop:
        case CountedLoop(index=index, lower=lower, upper=upper):
            least = _at_least(lower)
        case For(
            initial=Declare(variables=(Variable(symbol=index, initial=lower),)),
            condition=Binary(op="<" | "<=" as op, left=VarRef(symbol=compared), right=upper),
            increment=Unary(op="++", operand=VarRef(symbol=counted)),
        ) if index == compared == counted and lower is not None:
            least = integer_value(lower)
            upper = upper if op == "<" else _moved(upper, 1)
        case For(
            initial=Declare(variables=(Variable(symbol=index, initial=last),)),
            condition=Binary(op=">=", left=VarRef(symbol=compared), right=lower),
            increment=Unary(op="--", operand=VarRef(symbol=counted)),
        ) if index == compared == counted and last is not None:
            least, upper = integer_value(lower), _moved(last, 1)
        case _:
            return None
    return None if least is None else (index, least, upper)


def _at_least(lower: Expr) -> int | None:
    """A constant that it is not below."""
    match lower:
        case Code(parts=(str() as start, *rest)) if start.startswith("std::max"):
            known = [integer_value(one) for one in rest if not isinstance(one, str)]
            return max((one for one in known if one is not None), default=None)
        case _:
            return integer_value(lower)


def constant_of(number: Expr) -> int | None:
    """The value of a sum of constants."""
    number = strip_parens(number)
    value = integer_value(number)
    if value is not None:
        return value
    match number:
        case Binary(op="+" | "-" as op, left=left, right=right):
            one, other = constant_of(left), constant_of(right)
            if one is None or other is None:
                return None
            return one + other if op == "+" else one - other
        case _:
            return None


def _moved(number: Expr, by: int) -> Expr:
    return Binary("+" if by > 0 else "-", number, Literal(str(abs(by)), abs(by), INT), INT)


def _taken_apart(number: Expr) -> tuple[Expr | None, int]:
    """A number as another and a constant."""
    number = strip_parens(number)
    value = integer_value(number)
    if value is not None:
        return None, value
    match number:
        case Cast(operand=inner) if is_signed(number) and is_signed(strip_parens(inner)):
            return _taken_apart(inner)
        case Binary(op="+" | "-" as op, left=left, right=right):
            amount = integer_value(right)
            if amount is not None:
                rest, known = _taken_apart(left)
                return rest, known + (amount if op == "+" else -amount)
            first = integer_value(left)
            if first is not None and op == "+":
                rest, known = _taken_apart(right)
                return rest, known + first
        case _:
            pass
    return number, 0


def less_than(extent: Expr, number: Expr) -> int | None:
    """How much less than the extent a number is that is it but for a constant."""
    one, first = _taken_apart(extent)
    other, second = _taken_apart(number)
    return first - second if one == other else None


def _equal(one: Expr, other: Expr) -> bool:
    return less_than(one, other) == 0


def terms_of(place: Expr, is_uniform: Callable[[Expr], bool]) -> list[Term] | None:
    """The terms of a sum of products, in each of which one factor at most differs in the loop."""
    place = strip_parens(place)
    match place:
        case Cast(operand=inner) if place.type.is_signed and is_signed(strip_parens(inner)):
            return terms_of(inner, is_uniform)
        case Binary(op="+" | "-" as op, left=left, right=right):
            first, second = terms_of(left, is_uniform), terms_of(right, is_uniform)
            if first is None or second is None:
                return None
            if op == "-":
                if any(integer_value(one.number) is None for one in second):
                    return None
                second = [Term(_negative(one.number), one.strides) for one in second]
            return [*first, *second]
        case Binary(op="*", left=left, right=right):
            if is_uniform(left) and not is_uniform(right):
                left, right = right, left
            if not is_uniform(right):
                return None
            inner = terms_of(left, is_uniform)
            strides = _factors(right)
            return (
                None
                if inner is None
                else [Term(one.number, (*one.strides, *strides)) for one in inner]
            )
        case _ if is_uniform(place) and integer_value(place) is None:
            return [Term(_ONE, _factors(place))]
        case _:
            return [Term(place, ())]


def _negative(number: Expr) -> Expr:
    value = integer_value(number)
    assert value is not None
    return Literal(str(-value), -value, INT)


def _factors(number: Expr) -> tuple[Expr, ...]:
    number = strip_parens(number)
    match number:
        case Binary(op="*", left=left, right=right):
            return (*_factors(left), *_factors(right))
        case _:
            return (number,)


def row_of(place: Expr, is_uniform: Callable[[Expr], bool], facts: Facts) -> Row | None:
    """The row that a place is in; None where that is not known."""
    terms = terms_of(_alike(place), is_uniform)
    if terms is None:
        return None
    levels: dict[Strides, Expr] = {Strides(): _ZERO}
    for term in terms:
        key = frozenset(Counter(term.strides).items())
        known = levels.get(key, _ZERO)
        levels[key] = _added(known, term.number)
    ordered = sorted(levels, key=lambda key: sum(count for _, count in key))
    within, size = None, 1
    for inner, outer in zip(ordered, ordered[1:], strict=False):
        extra = Counter(dict(outer)) - Counter(dict(inner))
        alone = extra.total() == 1 and not Counter(dict(inner)) - Counter(dict(outer))
        if not alone:
            return None
        extent = next(iter(extra))
        if facts.is_within(levels[inner], extent):
            continue
        number, within = integer_value(extent), facts.range_of(levels[inner])
        if outer is not ordered[-1] or not number or number < 0 or within is None:
            return None
        size = number
    return Row(levels[ordered[-1]], ordered[-1], within, size)


def _added(one: Expr, other: Expr) -> Expr:
    if integer_value(one) == 0:
        return other
    value = integer_value(other)
    if value is not None and value < 0:
        return Binary("-", one, Literal(str(-value), -value, INT), INT)
    return Binary("+", one, other, INT)
