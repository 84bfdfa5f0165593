"""Which sign a polynomial has, and whether it is ever 0, between the bounds of its names.

    u[(t + 1) * n + i] and u[t * n + j],  0 < i, j < n - 1:   n + i - j  is 3 at least: apart

A counter lies between two numbers that may depend on counters around it and on others, of which the
least is known; a polynomial is least where each counter is at one end of its range. What is not
known to be so is not so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import Final, final

from g2o.polyhedral.polynomial import ZERO, Polynomial

_MOST_STEPS: Final = 12


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """What a counter is not below, and not above; those of greater `depth` depend on it."""

    depth: tuple[int, bool]
    lows: tuple[Polynomial, ...]
    highs: tuple[Polynomial, ...]


@final
@dataclass(slots=True)
class Signs:
    """What is known of names: between which `bounds` counters are, and the `least` of others."""

    bounds: dict[str, Bounds] = field(default_factory=dict[str, Bounds])
    least: dict[str, int] = field(default_factory=dict[str, int])

    def is_above(self, value: Polynomial, bound: int, steps: int = _MOST_STEPS) -> bool:
        """Is it that, at least? Counters are at the end of their ranges at which it is least."""
        counters = [one for one in value.names if one in self.bounds]
        if not counters:
            return self._is_surely(value, bound)
        if not steps or value.is_large:
            return False
        name = max(counters, key=lambda one: (self.bounds[one].depth, one))
        parts = value.by_monomial_in([name])
        factor, rest = parts.pop((name,), ZERO), parts.pop((), ZERO)
        if parts:
            return False
        if self.is_above(factor, 0, steps - 1):
            ends = self.bounds[name].lows
        elif self.is_above(-factor, 0, steps - 1):
            ends = self.bounds[name].highs
        else:
            return False
        return any(self.is_above(rest + factor * end, bound, steps - 1) for end in ends)

    def _is_surely(self, value: Polynomial, bound: int) -> bool:
        """Is it, for all numbers that are not below what is known as their least?"""
        if any(name not in self.least for name in value.names):
            return False
        above = value.substituted(
            {name: Polynomial.name(name).plus(self.least[name]) for name in value.names}
        )
        terms = dict(above.terms)
        return terms.pop((), 0) >= bound and all(factor >= 0 for factor in terms.values())

    def differ(self, difference: Polynomial) -> bool:
        """Is it never 0?"""
        if difference.is_large:
            return False
        rest = dict(difference.terms).get((), 0)
        common = gcd(*(factor for product, factor in difference.terms if product))
        if (common > 1 and rest % common) or (common == 0 and rest):
            return True
        if self.is_above(difference, 1) or self.is_above(-difference, 1):
            return True
        return any(self._differ_in_rows(difference, *one) for one in _rows(difference))

    def _differ_in_rows(self, whole: Polynomial, length: Polynomial, rows: Polynomial) -> bool:
        """Of `length * rows + rest`, where the rest is less than a row: is one of the two never
        0?"""
        rest = whole - length * rows
        if not (self.is_above(length - rest, 1) and self.is_above(length + rest, 1)):
            return False
        return self.differ(rows) or self.differ(rest)

    def note_iterations(self, first: Polynomial, behind: Polynomial) -> None:
        """A loop from `first` to in front of `behind` has an iteration: `n` is 1 at least in
        `i < n`."""
        turns = behind - first
        for product, factor in turns.terms:
            if len(product) != 1 or factor != 1 or product[0] in self.bounds:
                continue
            (name,) = product
            others = Polynomial.name(name) - turns
            least = dict(others.terms).get((), 0)
            if name not in others.names and self.is_above(others, least):
                self.least[name] = max(least + 1, self.least.get(name, least + 1))


def _rows(place: Polynomial) -> Iterator[tuple[Polynomial, Polynomial]]:
    """How it may be `length * rows + rest`: lengths by name, or constant."""
    for name in sorted(place.names):
        parts = place.by_monomial_in([name])
        if set(parts) == {(), (name,)} and parts[name,].value is None:
            yield Polynomial.name(name), parts[name,]
    factors = {abs(factor) for product, factor in place.terms if product} - {1}
    for factor in sorted(factors):  # `7 * j` is in column j of row j, of 6 each
        rows = {product: round(old / factor) for product, old in place.terms if product}
        yield Polynomial.constant(factor), Polynomial.of(rows)
