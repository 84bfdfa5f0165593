"""Values of the model as a person writes them, with the variables that stand where they are needed.

threadIdx.y * width + threadIdx.x + 16 * blockIdx.y * width + 16 * blockIdx.x - 1
->  y * width + x - 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, final

from g2o.analysis.effects import symbols_in
from g2o.analysis.positions import polynomial_of
from g2o.ir.expressions import (
    AXES,
    Binary,
    Builtin,
    Cast,
    Expr,
    LaunchRef,
    Literal,
    Paren,
    VarRef,
)
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.polyhedral.formula import And, Atom, Formula, Or, Relation, conjuncts
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.space import Space
from g2o.transforms.moved_places import place_beside

_WIDE: Final = 64
_LEAST_NAMED: Final = 16
_LONG: Final = CType("long long", TypeKind.INTEGER, 64)
_LAUNCH: Final = (
    Builtin.THREAD_INDEX,
    Builtin.BLOCK_INDEX,
    Builtin.BLOCK_DIM,
    Builtin.GRID_DIM,
)


def named_numbers(body: Node) -> dict[int, Literal]:
    """The numbers that the code calls by a name, each by one, and so large that no other is meant
    by chance."""
    found: dict[int, dict[str, Literal]] = {}
    for node in walk(body):
        match node:
            case Literal(value=int() as value, span=span, type=ctype) if (
                span is not None and value >= _LEAST_NAMED and ctype == INT
            ):
                if span.text.isidentifier():
                    found.setdefault(value, {})[span.text] = node
            case _:
                pass
    return {value: next(iter(names.values())) for value, names in found.items() if len(names) == 1}


@final
@dataclass(slots=True)
class IndexExpressions:
    """`named` are the integer variables that can be used, with what they hold, `extents` those of a
    block."""

    space: Space
    extents: tuple[Polynomial, Polynomial, Polynomial]
    named: Mapping[Symbol, Polynomial]
    numbers: Mapping[int, Literal] = field(default_factory=dict[int, Literal])  # with their names
    places: Sequence[Expr] = ()  # of elements, in the code
    names: dict[str, Expr] = field(default_factory=dict[str, Expr])
    multiplies: bool = False  # look for products of variables first

    def __post_init__(self) -> None:
        for builtin in _LAUNCH:
            for axis, letter in enumerate(AXES):
                self.names[f"{builtin.value}.{letter}"] = LaunchRef(builtin, axis, INT)
        for key, name in self.space.by_key.items():
            if isinstance(key, tuple) and key[:1] == ("parameter",) and isinstance(key[1], Symbol):
                self.names[name] = VarRef(key[1])
        for symbol, value in self.named.items():
            for name in value.names:
                if value == Polynomial.name(name):
                    self.names[name] = VarRef(symbol)

    def expression(self, value: Polynomial) -> Expr | None:
        """The value; None where something in it has no name here."""
        found = self._beside(value) or self._sum(value)
        if found is None:  # `k * plane` where k + 1 has a name and k has none
            self.multiplies = True
            found = self._sum(value)
            self.multiplies = False
        return self._finished(found)

    def _beside(self, value: Polynomial) -> Expr | None:
        """A place that the code names, or one so many rows or elements further on."""
        best: tuple[int, Expr, Polynomial] | None = None
        known = dict(self.named)
        for name, expr in self.names.items():
            if isinstance(expr, VarRef):
                known.setdefault(expr.symbol, Polynomial.name(name))
        for place in self.places:
            if not symbols_in(place) <= known.keys():
                continue
            there = polynomial_of(place, known)
            rest = None if there is None else value - there
            if rest is None or _size(rest) > 1 or _size(rest) >= _size(value) - 1:
                continue
            cost = _size(rest) * 2 + (_constant(rest) != 0)
            if best is None or cost < best[0]:
                best = cost, place, rest
        if best is None:
            return None
        _, place, rest = best
        found = self._addends(rest)
        if found is None or len(found[0]) > 1:
            return None
        result = place_beside(place, [*found[0], (1, _number(found[1]))])
        return result if polynomial_of(result, known) == value else None

    def condition(self, formula: Formula) -> Expr | None:
        """What a formula says; None where something in it has no name here."""
        return self._finished(self._said(formula))

    def _finished(self, made: Expr | None) -> Expr | None:
        if made is None:
            return None
        made = rewrite(made, self._named_number) if self.numbers else made
        return _with_signs(made) if _may_wrap(made) else made

    def _named_number(self, node: Node) -> Node | None:
        match node:
            case Literal(value=int() as value, type=ctype) if ctype == INT:
                return self.numbers.get(value, node)
            case _:
                return None

    def _sum(self, value: Polynomial) -> Expr | None:
        found = self._addends(value)
        return None if found is None else _added(*found)

    def _addends(self, value: Polynomial) -> tuple[list[tuple[int, Expr]], int] | None:
        """What is added, or taken away, and the constant behind it."""
        addends: list[tuple[int, Expr]] = []
        rest = value
        while set(rest.by_monomial_in(rest.names)) - {()}:
            found = (
                (self._two_variables(rest) if self.multiplies else None)
                or self._variable(rest, scaled=False)
                or self._product(rest)
                or self._variable(rest, scaled=True)
                or self._term(rest)
            )
            if found is None:
                return None
            part, sign, expr = found
            addends.append((sign, expr))
            rest = rest - part.scaled(sign)
        return addends, rest.value or 0

    def _said(self, formula: Formula) -> Expr | None:
        if isinstance(formula, Atom):
            return self._comparison(formula)
        parts = conjuncts(formula) if isinstance(formula, And) else formula.parts
        found = [self._said(one) for one in parts]
        operator = "&&" if isinstance(formula, And) else "||"
        result: Expr | None = None
        for one in found:
            if one is None:
                return None
            if isinstance(one, Binary) and one.op in ("&&", "||") and one.op != operator:
                one = Paren(one, type=one.type)
            result = one if result is None else Binary(operator, result, one, BOOL)
        if isinstance(formula, Or) and result is not None and len(parts) > 1:
            return Paren(result, type=BOOL)
        return result

    # -- sums ------------------------------------------------------------------------------------

    def _variable(self, value: Polynomial, *, scaled: bool) -> tuple[Polynomial, int, Expr] | None:
        """The variable, or a multiple of one, that leaves least of the terms."""
        best: tuple[int, Symbol, Polynomial, int, int] | None = None
        for symbol, held in self.named.items():
            if not held.names:
                continue
            for times in _multiples(value, held) if scaled else (1,):
                left = _size(value - held.scaled(times))
                if left < _size(value) and (best is None or left < best[0]):
                    best = left, symbol, held.scaled(abs(times)), 1 if times > 0 else -1, times
        if best is None:
            return None
        named: Expr = VarRef(best[1])
        if abs(best[4]) != 1:
            named = Binary("*", _number(abs(best[4])), named, named.type)
        return best[2], best[3], named

    def _two_variables(self, value: Polynomial) -> tuple[Polynomial, int, Expr] | None:
        """The product of two variables that leaves least of the terms."""
        held: dict[Expr, Polynomial] = {VarRef(one): known for one, known in self.named.items()}
        held |= {expr: Polynomial.name(name) for name, expr in self.names.items()}
        best: tuple[Polynomial, int, Expr] | None = None
        for (one, first), (other, second) in combinations(held.items(), 2):
            product = first * second
            left = _size(value - product)
            if first.names and second.names and left < _size(value):
                if best is None or left < _size(value - best[0]):
                    best = product, 1, Binary("*", one, other, _wider(one.type, other.type))
        return best

    def _product(self, value: Polynomial) -> tuple[Polynomial, int, Expr] | None:
        """What several terms are multiplied with, and the sum of the rest of them."""
        shared: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for product, factor in value.terms:
            for name in dict.fromkeys(product):
                if not self._varies(name):
                    shared.setdefault(name, []).append((product, factor))
        longer = {name for product, _ in value.terms for name in product if len(product) > 1}
        shared = {name: terms for name, terms in shared.items() if name in longer}
        for name, terms in sorted(shared.items(), key=lambda one: (-len(one[1]), one[0])):
            factor = self.names.get(name)
            inner: dict[tuple[str, ...], int] = {}
            for product, number in terms:
                left = list(product)
                left.remove(name)
                inner[tuple(left)] = number
            summed = Polynomial.of(inner)
            offset = _offset(value, summed, name)
            expr = None if factor is None or len(terms) < 2 else self._sum(summed)
            if expr is not None and factor is not None:
                if isinstance(expr, Binary) and expr.op in ("+", "-"):
                    expr = Paren(expr, type=expr.type)
                if offset:
                    factor = Paren(_added([(1, factor)], offset), type=factor.type)
                made = Binary("*", expr, factor, _wider(expr.type, factor.type))
                return summed * Polynomial.name(name).plus(offset), 1, made
        return None

    def _term(self, value: Polynomial) -> tuple[Polynomial, int, Expr] | None:
        """The longest term; None where something in it has no name here."""
        product, number = max(
            ((product, number) for product, number in value.terms if product),
            key=lambda one: len(one[0]),
        )
        expr = None
        for name in product:
            factor = self.names.get(name)
            if factor is None:
                return None
            kind = factor.type if expr is None else _wider(expr.type, factor.type)
            expr = factor if expr is None else Binary("*", expr, factor, kind)
        assert expr is not None
        extent = self._extent(product)
        if extent is not None and self.extents[extent].value == abs(number):
            expr = Binary("*", expr, LaunchRef(Builtin.BLOCK_DIM, extent, INT), INT)
        elif abs(number) != 1:
            expr = Binary("*", _number(abs(number)), expr, expr.type)
        sign = 1 if number > 0 else -1
        return Polynomial.of({product: abs(number)}), sign, expr

    def _extent(self, product: tuple[str, ...]) -> int | None:
        """The axis of a block's index."""
        names = [f"{Builtin.BLOCK_INDEX.value}.{letter}" for letter in AXES]
        return names.index(product[0]) if len(product) == 1 and product[0] in names else None

    def _varies(self, name: str) -> bool:
        info = self.space.infos.get(name)
        return info is None or info.varying

    # -- comparisons -----------------------------------------------------------------------------

    def _comparison(self, atom: Atom) -> Expr | None:
        """`varying < uniform`: what is subtracted stands on the other side."""
        terms = [(product, n) for product, n in atom.polynomial.terms if product]
        added = Polynomial.of({product: n for product, n in terms if n > 0})
        taken = Polynomial.of({product: -n for product, n in terms if n < 0})
        constant = Polynomial.constant(_constant(atom.polynomial))
        falls = self._moves(taken) or not self._moves(added)
        left, right = (taken, added + constant) if falls else (added, taken - constant)
        found = self._addends(left)
        if found is None:
            return None
        right = right.plus(-found[1])
        operator = {Relation.ZERO: "==", Relation.NOT_ZERO: "!="}.get(atom.relation)
        if operator is None:
            operator, step = ("<", 1) if falls else (">", -1)
            right = right.plus(step)
        offset = 0
        if (
            len(found[0]) > 1 or abs(_constant(right)) > 1
        ):  # `x + i - 2 < width`, as a place is said
            offset = -_constant(right)
            right = right.plus(offset)
            if operator == ">":
                operator, offset = ">=", offset - 1
        other = self._sum(right)
        return None if other is None else Binary(operator, _added(found[0], offset), other, BOOL)

    def _moves(self, value: Polynomial) -> bool:
        return any(self._varies(name) for name in value.names)


