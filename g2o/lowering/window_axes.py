"""Axes along which windows of elements lie, and places on them as a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import final

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


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """Elements along `counter`, moved by multiples of the numbers of inner loops, and by `offset`,
    as an expression, all in all by `move`."""

    counter: Counter
    stride: Polynomial
    moved: tuple[tuple[Counter, int], ...]
    move: Polynomial = ZERO
    offset: Expr | None = None


def times_of(stride: Polynomial, other: Polynomial) -> int | None:
    """How many times the other one the first is, a number other than 0."""
    if len(stride.terms) != len(other.terms) or not other.terms:
        return None
    (product, factor), (like, by) = stride.terms[0], other.terms[0]
    if product != like or factor % by or factor == 0:
        return None
    times = factor // by
    return times if other.scaled(times) == stride else None


def size_of(stride: Polynomial) -> tuple[int, int]:
    """Strides of more lengths are larger."""
    most = max((len(product) for product, _ in stride.terms), default=0)
    return most, max((abs(factor) for p, factor in stride.terms if len(p) == most), default=0)


def sum_of_moves(moved: Collection[tuple[Counter, int]]) -> Polynomial:
    """By how much inner loops move an element."""
    total = ZERO
    for counter, times in moved:
        total = total + Polynomial.name(name_of(counter.symbol)).scaled(times)
    return total


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
    """The number of the thread that adds to an element in an iteration."""
    place: Expr = VarRef(axis.counter.symbol)
    for counter, times in axis.moved:
        place = Binary("-" if times > 0 else "+", place, _scaled(counter, times), INT)
    return place if axis.offset is None else without_offset(place, axis.offset)


def moved_on(axis: Axis, number: Expr) -> Expr:
    """The number of the element that a thread adds to in an iteration."""
    found: Expr | None = None if integer_value(number) == 0 else number
    for counter, times in axis.moved:
        amount = _scaled(counter, times)
        if found is None:
            found = amount if times > 0 else Unary("-", amount, type=INT)
        else:
            found = Binary("+" if times > 0 else "-", found, amount, INT)
    found = number if found is None else found
    return found if axis.offset is None else added_to(found, axis.offset)


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


def _scaled(counter: Counter, times: int) -> Expr:
    amount = VarRef(counter.symbol)
    if abs(times) == 1:
        return amount
    return Binary("*", Literal(str(abs(times)), abs(times), INT), amount, INT)


def moved_times(value: Expr, amount: Expr, times: int) -> Expr:
    number = integer_value(amount)
    if number is not None and isinstance(strip_parens(amount), Literal | Unary):
        return moved_by(value, number * times, INT)
    scaled = amount
    if abs(times) != 1:
        scaled = Binary("*", Literal(str(abs(times)), abs(times), INT), Paren(amount), INT)
    return Binary("+" if times > 0 else "-", value, Paren(scaled, INT), INT)


def loop_over(counter: Counter, body: Stmt) -> Stmt:
    """A loop over all numbers of a counter, inside of those over elements."""
    node = counter.node
    if isinstance(node, For):
        return replace(node, body=body, form=Form.BUILT)
    symbol = counter.symbol
    named = Declare((Variable(symbol, "int", "", counter.lower, "="),))
    condition = Binary("<", VarRef(symbol), counter.upper, BOOL)
    return For(named, condition, Unary("++", VarRef(symbol), type=INT), body)
