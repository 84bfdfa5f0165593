"""Whether a solution gives loop variables values that they ever have.

    for (int s = 64; s > 0; s /= 2)    1 <= s <= 64 is what isl knows: 33 is a solution, too

A meeting with such a value shows nothing. What never meets with all the values that are allowed
does not meet with those that are reached, so that only certainty depends on this.
"""

from __future__ import annotations

from collections.abc import Mapping

from g2o.polyhedral.formula import Formula, disjunction, equal
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.space import Scaled, Space


def is_reached(space: Space, values: Mapping[str, int], other: Mapping[str, str]) -> bool:
    """Has every name that a loop multiplies or divides a value that it gets there, in the instance
    that `other` names, too?"""
    return all(
        _follows(name, space.scaled[name], names, values)
        for name, names in _instances(space, values, other)
    )


def only_reached(
    space: Space, values: Mapping[str, int], other: Mapping[str, str]
) -> tuple[Formula, ...]:
    """What keeps the names of a solution to their values, where these are known constants."""
    found: list[Formula] = []
    for name, names in _instances(space, values, other):
        quotients = space.scaled[name].quotients()
        if quotients:
            value = Polynomial.name(names.get(name, name))
            found.append(disjunction(equal(value, Polynomial.constant(one)) for one in quotients))
    return tuple(found)


def _instances(
    space: Space, values: Mapping[str, int], other: Mapping[str, str]
) -> list[tuple[str, Mapping[str, str]]]:
    """Names that are multiplied or divided, with what names are called in an instance of theirs."""
    found: list[tuple[str, Mapping[str, str]]] = []
    for name in sorted(space.scaled):
        if name in values:
            found.append((name, {}))
        if other.get(name) in values:
            found.append((name, other))
    return found


def _follows(
    name: str, scaled: Scaled, names: Mapping[str, str], values: Mapping[str, int]
) -> bool:
    given = {
        one: Polynomial.constant(values[names.get(one, one)])
        for one in scaled.start.names
        if names.get(one, one) in values
    }
    start = scaled.start.substituted(given).value
    if start is None:
        return False
    count = values.get(names.get(scaled.counter, scaled.counter))
    return scaled.is_reached(values[names.get(name, name)], start, count)
