"""When two index values are equal, also where strides are parameters.

    a[row * n + col]   and   a[row' * n + col']   with 0 <= col, col' < n

meet only where row = row' and col = col': what is left of the stride n is smaller than it.
(Maslov, "Delinearization: an efficient way to break multiloop dependence equations", PLDI 1992.)
"""

from __future__ import annotations

from g2o.polyhedral.formula import (
    TRUE,
    Formula,
    at_least,
    conjunction,
    disjunction,
    equal,
)
from g2o.polyhedral.polynomial import ZERO, Polynomial
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
        if _smaller(rest, Polynomial.name(stride), context, solver):
            parts = (quotient, rest)
            return conjunction(vanishes(part, uniform, context, solver) for part in parts)
    return equal(difference, ZERO)


def _strides(difference: Polynomial, uniform: frozenset[str]) -> list[str]:
    """Names that divide every product."""
    common = uniform
    for product, _ in difference.terms:
        if len(product) > 1:
            common &= frozenset(product)
    return sorted(common)


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
    """Is |rest| < stride everywhere?"""
    outside = disjunction((at_least(rest, stride), at_least(-rest, stride)))
    return outside != TRUE and solver.excludes(conjunction((context, outside)))
