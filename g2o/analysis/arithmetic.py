"""C++ integer arithmetic on polynomials: what is not polynomial gets a name and a definition.

    x / 4    q with 4q <= x <= 4q + 3 where x >= 0, rounded towards zero elsewhere
    x % 4    x - 4q
    x % n    r with x = n*q + r, |r| < |n|, of the sign of x
    t - 1    of unsigned t: v with v = t - 1, or v = t - 1 + 2**32 where that is negative

Signed overflow is undefined in C++, so it does not happen. Sums and products of unsigned values
that the launch says are taken not to wrap round upwards, nor are products with parameters in places
of global memory (`row * width + column`), as addresses that do would leave every array; what
hashing is made of (large factors, multiples of what was loaded) is not taken to be an address. What
is loaded, or handed to the kernel, may be a negative number (`offset[k]` is -1u), or one that a sum
passes the end with (`if (a[t] + b[t] < a[t])`):

    x + t    of such an x, in a comparison or as an index: x + t - 2**32 * w, below 2**32
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, field
from typing import Final, final

from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.formula import (
    FALSE,
    Formula,
    at_least,
    conjunction,
    different,
    disjunction,
    equal,
    less,
    names_of,
    negation,
)
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial
from g2o.polyhedral.space import Space

_LARGE_FACTOR: Final = 2**20
"""Factors of indices are strides, and these are smaller; those of hash functions are larger."""


@final
@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Makes values in one space. `originals` are the numbers of bits, and the values before they
    wrapped round, of names that stand for unsigned values; `divided_by` are the dividends and the
    divisors of quotients and remainders, `chosen` what names were selected from, and where."""

    space: Space
    originals: dict[str, tuple[int, Polynomial]] = field(
        default_factory=dict[str, tuple[int, Polynomial]]
    )
    divided_by: dict[str, tuple[Polynomial, Polynomial]] = field(
        default_factory=dict[str, tuple[Polynomial, Polynomial]]
    )
    chosen: dict[str, tuple[Formula, Formula, Polynomial, Polynomial]] = field(
        default_factory=dict[str, tuple[Formula, Formula, Polynomial, Polynomial]]
    )

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

    def divided(self, value: Polynomial, divisor: Polynomial) -> tuple[Polynomial, Polynomial]:
        """`value / divisor` and `value % divisor` for a divisor that is not a constant.

        The remainder has a name of its own beside the quotient: an index that is made of both, say
        `(i / n) * m + i % n`, keeps the form that tells rows apart.
        """
        operands = (value, divisor)
        quotient, new = self.space.derived("q", ("/", *operands), operands, exact=False)
        remainder, _ = self.space.derived("r", ("%", *operands), operands, exact=False)
        self.divided_by[quotient] = self.divided_by[remainder] = operands
        whole, rest = Polynomial.name(quotient), Polynomial.name(remainder)
        if new:
            not_negative = self.space.is_not_negative(value)
            cases = [
                conjunction(
                    (
                        at_least(divisor.scaled(sign), ONE),
                        at_least(value, ZERO) if side == 1 else less(value, ZERO),
                        at_least(rest.scaled(side), ZERO),
                        less(rest.scaled(side), divisor.scaled(sign)),
                        at_least(whole.scaled(sign * side), ZERO),
                    )
                )
                for sign in (1, -1)
                for side in ((1,) if not_negative else (1, -1))
            ]
            exactly = equal(value, divisor * whole + rest)
            self.space.define(remainder, conjunction((exactly, disjunction(cases))), not_negative)
            self.space.define(quotient, exactly)
            self.space.quotients[quotient] = divisor
        return whole, rest

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
        """`one` where the first formula holds, `other` where the second does: one of the two."""
        if one == other or if_false == FALSE:
            return one
        if if_true == FALSE:
            return other
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
            self.chosen[name] = if_true, if_false, one, other
        return result

    def condition_of(self, value: Polynomial) -> tuple[Formula, Formula] | None:
        """Where a number that one of two was selected for is not 0, and where it is; None for
        others."""
        match self.chosen.get(next(iter(value.names), "")):
            case (if_true, if_false, one, other) if (
                len(value.names) == 1
                and value == Polynomial.name(next(iter(value.names)))
                and negation(if_true) == if_false
            ):
                if one.value and other == ZERO:
                    return if_true, if_false
                if other.value and one == ZERO:
                    return if_false, if_true
            case _:
                pass
        return None

    def wrapped(self, value: Polynomial, bits: int) -> Polynomial:
        """`value` as an unsigned number, where it may be negative and is more than -2**bits."""
        if self.space.is_not_negative(value):
            return value
        if value.value is not None:
            return Polynomial.constant(value.value % 2**bits)
        name, new = self.space.derived("v", ("unsigned", value, bits), (value,))
        result = Polynomial.name(name)
        if new:
            self.originals[name] = bits, value
            cases = (
                conjunction((at_least(value, ZERO), equal(result, value))),
                conjunction((less(value, ZERO), equal(result, value.plus(2**bits)))),
            )
            self.space.define(name, disjunction(cases), not_negative=True)
        return result

    def unwrapped(self, value: Polynomial, bits: int) -> Polynomial:
        """A value that is the same modulo 2**bits, as if it had not wrapped round before."""
        before = {
            name: original
            for name in value.names
            if name in self.originals
            for known, original in (self.originals[name],)
            if known >= bits
        }
        return self.unwrapped(value.substituted(before), bits) if before else value

    def unsigned(self, value: Polynomial, bits: int) -> Polynomial:
        """The value of an unsigned expression that gives `value` modulo 2**bits."""
        bits = bits or 32
        value = self.unwrapped(value, bits)
        shift = sum(factor for product, factor in value.terms if not product)
        if shift >= 2 ** (bits - 1) and value.value is None:
            value = value.plus(-(2**bits))  # t + 4294967295
        limit = _LARGE_FACTOR ** (bits // 32)
        if any(product and abs(factor) >= limit for product, factor in value.terms):
            return self.opaque("v", ("hashed", value, bits), value)
        return self.wrapped(value, bits)

    def settled(
        self, value: Polynomial, bits: int, given: Collection[str] = frozenset()
    ) -> Polynomial:
        """An unsigned value that is the same modulo 2**bits, as it is compared, or an index: what
        is loaded may have made it wrap round, and so may the names `given`."""
        before = self.unwrapped(value, bits)
        wraps = any(name in given or self._is_loaded(name) for name in before.names)
        if _is_name(before) or not wraps:
            return value
        return self._held(before, bits, is_signed=False)

    def _held(self, value: Polynomial, bits: int, *, is_signed: bool) -> Polynomial:
        """The number of so many bits that is the same modulo 2**bits."""
        key = ("wraps", value, bits, is_signed)
        name, new = self.space.derived("w", key, (value,), exact=False)
        result = value - Polynomial.name(name).scaled(2**bits)
        if new:
            least = -(2 ** (bits - 1)) if is_signed else 0
            above = Polynomial.constant(least + 2**bits)
            within = (at_least(result, Polynomial.constant(least)), less(result, above))
            self.space.define(name, conjunction(within))
        return result

    def _is_loaded(self, name: str) -> bool:
        """Is it a value from memory, or something unknown?"""
        operands = self.divided_by.get(name)
        if operands is not None:
            return any(map(self._is_loaded, operands[0].names | operands[1].names))
        return not self.space.infos[name].exact

    def is_hashed(self, value: Polynomial) -> bool:
        """Is the value computed from loaded ones in a way that addresses are not? Then it may have
        wrapped round."""
        varied = [(product, factor) for product, factor in value.terms if product]
        loaded = [
            (product, factor)
            for product, factor in varied
            if not all(self.space.infos[name].exact for name in product)
        ]
        return any(len(product) > 1 or factor != 1 for product, factor in loaded) or (
            bool(loaded) and len(varied) > 1
        )

    def is_shifted(self, value: Polynomial) -> bool:
        """Has the value lost its upper bits? `x << 24 >> 24`."""
        return any(product and abs(factor) >= 2**16 for product, factor in value.terms)

    def converted(self, value: Polynomial, source: CType, target: CType) -> Polynomial:
        """The value that a conversion between integer types gives."""
        if target.kind is TypeKind.BOOL and source.kind is TypeKind.INTEGER:
            return self.selected(different(value, ZERO), equal(value, ZERO), ONE, ZERO)
        if source.kind is TypeKind.INTEGER and target.kind is TypeKind.DEPENDENT:
            if value == self.unwrapped(value, source.bits):
                return value
            return self.opaque("v", ("cast", value, target.spelling), value)
        if target.kind is not TypeKind.INTEGER or source.kind is TypeKind.BOOL:
            return value
        if source.kind is not TypeKind.INTEGER:
            return self.opaque("v", ("cast", value, target.spelling), value)
        if target.bits and source.bits and target.bits < source.bits:
            if value.value is not None and 0 <= value.value < 2 ** (target.bits - 1):
                return value
            if target.bits < 32:
                return self.opaque("v", ("cast", value, target.spelling), value)
            # 64 bits to 32: indices are taken to fit, unless they are loaded
        bits = target.bits or 32
        before = self.unwrapped(value, bits)
        loses_sign = target.is_signed and not source.is_signed and bits <= (source.bits or 32)
        if bits < source.bits or loses_sign:
            if any(map(self._is_loaded, before.names)):
                return self._held(before, bits, is_signed=target.is_signed)
        if not target.is_signed:
            wraps = source.is_signed or target.bits < source.bits
            return self.unsigned(value, target.bits) if wraps else value
        return self.unwrapped(value, target.bits) if target.bits <= source.bits else value


def _exactly(value: Polynomial, divisor: int) -> Polynomial | None:
    """`value / divisor` where every coefficient is divisible."""
    if any(factor % divisor for _, factor in value.terms):
        return None
    return value.over(divisor)


def _is_name(value: Polynomial) -> bool:
    return any(value == Polynomial.name(name) for name in value.names)


def _names(*formulas: Formula) -> frozenset[str]:
    return frozenset(name for formula in formulas for name in names_of(formula))
