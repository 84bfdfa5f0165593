"""Polynomials with integer coefficients over named integers: how the model holds index values.

    (2 * t + 1) * offset - 1   is   2*offset*t + offset - 1

Affine ones go to isl as they are. Products are kept apart by their monomials, so that parametric
strides can be taken apart again (`strides.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, final

Monomial = tuple[str, ...]
"""The names of a product in alphabetical order; empty for the constant."""

_MOST_TERMS = 64


@final
@dataclass(frozen=True, slots=True)
class Polynomial:
    """`sum of coefficient * product of names`; no term has coefficient 0."""

    terms: tuple[tuple[Monomial, int], ...] = ()

    @staticmethod
    def of(terms: Mapping[Monomial, int]) -> Polynomial:
        kept = {product: factor for product, factor in terms.items() if factor != 0}
        return Polynomial(tuple(sorted(kept.items())))

    @staticmethod
    def constant(value: int) -> Polynomial:
        return Polynomial.of({(): value})

    @staticmethod
    def name(name: str) -> Polynomial:
        return Polynomial((((name,), 1),))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for product, _ in self.terms for name in product)

    @property
    def value(self) -> int | None:
        """The value of a constant; None where names occur."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and self.terms[0][0] == ():
            return self.terms[0][1]
        return None

    @property
    def is_affine(self) -> bool:
        return all(len(product) <= 1 for product, _ in self.terms)

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for product, factor in other.terms:
            terms[product] = terms.get(product, 0) + factor
        return Polynomial.of(terms)

    def __neg__(self) -> Polynomial:
        return self.scaled(-1)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + (-other)

    def __mul__(self, other: Polynomial) -> Polynomial:
        terms: dict[Monomial, int] = {}
        for one, factor in self.terms:
            for two, second in other.terms:
                product = tuple(sorted((*one, *two)))
                terms[product] = terms.get(product, 0) + factor * second
        return Polynomial.of(terms)

    def scaled(self, factor: int) -> Polynomial:
        return Polynomial.of({product: factor * old for product, old in self.terms})

    def over(self, factor: int) -> Polynomial:
        """The polynomial divided by a common factor of its coefficients."""
        return Polynomial.of({product: old // factor for product, old in self.terms})

    def plus(self, value: int) -> Polynomial:
        return self + Polynomial.constant(value)

    def renamed(self, names: Mapping[str, str]) -> Polynomial:
        if not any(name in names for name in self.names):
            return self
        terms: dict[Monomial, int] = {}
        for product, factor in self.terms:
            new = tuple(sorted(names.get(name, name) for name in product))
            terms[new] = terms.get(new, 0) + factor
        return Polynomial.of(terms)

    def substituted(self, values: Mapping[str, Polynomial]) -> Polynomial:
        """The polynomial with names replaced by what they stand for."""
        if not any(name in values for name in self.names):
            return self
        total = ZERO
        for product, factor in self.terms:
            term = Polynomial.constant(factor)
            for name in product:
                term = term * values.get(name, Polynomial.name(name))
            total = total + term
        return total

    @property
    def is_large(self) -> bool:
        """Too large to be worth keeping."""
        return len(self.terms) > _MOST_TERMS

    def by_monomial_in(self, names: Iterable[str]) -> dict[Monomial, Polynomial]:
        """The polynomial as `sum of monomial * rest`, the monomials over `names` only."""
        chosen = frozenset(names)
        parts: dict[Monomial, dict[Monomial, int]] = {}
        for product, factor in self.terms:
            outer = tuple(name for name in product if name in chosen)
            inner = tuple(name for name in product if name not in chosen)
            parts.setdefault(outer, {})[inner] = factor
        return {outer: Polynomial.of(inner) for outer, inner in parts.items()}

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        shown = [_term(product, factor) for product, factor in reversed(self.terms)]
        return " + ".join(shown).replace("+ -", "- ")


def _term(product: Monomial, factor: int) -> str:
    if not product:
        return str(factor)
    spelled = " * ".join(product)
    if factor == 1:
        return spelled
    return f"-{spelled}" if factor == -1 else f"{factor} * {spelled}"


ZERO: Final = Polynomial()
ONE: Final = Polynomial.constant(1)
