"""Formulas over named integers: what isl is asked about, kept apart from isl's own objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, assert_never, final

from g2o.polyhedral.polynomial import Monomial, Polynomial


class Relation(Enum):
    """How the polynomial of an atom compares with zero."""

    NOT_NEGATIVE = ">="
    ZERO = "="
    NOT_ZERO = "!="


@final
@dataclass(frozen=True, slots=True)
class Atom:
    """`polynomial relation 0`."""

    polynomial: Polynomial
    relation: Relation
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.polynomial, self.relation)))

    def __hash__(self) -> int:
        return self._hash  # formulas are looked up far more often than made


@final
@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]


@final
@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...]


Formula = Atom | And | Or

TRUE: Final = And(())
FALSE: Final = Or(())


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of them; nested ones are flattened and repeated ones dropped."""
    kept: dict[Formula, None] = {}
    for part in parts:
        for one in part.parts if isinstance(part, And) else (part,):
            if one == FALSE:
                return FALSE
            kept[one] = None
    return next(iter(kept)) if len(kept) == 1 else And(tuple(kept))


def disjunction(parts: Iterable[Formula]) -> Formula:
    kept: dict[Formula, None] = {}
    for part in parts:
        for one in part.parts if isinstance(part, Or) else (part,):
            if one == TRUE:
                return TRUE
            kept[one] = None
    return next(iter(kept)) if len(kept) == 1 else Or(tuple(kept))


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)


def at_least(left: Polynomial, right: Polynomial) -> Formula:
    """left >= right"""
    return _atom(left - right, Relation.NOT_NEGATIVE)


def less(left: Polynomial, right: Polynomial) -> Formula:
    """left < right"""
    return _atom((right - left).plus(-1), Relation.NOT_NEGATIVE)


def equal(left: Polynomial, right: Polynomial) -> Formula:
    return _atom(left - right, Relation.ZERO)


def different(left: Polynomial, right: Polynomial) -> Formula:
    return _atom(left - right, Relation.NOT_ZERO)


def _atom(polynomial: Polynomial, relation: Relation) -> Formula:
    value = polynomial.value
    if value is None:
        return Atom(polynomial, relation)
    match relation:
        case Relation.NOT_NEGATIVE:
            return TRUE if value >= 0 else FALSE
        case Relation.ZERO:
            return TRUE if value == 0 else FALSE
        case Relation.NOT_ZERO:
            return TRUE if value != 0 else FALSE


def negation(formula: Formula) -> Formula:
    match formula:
        case Atom(polynomial=polynomial, relation=relation):
            match relation:
                case Relation.NOT_NEGATIVE:
                    return Atom((-polynomial).plus(-1), relation)
                case Relation.ZERO:
                    return Atom(polynomial, Relation.NOT_ZERO)
                case Relation.NOT_ZERO:
                    return Atom(polynomial, Relation.ZERO)
        case And(parts=parts):
            return disjunction(negation(part) for part in parts)
        case Or(parts=parts):
            return conjunction(negation(part) for part in parts)
        case _:
            assert_never(formula)


def renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    match formula:
        case Atom(polynomial=polynomial, relation=relation):
            return Atom(polynomial.renamed(names), relation)
        case And(parts=parts):
            return And(tuple(renamed(part, names) for part in parts))
        case Or(parts=parts):
            return Or(tuple(renamed(part, names) for part in parts))
        case _:
            assert_never(formula)


def substituted(formula: Formula, values: Mapping[str, Polynomial]) -> Formula:
    """The formula with polynomials for names."""
    match formula:
        case Atom(polynomial=polynomial, relation=relation):
            return _atom(polynomial.substituted(values), relation)
        case And(parts=parts):
            return conjunction(substituted(part, values) for part in parts)
        case Or(parts=parts):
            return disjunction(substituted(part, values) for part in parts)
        case _:
            assert_never(formula)


def names_of(formula: Formula) -> frozenset[str]:
    match formula:
        case Atom(polynomial=polynomial):
            return polynomial.names
        case And(parts=parts) | Or(parts=parts):
            return frozenset(name for part in parts for name in names_of(part))
        case _:
            assert_never(formula)


def fixed_values(formula: Formula) -> dict[str, Polynomial]:
    """The names that a conjunct says the value of: `x - 3 = 0`."""
    found: dict[str, Polynomial] = {}
    for part in conjuncts(formula):
        if not isinstance(part, Atom) or part.relation is not Relation.ZERO:
            continue
        (name, *others) = part.polynomial.names or ("",)
        slope = dict(part.polynomial.terms).get((name,), 0)
        if name and not others and part.polynomial.is_affine and slope in (1, -1):
            rest = part.polynomial - Polynomial.name(name).scaled(slope)
            found[name] = rest.scaled(-slope)
    return found


def products_of(formula: Formula) -> frozenset[Monomial]:
    """The products of several names that the formula mentions."""
    match formula:
        case Atom(polynomial=polynomial):
            return frozenset(product for product, _ in polynomial.terms if len(product) > 1)
        case And(parts=parts) | Or(parts=parts):
            return frozenset(product for part in parts for product in products_of(part))
        case _:
            assert_never(formula)
