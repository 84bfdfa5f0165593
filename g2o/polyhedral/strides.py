"""When two index values are equal, also where strides are parameters.

    a[row * n + col]   and   a[row' * n + col']   with 0 <= col, col' < n

meet only where row = row' and col = col': what is left of the stride n is smaller than it.
The same with a factor: `a[(row * n + col) * 9 + q]` with 0 <= q < 9 has the stride 9 * n.
(Maslov, "Delinearization: an efficient way to break multiloop dependence equations", PLDI 1992.)
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from g2o.polyhedral.cases import excludes
from g2o.polyhedral.formula import (
    TRUE,
    And,
    Atom,
    Formula,
    Relation,
    at_least,
    conjunction,
    conjuncts,
    disjunction,
    equal,
    less,
)
from g2o.polyhedral.polynomial import ONE, ZERO, Monomial, Polynomial
from g2o.polyhedral.solver import Solver


def vanishes(
    difference: Polynomial, uniform: frozenset[str], context: Formula, solver: Solver
) -> Formula:
    """A formula that holds wherever the difference is zero, as narrow as can be proved.

    `uniform` are the names that may be strides, `context` is what is known.
    """
    if difference.is_affine:
        return equal(difference, ZERO)
    for stride in _strides(difference, uniform):
        quotient, rest = _divided(difference, stride)
        if rest == ZERO:
            inner = vanishes(quotient, uniform, context, solver)
            return disjunction((equal(Polynomial.name(stride), ZERO), inner))
        factor = gcd(*(factor for _, factor in quotient.terms))
        if _smaller(rest, Polynomial.name(stride).scaled(factor), context, solver):
            parts = (quotient.over(factor), rest)
            return conjunction(vanishes(part, uniform, context, solver) for part in parts)
    return equal(difference, ZERO)


def ordered_products(one: str, other: str, factor: Polynomial) -> Formula:
    """What isl does not know of `factor * one` and `factor * other`, which are names to it: they
    are in the order of the names for a positive factor, in the reverse order for a negative one,
    and differ by the factor at least."""
    first, second = Polynomial.name(one), Polynomial.name(other)
    growing = at_least((second - first) * factor, factor)
    falling = at_least((first - second) * factor, factor)
    shrinking = at_least(factor, (second - first) * factor)
    rising = at_least(factor, (first - second) * factor)
    positive, negative = at_least(factor, ONE), less(factor, ZERO)
    equals = conjunction((equal(first, second), *_same_products(one, other, factor)))
    up, down = less(first, second), less(second, first)
    return disjunction(
        (
            equal(factor, ZERO),
            conjunction(
                (positive, disjunction((equals, And((up, growing)), And((down, falling)))))
            ),
            conjunction(
                (negative, disjunction((equals, And((up, shrinking)), And((down, rising)))))
            ),
        )
    )


def cofactors(factor: Polynomial, products: Iterable[Monomial]) -> set[str]:
    """The names that occur in a product with a factor that is a name itself."""
    pairs = [product for product in products if len(product) == 2]
    return {
        pair[1 - position]
        for pair in pairs
        for position in (0, 1)
        if factor == Polynomial.name(pair[position])
    }


def _same_products(one: str, other: str, factor: Polynomial) -> list[Formula]:
    """Every product of the factor for itself: they are names of their own."""
    parts = [Polynomial.of({product: 1}) for product, _ in factor.terms if product]
    return [equal(Polynomial.name(one) * part, Polynomial.name(other) * part) for part in parts]


def _strides(difference: Polynomial, uniform: frozenset[str]) -> list[str]:
    """Names in products: first those that divide every one."""
    products = [frozenset(product) & uniform for product, _ in difference.terms if len(product) > 1]
    times = {name: sum(name in one for one in products) for one in products for name in one}
    return sorted(times, key=lambda name: (-times[name], name))


def _divided(value: Polynomial, by: str) -> tuple[Polynomial, Polynomial]:
    quotient: dict[tuple[str, ...], int] = {}
    rest: dict[tuple[str, ...], int] = {}
    for product, factor in value.terms:
        if by in product:
            position = product.index(by)
            quotient[product[:position] + product[position + 1 :]] = factor
        else:
            rest[product] = factor
    return Polynomial.of(quotient), Polynomial.of(rest)


def _smaller(rest: Polynomial, stride: Polynomial, context: Formula, solver: Solver) -> bool:
    """Is |rest| < |stride| everywhere?"""
    positive, negative = at_least(stride, ONE), less(stride, ONE)
    outside = disjunction(
        (
            *(conjunction((positive, at_least(one, stride))) for one in (rest, -rest)),
            *(conjunction((negative, at_least(one, -stride))) for one in (rest, -rest)),
        )
    )
    known = (context, *_not_negative(rest, context), outside)
    return outside != TRUE and excludes(conjunction(known), solver)


def _not_negative(value: Polynomial, context: Formula) -> list[Formula]:
    """The products in `value` whose factors are known not to be negative are not, either: isl takes
    each for a name."""
    names = {
        part.polynomial.terms[0][0]
        for part in conjuncts(context)
        if isinstance(part, Atom) and part.relation is Relation.NOT_NEGATIVE
        if len(part.polynomial.terms) == 1 and part.polynomial.terms[0][1] > 0
    }
    return [
        at_least(Polynomial.of({product: 1}), ZERO)
        for product, _ in value.terms
        if len(product) > 1 and all((name,) in names for name in product)
    ]
