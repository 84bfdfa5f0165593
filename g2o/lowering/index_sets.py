"""Where neighbours stop lying beside each other: the edges of an index set.

    i == 0 ? n - 1 : i - 1              beside each other but for the turn 0
    min(max(i + k, 0), n - 1)           between `-k` and `n - 1 - k`
    (i + 1) % n                         while `(i + 1) / n` is the same
    i % n + i / n * m                   the same: beside each other in a row
    i & (stride - 1)                    while the bits behind those of the mask are

A number that a condition on the index chooses, or that is clamped or wrapped around, is the index
and what is added to it, the same for all turns that no edge is between. Turns that are `alone` are
edges themselves; those above and below of others are taken one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, final

from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Literal,
    Paren,
    Unary,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT
from g2o.lowering.guards import conjuncts
from g2o.lowering.index_arithmetic import (
    clamped,
    is_signed,
    next_number,
    previous_number,
    without_index,
)

_ZERO: Final = Literal("0", 0, INT)
_LEAST_TOGETHER: Final = 128
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


_Limit = tuple[Expr, Expr]
"""A number, and what is less than it by the offset behind it."""


@final
@dataclass(frozen=True, slots=True)
class Edges:
    """Turns that are `alone`; those `above` and `below` which others have to be, or be alone as
    well; numbers whose `quotients` by others must not change; numbers with `masks`, whose lowest
    bits must not run over."""

    alone: tuple[Expr, ...] = ()
    above: tuple[_Limit, ...] = ()
    below: tuple[_Limit, ...] = ()
    quotients: tuple[tuple[Expr, Expr], ...] = ()
    masks: tuple[tuple[Expr, Expr], ...] = ()

    def __or__(self, other: Edges) -> Edges:
        return Edges(
            tuple(dict.fromkeys((*self.alone, *other.alone))),
            _farthest((*self.above, *other.above), min),
            _farthest((*self.below, *other.below), max),
            tuple(dict.fromkeys((*self.quotients, *other.quotients))),
            tuple(dict.fromkeys((*self.masks, *other.masks))),
        )

    @property
    def floors(self) -> tuple[Expr, ...]:
        """What others have to be above."""
        return tuple(_less(*one) for one in self.above)

    @property
    def limits(self) -> tuple[Expr, ...]:
        """What others have to be below."""
        return tuple(_less(*one) for one in self.below)

    def __bool__(self) -> bool:
        return bool(self.alone or self.above or self.below or self.quotients or self.masks)


def _farthest(limits: tuple[_Limit, ...], which: Callable[[int, int], int]) -> tuple[_Limit, ...]:
    """Of those that are a constant away from one number, that with the offset `which` is taken."""
    known: dict[Expr, int] = {}
    others: list[_Limit] = []
    for end, offset in limits:
        amount = integer_value(offset)
        if amount is None:
            others.append((end, offset))
        else:
            known[end] = amount if end not in known else which(known[end], amount)
    constant = ((end, Literal(str(amount), amount, INT)) for end, amount in known.items())
    return (*constant, *dict.fromkeys(others))


@final
@dataclass(frozen=True, slots=True)
class Beside:
    """The index and one of the `offsets`, the same for all turns that no edge is between."""

    offsets: tuple[Expr, ...]
    edges: Edges = Edges()

    @property
    def offset(self) -> Expr | None:
        """What is added wherever that is."""
        return self.offsets[0] if len(self.offsets) == 1 else None


@final
@dataclass(frozen=True, slots=True)
class IndexSets:
    """The edges in a loop over `index`; `is_uniform` tells what is alike in all turns."""

    index: Symbol
    is_uniform: Callable[[Expr], bool]
    wraps: bool = True  # are remainders beside each other on both sides of an edge?

    def edges(self, number: Expr) -> Edges | None:
        """Of a number, in which other variables of a turn are spelled out; None where it is not
        known to be the index and something, between edges."""
        found = self._beside(rewrite(number, _as_it_is))
        return None if found is None else found.edges

    def beside(self, number: Expr) -> Beside | None:
        """The same with what is added to the index, if that is known for all turns."""
        found = self._beside(rewrite(number, _as_it_is))
        return found if found is not None and found.offsets else None

    def _beside(self, number: Expr) -> Beside | None:
        number = strip_parens(number)
        if not is_chosen(number):
            offset = without_index(number, self.index)
            known = offset is not None and is_signed(number) and self.is_uniform(offset)
            return Beside((offset,)) if known and offset is not None else None
        match number:
            case Binary(op="+" | "-" as op, left=left, right=right) if _is_sum(number):
                return self._moved(op, left, right)
            case Binary(op="%", left=left, right=divisor) if self._is_divisor(divisor):
                inner = self._beside(left) if _is_int(left) and _is_int(divisor) else None
                return None if inner is None else self._wrapped(inner, left, divisor)
            case Binary(op="&", left=left, right=mask) if self.wraps and _is_int(left):
                if not (_is_int(mask) and self._is_divisor(mask)):
                    return None
                inner = self._beside(left)
                return (
                    None
                    if inner is None
                    else Beside((), inner.edges | Edges(masks=((left, mask),)))
                )
            case Conditional(condition=condition, if_true=one, if_false=other):
                return self._chosen(condition, one, other)
            case Call(name="min" | "max" as name, arguments=(one, other)) if number.is_cuda:
                if self.is_uniform(one):
                    one, other = other, one
                return self._clamped(name, one, other)
            case _:
                return None

    def same(self, number: Expr) -> Edges | None:
        """The edges between which a number is the same: that of a row, `i / width`. None where that
        is not known."""
        bare = strip_parens(number)
        if self.is_uniform(bare):
            return Edges()
        match bare:
            case Binary(op="/", left=left, right=divisor) if _is_int(left) and _is_int(divisor):
                inner = self._beside(left) if self.wraps and self._is_divisor(divisor) else None
                return None if inner is None else inner.edges | Edges(quotients=((left, divisor),))
            case Binary(op="+" | "-" | "*", left=left, right=right) if _is_int(bare):
                first, second = self.same(left), self.same(right)
                return None if first is None or second is None else first | second
            case _:
                return None

    def _is_divisor(self, divisor: Expr) -> bool:
        """Is it alike in all turns, and no small number that compilers know?"""
        value = integer_value(divisor)
        return self.is_uniform(divisor) and (value is None or value >= _LEAST_TOGETHER)

    def _moved(self, op: str, left: Expr, right: Expr) -> Beside | None:
        if op == "+" and self.is_uniform(left):
            left, right = right, left
        inner = self._beside(left)
        if inner is None and op == "+":
            left, right = right, left
            inner = self._beside(left)
        if inner is None:
            return None
        if not self.is_uniform(right):
            row = self.same(right)
            return None if row is None else Beside((), inner.edges | row)
        moved = tuple(
            right if integer_value(one) == 0 and op == "+" else Binary(op, one, right, INT)
            for one in inner.offsets
        )
        return Beside(moved, inner.edges)

    def _wrapped(self, inner: Beside, number: Expr, divisor: Expr) -> Beside | None:
        """A remainder, or where that is the number itself but for a multiple of the divisor."""
        if self.wraps:
            return Beside((), inner.edges | Edges(quotients=((number, divisor),)))
        offset = None if inner.offset is None else _without(inner.offset, divisor)
        if offset is None:
            return None
        own = self._at_least(offset, _ZERO) | Edges(below=((divisor, offset),))
        return Beside((offset,), inner.edges | own)

    def _clamped(self, name: str, number: Expr, end: Expr) -> Beside | None:
        inner = self._beside(number)
        if inner is None or inner.offset is None or not _is_int(end) or not self.is_uniform(end):
            return None
        own = (
            self._at_least(inner.offset, end) if name == "max" else self._at_most(inner.offset, end)
        )
        return Beside(inner.offsets, inner.edges | own)

    def _chosen(self, condition: Expr, one: Expr, other: Expr) -> Beside | None:
        """A number beside each other on both sides of the condition, or on one of them, which is
        then that of most turns."""
        if self.is_uniform(condition):
            return None
        first, second = self._beside(one), self._beside(other)
        if first is not None and second is not None:
            edges = self.changes(condition)
            both = tuple(dict.fromkeys((*first.offsets, *second.offsets)))
            both = both if first.offsets and second.offsets else ()
            known = first.edges | second.edges
            return None if edges is None else Beside(both, known | edges)
        if first is None:
            rest = self._where(condition, True) if self.is_uniform(one) else None
        else:
            rest = self._where(condition, False) if self.is_uniform(other) else None
        inner = second if first is None else first
        return None if inner is None or rest is None else Beside(inner.offsets, inner.edges | rest)

    def changes(self, condition: Expr) -> Edges | None:
        """The turns at which a condition may become another; None where that is not known."""
        found = Edges()
        for atom in _atoms(condition):
            if self.is_uniform(atom):
                continue
            compared = self._compared(atom)
            if compared is None:
                return None
            _, offset, end = compared
            found |= Edges(alone=(_equal(end, offset),))
        return found

    def _where(self, condition: Expr, negate: bool) -> Edges | None:
        """The edges of those turns for which the condition (its negation) does not hold."""
        found = Edges()
        for conjunct, inverted in conjuncts(condition, negate):
            atom = strip_parens(negated(conjunct) if inverted else conjunct)
            compared = self._compared(atom)
            if compared is None:
                return None
            op, offset, end = compared
            match op:
                case "!=":
                    found |= Edges(alone=(_equal(end, offset),))
                case ">":
                    found |= Edges(above=((end, offset),))
                case ">=":
                    found |= self._at_least(offset, end)
                case "<":
                    found |= Edges(below=((end, offset),))
                case "<=":
                    found |= self._at_most(offset, end)
                case _:
                    return None
        return found

    def _compared(self, atom: Expr) -> tuple[str, Expr, Expr] | None:
        """The operator, what is added to the index, and what the sum is compared with."""
        atom = strip_parens(atom)
        match atom:
            case Binary(op=op, left=left, right=right) if op in _MIRRORED:
                if self.is_uniform(left):
                    left, right, op = right, left, _MIRRORED[op]
            case Unary(op="!", operand=left) if _is_int(left):
                right, op = _ZERO, "=="
            case _ if _is_int(atom):
                left, right, op = atom, _ZERO, "!="
            case _:
                return None
        inner = None if is_chosen(left) else self._beside(left)
        if inner is None or inner.offset is None or not self.is_uniform(right):
            return None
        return (op, inner.offset, strip_parens(right)) if _is_int(right) else None

    def _at_least(self, offset: Expr, end: Expr) -> Edges:
        """The index and `offset` is not below `end`, for all but perhaps one of these turns."""
        return Edges(above=((end, _one_more(offset, 1)),))

    def _at_most(self, offset: Expr, end: Expr) -> Edges:
        """The index and `offset` is not above `end`, for all but perhaps one of these turns."""
        if integer_value(offset) != 0:
            return Edges(below=((end, _one_more(offset, -1)),))
        match strip_parens(end):
            case Binary(op="-", right=right) as last if (integer_value(right) or 0) > 0:
                return Edges(below=((next_number(last), _ZERO),))
            case _:
                return Edges(below=((end, _ZERO),))


def _as_it_is(node: Node) -> Node | None:
    """What is converted to `int` and is one."""
    match node:
        case Cast(operand=inner) if is_signed(node) and is_signed(strip_parens(inner)):
            return rewrite(Paren(inner, INT), _as_it_is)
        case _:
            return None


def is_chosen(number: Expr) -> bool:
    """Is one of several numbers in it, or one that is wrapped around?"""
    return any(is_choice(node) for node in walk(number))


def is_choice(node: Node) -> bool:
    """Is it one of several numbers?"""
    match node:
        case Conditional():
            return True
        case Call(name="min" | "max"):
            return True
        case Binary(op="%" | "&"):
            return True
        case _:
            return False


def _is_sum(number: Expr) -> bool:
    """Is it added up in `int`?"""
    match number:
        case Binary(op="+" | "-", left=left, right=right):
            return _is_int(left) and _is_int(right)
        case _:
            return False


def _is_int(number: Expr) -> bool:
    return is_signed(strip_parens(number))


def _atoms(condition: Expr) -> Iterator[Expr]:
    bare = strip_parens(condition)
    match bare:
        case Binary(op="&&" | "||", left=left, right=right):
            yield from _atoms(left)
            yield from _atoms(right)
        case Unary(op="!", operand=operand):
            yield from _atoms(operand)
        case _:
            yield bare


def _without(number: Expr, divisor: Expr) -> Expr | None:
    """The constant that a sum with the divisor is, without that."""
    number = strip_parens(number)
    value = integer_value(number)
    if value is not None:
        return number
    match number:
        case Binary(op="+", left=left, right=right) if strip_parens(right) == divisor:
            return _without(left, divisor)
        case Binary(op="+", left=left, right=right) if strip_parens(left) == divisor:
            return _without(right, divisor)
        case Binary(op="+" | "-" as op, left=left, right=right):
            amount, rest = integer_value(right), _without(left, divisor)
            known = None if rest is None else integer_value(rest)
            if amount is None or known is None:
                return None
            total = known + amount if op == "+" else known - amount
            return Literal(str(total), total, INT)
        case _ if number == divisor:
            return _ZERO
        case _:
            return None


def _one_more(offset: Expr, by: int) -> Expr:
    """`offset + by` of a constant; any other is left as it is, which asks for one turn more or less
    than is so."""
    value = integer_value(offset)
    return offset if value is None else Literal(str(value + by), value + by, INT)


def _equal(end: Expr, offset: Expr) -> Expr:
    """`end - offset`, where no turn is as far as where that wraps around."""
    match integer_value(offset):
        case 1 if integer_value(end) is None:
            return previous_number(end)
        case -1 if integer_value(end) is None:
            return next_number(end)
        case _:
            return _less(end, offset)


def _less(end: Expr, offset: Expr) -> Expr:
    """`end - offset`, or the number next to it that an `int` holds."""
    amount, value = integer_value(offset), integer_value(end)
    if amount is not None and value is not None and abs(value) + abs(amount) < 2**30:
        return Literal(str(value - amount), value - amount, INT)
    return clamped(end, offset)