def _multiples(value: Polynomial, held: Polynomial) -> list[int]:
    """How often a variable may be in a value: as one of its terms says. Once is preferred."""
    terms = dict(value.terms)
    found = {1: None}
    for product, factor in held.terms:
        times, rest = divmod(terms.get(product, 0), factor)
        if product and times and not rest and len(held.terms) > 1:
            found[times] = None
    return list(found)


def _size(value: Polynomial) -> int:
    """How many terms it has, but for the constant."""
    return sum(bool(product) for product, _ in value.terms)


def _offset(value: Polynomial, summed: Polynomial, name: str) -> int:
    """A number such that `summed * (name + number)` leaves less of the value than without it."""
    terms = dict(value.terms)
    left = _size(value - summed * Polynomial.name(name))
    for product, factor in summed.terms:
        number, rest = divmod(terms.get(product, 0), factor)
        if product and number and not rest:
            with_it = value - summed * Polynomial.name(name).plus(number)
            return number if _size(with_it) < left else 0
    return 0


def _constant(value: Polynomial) -> int:
    return dict(value.terms).get((), 0)


def _may_wrap(expr: Expr) -> bool:
    """May something in it be negative, beside unsigned variables?"""
    nodes = list(walk(expr))
    variables = [one for one in nodes if isinstance(one, VarRef)]
    if all(one.type.is_signed for one in variables):
        return False
    return (
        any(one.type.is_signed for one in variables)
        or any(isinstance(one, Binary) and one.op == "-" for one in nodes)
        or any(isinstance(one, Literal) and (one.value or 0) < 0 for one in nodes)
    )


