"""Axes along which windows of elements lie, and places on them as a person writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.ir.expressions import (
    Binary,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    moved_by,
    strip_parens,
)
from g2o.ir.statements import (
    Declare,
    For,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Symbol
from g2o.ir.types import BOOL, INT
from g2o.lowering.thread_increments import Counter, name_of
from g2o.polyhedral.polynomial import ZERO, Polynomial

_ONE: Final = Polynomial.constant(1)


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """Elements along `counter`, at `scale * counter + move`: moved by multiples of the numbers of
    inner loops, and by `offset`, as an expression. `names` has the variables of the polynomials."""

    counter: Counter
    stride: Polynomial
    moved: tuple[tuple[Counter, Polynomial], ...]
    move: Polynomial = ZERO
    offset: Expr | None = None
    scale: Polynomial = _ONE
    names: Mapping[str, Symbol] = field(default_factory=dict[str, Symbol])

    @property
    def element(self) -> Polynomial:
        """The number of an element."""
        return Polynomial.name(name_of(self.counter.symbol))

    @property
    def coordinate(self) -> Polynomial:
        """The number of the element that a thread adds to."""
        return self.element * self.scale + self.move

    @property
    def is_scaled(self) -> bool:
        return self.scale != _ONE

    @property
    def is_known(self) -> bool:
        """Are all factors numbers?"""
        factors = (self.scale, *(times for _, times in self.moved))
        return all(one.value is not None for one in factors)

    def spelled(self, factor: Polynomial) -> Expr:
        """A factor as an expression."""
        return expression_of(factor, self.names)


def quotient_of(stride: Polynomial, other: Polynomial) -> Polynomial | None:
    """How many times the other one the first is; None where that is not seen."""
    if other == _ONE:
        return stride
    if not other.terms or not stride.terms:
        return None
    (like, by) = other.terms[0]
    found: dict[tuple[str, ...], int] = {}
    for product, factor in stride.terms:
        rest = list(product)
        if factor % by or not all(name in rest for name in like):
            continue
        for name in like:
            if name not in rest:
                return None
            rest.remove(name)
        found[tuple(rest)] = factor // by
    result = Polynomial.of(found)
    return result if found and result * other == stride else None


def size_of(stride: Polynomial) -> tuple[int, int]:
    """Strides of more lengths are larger."""
    most = max((len(product) for product, _ in stride.terms), default=0)
    return most, max((abs(factor) for p, factor in stride.terms if len(p) == most), default=0)


def expression_of(value: Polynomial, symbols: Mapping[str, Symbol]) -> Expr:
    """A polynomial in such variables as a person writes it."""
    result: Expr | None = None
    for product, factor in sorted(value.terms, key=lambda term: (-len(term[0]), term[0])):
        term: Expr | None = None
        if abs(factor) != 1 or not product:
            term = Literal(str(abs(factor)), abs(factor), INT)
        for name in product:
            ref = VarRef(symbols[name])
            term = ref if term is None else Binary("*", term, ref, INT)
        assert term is not None
        if result is None:
            result = term if factor > 0 else Unary("-", term, type=INT)
        else:
            result = Binary("+" if factor > 0 else "-", result, term, INT)
    return result if result is not None else Literal("0", 0, INT)


def moved_back(axis: Axis) -> Expr:
    """Where the thread is that adds to an element in an iteration."""
    place: Expr = VarRef(axis.counter.symbol)
    for counter, times in axis.moved:
        place = Binary(
            "-" if _is_positive(times) else "+", place, _scaled(axis, counter, times), INT
        )
    return place if axis.offset is None else without_offset(place, axis.offset)


def moved_on(axis: Axis, number: Expr) -> Expr:
    """The number of the element that a thread adds to in an iteration."""
    found: Expr | None = None if integer_value(number) == 0 else number
    for counter, times in axis.moved:
        amount = _scaled(axis, counter, times)
        if found is None:
            found = amount if _is_positive(times) else Unary("-", amount, type=INT)
        else:
            found = Binary("+" if _is_positive(times) else "-", found, amount, INT)
    found = number if found is None else found
    return found if axis.offset is None else added_to(found, axis.offset)


def hull_of(axis: Axis) -> tuple[Expr, Expr]:
    """The first element that threads add to, and the one behind the last; factors that are no
    numbers are not negative."""
    lower, last = axis.counter.lower, axis.counter.last
    if axis.is_scaled:
        lower, last = (
            _product(lower, axis.spelled(axis.scale)),
            _product(last, axis.spelled(axis.scale)),
        )
    upper = moved_by(last, 1, INT)
    for counter, times in axis.moved:
        least, most = counter.lower, counter.last
        if not _is_positive(times):
            least, most = most, least
        lower, upper = _plus(axis, lower, least, times), _plus(axis, upper, most, times)
    if axis.offset is not None:
        lower, upper = added_to(lower, axis.offset), added_to(upper, axis.offset)
    return lower, upper


def _is_positive(times: Polynomial) -> bool:
    return times.value is None or times.value > 0


def without_offset(value: Expr, offset: Expr) -> Expr:
    """The number less an offset."""
    if integer_value(value) == 0 and isinstance(offset, VarRef):
        return Unary("-", offset, type=INT)
    match offset:
        case Literal(value=int(number)):
            return moved_by(value, -number, INT)
        case Unary(op="-", operand=Literal(value=int(number))):
            return moved_by(value, number, INT)
        case Unary(op="-", operand=inner):
            return Binary("+", value, inner, INT)
        case Binary(op="+" | "-"):
            return Binary("-", value, Paren(offset, INT), INT)
        case _:
            return Binary("-", value, offset, INT)


def added_to(value: Expr, offset: Expr) -> Expr:
    if integer_value(value) == 0:
        return offset
    match offset:
        case Literal(value=int(number)):
            return moved_by(value, number, INT)
        case Unary(op="-", operand=Literal(value=int(number))):
            return moved_by(value, -number, INT)
        case Unary(op="-", operand=inner):
            return Binary("-", value, inner, INT)
        case _:
            return Binary("+", value, offset, INT)


def _scaled(axis: Axis, counter: Counter, times: Polynomial) -> Expr:
    amount = VarRef(counter.symbol)
    if times.value is None:
        return _product(amount, axis.spelled(times))
    if abs(times.value) == 1:
        return amount
    return Binary("*", Literal(str(abs(times.value)), abs(times.value), INT), amount, INT)


def _product(number: Expr, factor: Expr) -> Expr:
    if integer_value(number) == 0:
        return number
    one = strip_parens(number)
    one = one if isinstance(one, VarRef | Literal) else Paren(one, INT)
    two = factor if isinstance(factor, VarRef | Literal) else Paren(factor, INT)
    return Binary("*", one, two, INT)


def _plus(axis: Axis, value: Expr, amount: Expr, times: Polynomial) -> Expr:
    number = integer_value(amount)
    plain = isinstance(strip_parens(amount), Literal | Unary)
    if number is not None and plain and (times.value is not None or number == 0):
        return moved_by(value, number * (times.value or 0), INT)
    if times.value is None:
        return added_to(value, _product(amount, axis.spelled(times)))
    scaled = amount
    if abs(times.value) != 1:
        size = Literal(str(abs(times.value)), abs(times.value), INT)
        scaled = Binary("*", size, Paren(amount), INT)
    return Binary("+" if times.value > 0 else "-", value, Paren(scaled, INT), INT)


def loop_over(counter: Counter, body: Stmt) -> Stmt:
    """A loop over all numbers of a counter, inside of those over elements."""
    node = counter.node
    if isinstance(node, For):
        return replace(node, body=body, form=Form.BUILT)
    symbol = counter.symbol
    named = Declare((Variable(symbol, "int", "", counter.lower, "="),))
    condition = Binary("<", VarRef(symbol), counter.upper, BOOL)
    return For(named, condition, Unary("++", VarRef(symbol), type=INT), body)
