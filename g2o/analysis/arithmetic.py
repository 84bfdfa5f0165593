"""C++ integer arithmetic on polynomials: what is not polynomial gets a name and a definition.

    x / 4    q with 4q <= x <= 4q + 3 where x >= 0, rounded towards zero elsewhere
    x % 4    x - 4q
    t - 1    of unsigned t: v with v = t - 1, or v = t - 1 + 2**32 where that is negative

Signed overflow is undefined in C++, so it does not happen; sums and products of unsigned values
are taken not to wrap round either, as addresses that wrap would leave every array.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import final

from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.formula import (
    Formula,
    at_least,
    conjunction,
    disjunction,
    equal,
    less,
    names_of,
)
from g2o.polyhedral.polynomial import ZERO, Polynomial
from g2o.polyhedral.space import Space


@final
@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Makes values in one space."""

    space: Space

    def opaque(self, wish: str, key: Hashable, *operands: Polynomial) -> Polynomial:
        """A value that is a function of the operands, about which nothing else is known."""
        name, _ = self.space.derived(wish, key, operands, exact=False)
        return Polynomial.name(name)

    def quotient(self, value: Polynomial, divisor: int) -> Polynomial:
        """`value / divisor` for a positive constant, rounded towards zero."""
        if divisor == 1:
            return value
        if value.value is not None:
            whole = abs(value.value) // divisor
            return Polynomial.constant(whole if value.value >= 0 else -whole)
        divided = _exactly(value, divisor)
        if divided is not None:
            return divided
        name, new = self.space.derived("q", ("/", value, divisor), (value,))
        result = Polynomial.name(name)
        if new:
            not_negative = self.space.is_not_negative(value)
            rest = value - result.scaled(divisor)
            below = conjunction((at_least(rest, ZERO), less(rest, Polynomial.constant(divisor))))
            if not_negative:
                self.space.define(name, below, not_negative=True)
            else:
                above = conjunction(
                    (at_least(-rest, ZERO), less(-rest, Polynomial.constant(divisor)))
                )
                cases = (
                    conjunction((at_least(value, ZERO), below)),
                    conjunction((less(value, ZERO), above)),
                )
                self.space.define(name, disjunction(cases))
        return result

    def floor_quotient(self, value: Polynomial, divisor: int) -> Polynomial:
        """`value >> n` for divisor 2**n, rounded down."""
        if self.space.is_not_negative(value) or divisor == 1:
            return self.quotient(value, divisor)
        name, new = self.space.derived("q", (">>", value, divisor), (value,))
        result = Polynomial.name(name)
        if new:
            rest = value - result.scaled(divisor)
            within = (at_least(rest, ZERO), less(rest, Polynomial.constant(divisor)))
            self.space.define(name, conjunction(within))
        return result

    def remainder(self, value: Polynomial, divisor: int) -> Polynomial:
        return value - self.quotient(value, divisor).scaled(divisor)

    def masked(self, value: Polynomial, mask: int) -> Polynomial | None:
        """`value & mask` where the mask has the lowest bits, or all but these."""
        if mask >= 0 and (mask & (mask + 1)) == 0:
            return value - self.floor_quotient(value, mask + 1).scaled(mask + 1)
        complement = ~mask if mask < 0 else mask ^ 0xFFFFFFFF
        if complement >= 0 and (complement & (complement + 1)) == 0:
            return self.floor_quotient(value, complement + 1).scaled(complement + 1)
        return None

    def extreme(self, one: Polynomial, other: Polynomial, largest: bool) -> Polynomial:
        """`max(one, other)` or `min(one, other)`."""
        if one.value is not None and other.value is not None:
            chosen = (max if largest else min)(one.value, other.value)
            return Polynomial.constant(chosen)
        word = "max" if largest else "min"
        name, new = self.space.derived(word, (word, one, other), (one, other))
        result = Polynomial.name(name)
        if new:
            first = at_least(one, other) if largest else at_least(other, one)
            second = at_least(other, one) if largest else at_least(one, other)
            cases = (
                conjunction((first, equal(result, one))),
                conjunction((second, equal(result, other))),
            )
            known = (self.space.is_not_negative(one), self.space.is_not_negative(other))
            self.space.define(name, disjunction(cases), all(known) or (largest and any(known)))
        return result

    def selected(
        self, if_true: Formula, if_false: Formula, one: Polynomial, other: Polynomial
    ) -> Polynomial:
        """`one` where the first formula may hold, `other` where the second may."""
        if one == other:
            return one
        key = ("?", if_true, if_false, one, other)
        operands = [one, other]
        operands += [Polynomial.name(name) for name in sorted(_names(if_true, if_false))]
        name, new = self.space.derived("v", key, operands)
        result = Polynomial.name(name)
        if new:
            cases = (
                conjunction((if_true, equal(result, one))),
                conjunction((if_false, equal(result, other))),
            )
            not_negative = self.space.is_not_negative(one) and self.space.is_not_negative(other)
            self.space.define(name, disjunction(cases), not_negative)
        return result

    def wrapped(self, value: Polynomial, bits: int) -> Polynomial:
        """`value` as an unsigned number, where it may be negative and is more than -2**bits."""
        if self.space.is_not_negative(value):
            return value
        if value.value is not None:
            return Polynomial.constant(value.value % 2**bits)
        name, new = self.space.derived("v", ("unsigned", value, bits), (value,))
        result = Polynomial.name(name)
        if new:
            cases = (
                conjunction((at_least(value, ZERO), equal(result, value))),
                conjunction((less(value, ZERO), equal(result, value.plus(2**bits)))),
            )
            self.space.define(name, disjunction(cases), not_negative=True)
        return result

    def converted(self, value: Polynomial, source: CType, target: CType) -> Polynomial:
        """The value that a conversion between integer types gives."""
        if target.kind is not TypeKind.INTEGER or source.kind is TypeKind.BOOL:
            return value
        if source.kind is not TypeKind.INTEGER:
            return self.opaque("v", ("cast", value, target.spelling), value)
        if target.bits and source.bits and target.bits < source.bits:
            if value.value is not None and 0 <= value.value < 2 ** (target.bits - 1):
                return value
            if target.bits < 32:
                return self.opaque("v", ("cast", value, target.spelling), value)
            return value  # 64 bits to 32: indices are taken to fit
        if source.is_signed and not target.is_signed:
            return self.wrapped(value, target.bits or 32)
        return value


def _exactly(value: Polynomial, divisor: int) -> Polynomial | None:
    """`value / divisor` where every coefficient is divisible."""
    if any(factor % divisor for _, factor in value.terms):
        return None
    return Polynomial.of({product: factor // divisor for product, factor in value.terms})


def _names(*formulas: Formula) -> frozenset[str]:
    return frozenset(name for formula in formulas for name in names_of(formula))