def _with_signs(expr: Expr) -> Expr:
    """The same in signed numbers."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, VarRef) and not node.type.is_signed:
            return Cast(node, INT if node.type.bits <= INT.bits else _LONG)
        return None

    return rewrite(expr, replacement)


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)


def _added(addends: list[tuple[int, Expr]], constant: int) -> Expr:
    """The sum: what is wide first, then products, then variables; a difference never starts it."""
    ordered = sorted(
        addends,
        key=lambda one: (one[0] < 0, one[1].type.bits < _WIDE, not isinstance(one[1], Binary)),
    )
    if ordered and ordered[0][0] < 0 and constant:
        ordered = [(1, _number(constant)), *ordered]
        constant = 0
    elif ordered and ordered[0][0] < 0:
        ordered = [(1, _number(0)), *ordered]
    if not ordered:
        return _number(constant)
    result = ordered[0][1]
    for sign, expr in ordered[1:]:
        result = Binary("+" if sign > 0 else "-", result, expr, _wider(result.type, expr.type))
    if constant:
        operator = "+" if constant > 0 else "-"
        result = Binary(operator, result, _number(abs(constant)), result.type)
    return result


def _wider(one: CType, other: CType) -> CType:
    """The type that arithmetic has with both (C++ standard, usual arithmetic conversions)."""
    if one.bits != other.bits:
        return one if one.bits > other.bits else other
    return other if one.is_signed else one
