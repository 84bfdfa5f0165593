"""Loops over the elements that neighbouring threads add to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    all_of,
    integer_value,
    moved_by,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    If,
    LocalFunction,
    Return,
    Stmt,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import BOOL, INT
from g2o.polyhedral.polynomial import ZERO, Polynomial

_FARTHEST: Final = 8
"""So many steps along a loop a neighbour is looked for."""


@final
@dataclass(frozen=True, slots=True)
class Term:
    """What an element gets from the thread that lies `steps` back along the loops."""

    steps: tuple[int, ...]
    value: Expr


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """A loop over threads; elements lie from `first` steps before to `last` steps behind them."""

    index: Symbol
    lower: Expr
    upper: Expr
    first: int
    last: int


def steps_between(
    base: Polynomial, position: Polynomial, strides: list[Polynomial]
) -> tuple[int, ...] | None:
    """How many steps along each loop lead from one position to another; None where none do."""
    return _steps(position - base, strides)


def _steps(rest: Polynomial, strides: list[Polynomial]) -> tuple[int, ...] | None:
    if not strides:
        return () if rest == ZERO else None
    stride, *inner = strides
    if not inner:
        return _last_step(rest, stride)
    for count in sorted(range(-_FARTHEST, _FARTHEST + 1), key=abs):
        found = _steps(rest - stride.scaled(count), inner)
        if found is not None:
            return (count, *found)
    return None


def _last_step(rest: Polynomial, stride: Polynomial) -> tuple[int, ...] | None:
    for count in sorted(range(-_FARTHEST, _FARTHEST + 1), key=abs):
        if rest == stride.scaled(count):
            return (count,)
    return None


def are_told_apart(
    bounds: list[Bounds],
    strides: list[Polynomial],
    at_most: Callable[[Polynomial], list[Polynomial]],
    read: Callable[[Expr], Polynomial | None],
) -> bool:
    """Are elements with different indices different? Every row has to be no longer than the next
    stride counts in its own."""
    if strides[-1].value not in (1, -1):
        return False
    for axis in range(len(bounds) - 1):
        quotient = _quotient(strides[axis], strides[axis + 1])
        low, high = read(bounds[axis + 1].lower), read(bounds[axis + 1].upper)
        if quotient is None or low is None or high is None:
            return False
        width = high.plus(bounds[axis + 1].last) - low.plus(bounds[axis + 1].first)
        excess = at_most(width - quotient)
        if not any(value is not None and value <= 0 for value in (one.value for one in excess)):
            return False
    return True


def _quotient(stride: Polynomial, by: Polynomial) -> Polynomial | None:
    """`stride / by` where that is a polynomial."""
    if by.value in (1, -1):
        return stride.scaled(by.value or 1)
    if len(by.terms) != 1:
        return None
    (product, factor) = by.terms[0]
    result: dict[tuple[str, ...], int] = {}
    for own, number in stride.terms:
        left = list(own)
        for name in product:
            if name not in left:
                return None
            left.remove(name)
        if number % factor:
            return None
        result[tuple(left)] = number // factor
    return Polynomial.of(result)


# -- text ---------------------------------------------------------------------------------------


def expression_of(
    value: Polynomial, base: VarRef | None, symbols: dict[str, Symbol]
) -> Expr | None:
    """`base + value` as a person writes it; None where a name is not known."""
    result: Expr | None = base
    terms = sorted(value.terms, key=lambda term: (-len(term[0]), term[0]))
    for product, factor in terms:
        if any(name not in symbols for name in product):
            return None
        term: Expr | None = None
        number = abs(factor)
        if number != 1 or not product:
            term = Literal(str(number), number, INT)
        for name in product:
            ref = VarRef(symbols[name])
            term = ref if term is None else Binary("*", term, ref, INT)
        assert term is not None
        if result is None:
            result = term if factor > 0 else Unary("-", term, type=INT)
        else:
            result = Binary("+" if factor > 0 else "-", result, term, INT)
    return result if result is not None else Literal("0", 0, INT)


def _moved(bound: Expr, by: int) -> Expr:
    return moved_by(bound, by, INT)


def _sum(terms: list[Term]) -> Expr:
    """The terms added up; a factor that several of them have stands in front of those."""
    signed = [_signed(term.value) for term in terms]
    factor = _common_factor([value for _, value in signed])
    if factor is None:
        return _added(signed)
    own = [(sign, value) for sign, value in signed if factor not in _factors(value)[:-1]]
    scaled = [
        (sign, _without_factor(value, factor))
        for sign, value in signed
        if factor in _factors(value)[:-1]
    ]
    product = Binary("*", factor, _added(scaled), factor.type)
    return product if not own else Binary("+", _added(own), product, product.type)


def _signed(value: Expr) -> tuple[bool, Expr]:
    """Whether a minus sign stands in front, and what is behind it."""
    value = strip_parens(value)
    negative = isinstance(value, Unary) and value.op == "-"
    return negative, strip_parens(value.operand) if isinstance(value, Unary) and negative else value


def _added(terms: list[tuple[bool, Expr]]) -> Expr:
    total: Expr | None = None
    for negative, value in terms:
        if total is None:
            total = Unary("-", value, type=value.type) if negative else value
        else:
            total = Binary("-" if negative else "+", total, value, value.type)
    assert total is not None
    return total


def _factors(value: Expr) -> list[Expr]:
    value = strip_parens(value)
    if isinstance(value, Binary) and value.op == "*":
        return [*_factors(value.left), *_factors(value.right)]
    return [value]


def _common_factor(values: list[Expr]) -> Expr | None:
    """The factor, not the last one, which most of several products have."""
    counts: Counter[Expr] = Counter()
    for value in values:
        counts.update(set(_factors(value)[:-1]))
    most = max(counts.values(), default=0)
    if most < 2:
        return None
    return next(one for value in values for one in _factors(value)[:-1] if counts[one] == most)


def _without_factor(value: Expr, factor: Expr) -> Expr:
    rest = _factors(value)
    rest.remove(factor)
    product = rest[0]
    for one in rest[1:]:
        product = Binary("*", product, one, one.type)
    return product


def interior_loops(
    bounds: list[Bounds], declared: list[Stmt], target: Index, terms: list[Term], simd: bool
) -> Stmt:
    """The loops over elements that get all terms."""
    add = ExprStatement(Assign("+=", target, _sum(terms), target.type))
    body: Stmt = Block((*declared, add))
    for depth in range(len(bounds) - 1, -1, -1):
        one = bounds[depth]
        directive = NO_DIRECTIVE if depth else PARALLEL_FOR
        if simd and depth == len(bounds) - 1:
            directive = directive.with_simd()
        lower, upper = _moved(one.lower, one.last), _moved(one.upper, one.first)
        body = CountedLoop(one.index, lower, upper, body if depth else _block(body), directive)
    assert isinstance(body, CountedLoop)
    note = "// Interior: all threads that add to the element exist."
    return _with_note(body, note)


def _block(body: Stmt) -> Stmt:
    return body if isinstance(body, Block) else Block((body,))


def _with_note(loop: CountedLoop, note: str) -> CountedLoop:
    return CountedLoop(
        loop.index, loop.lower, loop.upper, loop.body, loop.directive, trivia=Trivia((note,))
    )


def _grouped(terms: list[Term]) -> dict[tuple[int, ...], list[Term]]:
    """The terms by the threads that they come from."""
    grouped: dict[tuple[int, ...], list[Term]] = {}
    for term in terms:
        grouped.setdefault(term.steps, []).append(term)
    return grouped


def _tests(bounds: list[Bounds], places: list[Expr]) -> Expr:
    """Are these numbers those of a thread?"""
    tests = [
        test
        for one, place in zip(bounds, places, strict=True)
        for test in (_compare(one.lower, "<=", place), _compare(place, "<", one.upper))
    ]
    return all_of(tests)


def _those_there(bounds: list[Bounds], target: Index, terms: list[Term]) -> list[Stmt]:
    """The terms of the neighbours that are there, which C has no function inside to tell."""
    adds: list[Stmt] = []
    for steps, own in _grouped(terms).items():
        places = [_moved(VarRef(one.index), -step) for one, step in zip(bounds, steps, strict=True)]
        add = ExprStatement(Assign("+=", target, _sum(own), target.type))
        adds.append(If(_tests(bounds, places), add))
    return adds


def _where_there(
    bounds: list[Bounds], target: Index, terms: list[Term], symbols: SymbolTable
) -> tuple[LocalFunction, list[Stmt]]:
    """A function that tells whether a neighbour is there, and the terms of those that are."""
    inside = symbols.fresh("inside", BOOL, Storage.LOCAL)
    names = [symbols.fresh(letter, INT, Storage.LOCAL) for letter in "abc"[: len(bounds)]]
    condition = _tests(bounds, [VarRef(name) for name in names])
    test = LocalFunction(inside.name, tuple(names), Block((Return(condition),)))
    adds: list[Stmt] = []
    for steps, own in _grouped(terms).items():
        arguments = tuple(
            _moved(VarRef(one.index), -step) for one, step in zip(bounds, steps, strict=True)
        )
        call = Call(inside.name, Literal(inside.name), arguments, type=BOOL)
        add = ExprStatement(Assign("+=", target, _sum(own), target.type))
        adds.append(If(call, add))
    return test, adds


def guarded_loops(
    bounds: list[Bounds],
    declared: list[Stmt],
    target: Index,
    terms: list[Term],
    symbols: SymbolTable,
) -> Stmt:
    """One nest over all elements, which looks everywhere which terms there are: for devices."""
    test, adds = _where_there(bounds, target, terms, symbols)
    body: Stmt = Block((test, *declared, *adds))
    for depth in range(len(bounds) - 1, -1, -1):
        one = bounds[depth]
        lower, upper = _moved(one.lower, one.first), _moved(one.upper, one.last)
        directive = NO_DIRECTIVE if depth else PARALLEL_FOR
        body = CountedLoop(one.index, lower, upper, body, directive)
    assert isinstance(body, CountedLoop)
    return _with_note(body, "// Every element gathers what the threads beside its own add to it.")


def has_no_interior(bounds: list[Bounds]) -> bool:
    """Is there certainly no element that gets all terms?"""
    ends = [(_moved(one.lower, one.last), _moved(one.upper, one.first)) for one in bounds]
    known = [(integer_value(low), integer_value(high)) for low, high in ends]
    return any(low is not None and high is not None and low >= high for low, high in known)


def rim_loops(
    bounds: list[Bounds],
    declared: list[Stmt],
    target: Index,
    terms: list[Term],
    symbols: SymbolTable,
    *,
    is_c: bool = False,
) -> Stmt:
    """The loops over elements that may lack some of the terms."""
    test: tuple[Stmt, ...] = ()
    if is_c:
        adds = _those_there(bounds, target, terms)
    else:
        function, adds = _where_there(bounds, target, terms, symbols)
        test = (function,)
    body: Stmt = Block((*declared, *adds))
    innermost = bounds[-1]
    body = _skipping(bounds, innermost, body, is_c=is_c)
    for depth in range(len(bounds) - 2, -1, -1):
        one = bounds[depth]
        lower, upper = _moved(one.lower, one.first), _moved(one.upper, one.last)
        directive = NO_DIRECTIVE if depth else PARALLEL_FOR
        body = CountedLoop(one.index, lower, upper, _block(body), directive)
    none = has_no_interior(bounds)
    note = "// Some of the threads that add to an element may not exist."
    note = note if none else "// Rim: some of them do not."
    return Block((*test, body), trivia=Trivia((note,)))


def _skipping(bounds: list[Bounds], innermost: Bounds, body: Stmt, *, is_c: bool) -> Stmt:
    """The innermost loop, which leaves the interior out."""
    index = innermost.index
    first = _moved(innermost.lower, innermost.last)
    last = _moved(innermost.upper, innermost.first)
    outer = [
        test
        for one in bounds[:-1]
        for test in (
            _compare(_moved(one.lower, one.last), "<=", VarRef(one.index)),
            _compare(VarRef(one.index), "<", _moved(one.upper, one.first)),
        )
    ]
    start = _moved(innermost.lower, innermost.first)
    end = _moved(innermost.upper, innermost.last)
    following: Expr = _moved(VarRef(index), 1)
    if has_no_interior(bounds):
        begin: Expr = start
    elif innermost.first == innermost.last:  # then a row lies in the interior as a whole
        begin = Conditional(all_of(outer), end, start, INT)
    else:
        begin = start
        skip = all_of([*outer, _compare(VarRef(index), "==", _moved(first, -1))])
        behind: Expr = Code(("std::max<int>(", first, ", ", last, ")"), type=INT)
        if is_c:
            behind = Paren(Conditional(_compare(first, "<", last), last, first, INT), INT)
        following = Conditional(skip, behind, following, INT)
    return For(
        Declare((Variable(index, "int", "", begin, "="),)),
        _compare(VarRef(index), "<", end),
        Assign("=", VarRef(index), following, INT),
        body,
    )


def _compare(left: Expr, op: str, right: Expr) -> Expr:
    return Binary(op, left, right, BOOL)
