"""Numbers that are taken apart into digits: positions in an image, channels, batches.

    int x = i % width;                    the digit of `width`: (0, width)
    int y = i / width % height;           (width, height)
    int c = i / (width * height);         (width * height, all that is left)

A number that is not negative and divided by positive ones has the digits of a mixed radix (Knuth,
"The Art of Computer Programming", 4.1); the same digit can be asked for in many spellings:
`i - i / width * width`, or `rest / width` where `rest` is `i % (width * height)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import final

from g2o.ir.expressions import (
    Binary,
    Cast,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind

Factors = tuple[Expr, ...]
"""A product, its factors in no order."""


@final
@dataclass(frozen=True, slots=True)
class Digit:
    """`number / low % high`; `high` is None for all that is left."""

    low: Factors = ()
    high: Factors | None = None


@final
@dataclass(frozen=True, slots=True)
class Digits:
    """The digits of `number` in a piece of code. `values` are variables that keep the value of
    their declaration there."""

    number: Symbol
    values: Mapping[Symbol, Expr]

    def of(self, expr: Expr) -> Digit | None:
        """The digit that an expression is; None if it is something else."""
        match strip_parens(expr):
            case VarRef(symbol=symbol) if symbol == self.number:
                return Digit()
            case VarRef(symbol=symbol) if symbol in self.values and self._holds(symbol.type):
                return self.of(self.values[symbol])
            case Cast(operand=inner, type=ctype) if self._holds(ctype):
                return self.of(inner)
            case Binary(type=ctype) if ctype.kind is not TypeKind.INTEGER:
                return None
            case Binary(op="/" | "%" as op, left=left, right=right):
                digit = self.of(left)
                if digit is None:
                    return None
                by = self.factors(right)
                return _quotient(digit, by) if op == "/" else _remainder(digit, by)
            case Binary(op="-", left=left, right=right):
                return self._without_quotient(left, right)
            case _:
                return None

    def told_by(self, numbers: Sequence[Expr]) -> bool:
        """Are the numbers, each a digit, all digits that there are?"""
        found = [self.of(one) for one in numbers]
        digits = [one for one in found if one is not None]
        return self._are_all(digits, None in found)

    def _are_all(self, digits: list[Digit], others: bool = False) -> bool:
        """Are they all digits that there are? With `others` beside them, there may be more."""
        below: Factors = ()
        while digits:
            lowest = next((one for one in digits if Counter(one.low) == Counter(below)), None)
            if lowest is None:
                return False
            if lowest.high is None:
                return len(digits) == 1 and not others
            digits.remove(lowest)
            below = (*lowest.low, *lowest.high)
        return False

    def spells(self, expr: Expr) -> bool:
        """Is it the number again, each digit times what it counts: `(i / w % h) * w + ...`?"""
        terms = self._terms(expr)
        if terms is None or not all(Counter(one.low) == Counter(by) for one, by in terms):
            return False
        return self._are_all([one for one, _ in terms])

    def _terms(self, expr: Expr) -> list[tuple[Digit, Factors]] | None:
        """The sum of digits, each times a product, that an expression is."""
        digit = self.of(expr)
        if digit is not None:
            return [(digit, ())]
        match strip_parens(expr):
            case Binary(type=ctype) if not self._holds(ctype):
                return None
            case VarRef(symbol=symbol) if symbol in self.values and self._holds(symbol.type):
                return self._terms(self.values[symbol])
            case Cast(operand=inner, type=ctype) if self._holds(ctype):
                return self._terms(inner)
            case Binary(op="+", left=left, right=right):
                first, second = self._terms(left), self._terms(right)
                return None if first is None or second is None else first + second
            case Binary(op="*", left=left, right=right):
                for one, other in ((left, right), (right, left)):
                    found = self._terms(one)
                    if found is not None:
                        by = self.factors(other)
                        return [(digit, (*factors, *by)) for digit, factors in found]
                return None
            case _:
                return None

    def within(self, expr: Expr) -> list[Digit]:
        """The digits that a place or an index is computed from; not what memory holds there."""
        found: list[Digit] = []

        def visit(node: Expr, is_place: bool = False) -> None:
            digit = self.of(node)
            if digit is not None:
                found.append(digit)
                return
            match node:
                case VarRef(symbol=symbol) if symbol in self.values and self._keeps(symbol.type):
                    visit(self.values[symbol])
                case Cast(operand=inner, type=ctype) if self._keeps(ctype):
                    visit(inner)
                case Paren(inner=inner):
                    visit(inner, is_place)
                case Unary(op="&" | "*" | "-" as op, operand=inner):
                    visit(inner, op == "&")
                case Member(base=base, arrow=False):
                    visit(base, is_place)
                case Binary(op="+" | "-" | "*", left=left, right=right):
                    visit(left)
                    visit(right)
                case Index(base=base, index=index) if is_place:
                    visit(base, base.type.kind is not TypeKind.POINTER)
                    visit(index)
                case _:
                    pass

        visit(expr, is_place=True)
        return found

    def factors(self, expr: Expr) -> Factors:
        """What a divisor is the product of. Products without a sign wrap around, and stay whole."""
        match strip_parens(expr):
            case Binary(op="*", left=left, right=right, type=ctype) if ctype.is_signed:
                return (*self.factors(left), *self.factors(right))
            case VarRef(symbol=symbol) if symbol in self.values:
                known = self.factors(self.values[symbol])
                return known if len(known) > 1 else (strip_parens(expr),)
            case bare:
                return (bare,)

    def _holds(self, ctype: CType) -> bool:
        return ctype.kind is TypeKind.INTEGER and ctype.bits >= self.number.type.bits > 0

    def _keeps(self, ctype: CType) -> bool:
        return ctype.kind is TypeKind.POINTER or self._holds(ctype)

    def _without_quotient(self, left: Expr, right: Expr) -> Digit | None:
        """`x - x / n * n` is `x % n`."""
        digit = self.of(left)
        match strip_parens(right):
            case Binary(op="*", left=one, right=other):
                pass
            case _:
                return None
        for quotient, by in ((one, other), (other, one)):
            found = self.of(quotient)
            factors = self.factors(by)
            if digit is not None and found is not None and _same(found, _quotient(digit, factors)):
                return _remainder(digit, factors)
        return None


def product_of(factors: Factors) -> Expr:
    """The product, which is not empty."""

    def times(left: Expr, right: Expr) -> Expr:
        return Binary("*", _operand(left), _operand(right), left.type)

    return reduce(times, factors)


def _operand(expr: Expr) -> Expr:
    is_product = isinstance(expr, Binary) and expr.op == "*"
    plain = isinstance(expr, VarRef | Literal) or is_product
    return expr if plain or not isinstance(expr, Binary) else Paren(expr, expr.type)


def without(factors: Factors, some: Factors) -> Factors | None:
    """The product divided by another; None where that leaves a remainder."""
    rest = list(factors)
    for one in some:
        if one not in rest:
            return None
        rest.remove(one)
    return tuple(rest)


def _quotient(digit: Digit, by: Factors) -> Digit | None:
    low = (*digit.low, *by)
    if digit.high is None:
        return Digit(low)
    high = without(digit.high, by)
    return Digit(low, high) if high else None


def _remainder(digit: Digit, by: Factors) -> Digit | None:
    if digit.high is None or without(digit.high, by) is not None:
        return Digit(digit.low, by)
    return None


def _same(one: Digit, other: Digit | None) -> bool:
    if other is None or (one.high is None) != (other.high is None):
        return False
    lows = Counter(one.low) == Counter(other.low)
    return lows and Counter(one.high or ()) == Counter(other.high or ())
