"""Pointers that lead to one of several arrays, and whether two of them may lead to the same.

    double *d_now = t % 2 == 0 ? d_u : d_v;
    double *d_next = t % 2 == 0 ? d_v : d_u;      never the one that `d_now` leads to

Legal where the arrays do not overlap, the pointers are set once, and what is asked has one answer
for both: nothing but declarations stands between theirs. What is asked of a remainder by a constant
has the same answers again and again: all of them are tried, `t % 2 == 0` beside `(t + 1) % 2 == 0`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import fmod, lcm
from operator import add, eq, ne, sub
from typing import Final, final

from g2o.analysis.allocations import ALLOCATING
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_ASKED: Final = {"==": eq, "!=": ne, "+": add, "-": sub}
_LONGEST: Final = 64
_ALLOCATING: Final = (*ALLOCATING, "g2o_zeros", "g2o_keep", "g2o_take")


@final
@dataclass(frozen=True, slots=True)
class View:
    """What a pointer is declared with, and among which declarations in a row."""

    value: Expr
    row: int


def allocated(body: Block) -> Iterator[Symbol]:
    """The pointers that are declared with memory of their own, for good."""
    changed = {_set(node) for node in walk(body)}
    for one in (v for node in walk(body) if isinstance(node, Declare) for v in node.variables):
        match one.initial:
            case Call(name=name) if name in _ALLOCATING and one.symbol not in changed:
                yield one.symbol
            case _:
                pass


def views_of(body: Block, arrays: Collection[Symbol]) -> Mapping[Symbol, View]:
    """The pointers that lead to one of the `arrays` each, from their declaration on."""
    found: dict[Symbol, View] = {}
    for block in (node for node in walk(body) if isinstance(node, Block)):
        row = 0
        for statement in block.statements:
            if not isinstance(statement, Declare) or any(map(_set, walk(statement))):
                row = 0
                continue
            row = row or id(statement)
            for one in statement.variables:
                pointer = one.symbol.type.kind is TypeKind.POINTER
                if pointer and one.initial is not None and _leads_to(one.initial, arrays):
                    found[one.symbol] = View(one.initial, row)
    changed = {_set(node) for node in walk(body)}
    return {one: view for one, view in found.items() if one not in changed}


def lie_apart(
    roots: Iterable[Symbol], views: Mapping[Symbol, View], arrays: Collection[Symbol]
) -> bool:
    """Does each of these arrays and views lead to memory that none of the others leads to?"""
    led = [
        (views[one].value, views[one].row) if one in views else (VarRef(one), 0) for one in roots
    ]
    return all(
        _apart(first, second, arrays, in_row=row == other)
        for (first, row), (second, other) in combinations(led, 2)
    )


def _apart(first: Expr, second: Expr, arrays: Collection[Symbol], *, in_row: bool) -> bool:
    first, second = strip_parens(first), strip_parens(second)
    match first, second:
        case Conditional(), Conditional() if in_row and first.condition == second.condition:
            return _apart(first.if_true, second.if_true, arrays, in_row=True) and _apart(
                first.if_false, second.if_false, arrays, in_row=True
            )
        case Conditional(), Conditional() if in_row and _led_apart(first, second, arrays):
            return True
        case Conditional(), _:
            arms = (first.if_true, first.if_false)
            return all(_apart(one, second, arrays, in_row=False) for one in arms)
        case _, Conditional():
            return _apart(second, first, arrays, in_row=False)
        case VarRef(symbol=one), VarRef(symbol=other):
            return one != other and one in arrays and other in arrays
        case _:
            return False


def _led_apart(first: Expr, second: Expr, arrays: Collection[Symbol]) -> bool:
    """Do both ask remainders of one variable, and lead to different arrays whatever these are?"""
    nodes = [node for value in (first, second) for node in walk(value)]
    asked = {n.symbol for n in nodes if isinstance(n, VarRef) and n.symbol not in arrays}
    divisors = {_divisor(node) for node in nodes} - {None}
    period = lcm(*(one for one in divisors if one is not None))
    if len(asked) != 1 or not divisors or period > _LONGEST:
        return False
    (variable,) = asked
    wraps = not variable.type.is_signed and period & (period - 1) != 0
    if wraps or variable.type.kind is not TypeKind.INTEGER:
        return False
    for value in range(-period, period):
        led = [_array(one, variable, value) for one in (first, second)]
        if None in led or led[0] == led[1]:
            return False
    return True


def _divisor(node: Node) -> int | None:
    """Of a remainder of what counts by whole numbers."""
    match node:
        case Binary(op="%", right=right):
            divisor = integer_value(right)
            return divisor if divisor is not None and divisor > 0 else None
        case _:
            return None


def _array(value: Expr, variable: Symbol, number: int) -> Symbol | None:
    """The array that it leads to where the variable has that remainder."""
    match strip_parens(value):
        case Conditional(condition=condition, if_true=one, if_false=other):
            asked = _number(condition, variable, number, inside=False)
            return None if asked is None else _array(one if asked else other, variable, number)
        case VarRef(symbol=symbol):
            return symbol
        case _:
            return None


def _number(expr: Expr, variable: Symbol, number: int, *, inside: bool) -> int | None:
    """The value of an expression of remainders; `inside` of one the variable itself has a value."""
    inner = strip_parens(expr)
    known = integer_value(inner)
    if known is not None:
        return known
    match inner:
        case VarRef(symbol=symbol):
            return number if inside and symbol == variable else None
        case Binary(op="%", left=left) if (divisor := _divisor(inner)) is not None:
            value = _number(left, variable, number, inside=True)
            return None if value is None else int(fmod(value, divisor))
        case Binary(op=op, left=left, right=right) if op in _ASKED:
            one = _number(left, variable, number, inside=inside and op in "+-")
            other = _number(right, variable, number, inside=inside and op in "+-")
            return None if one is None or other is None else int(_ASKED[op](one, other))
        case _:
            return None


def _leads_to(value: Expr, arrays: Collection[Symbol]) -> bool:
    match strip_parens(value):
        case Conditional(if_true=one, if_false=other):
            return _leads_to(one, arrays) and _leads_to(other, arrays)
        case VarRef(symbol=symbol):
            return symbol in arrays
        case _:
            return False


def _set(node: Node) -> Symbol | None:
    """The variable that is given a value, or the address of which is taken."""
    match node:
        case Assign(target=place) | Unary(op="&" | "++" | "--", operand=place):
            inner = strip_parens(place)
            return inner.symbol if isinstance(inner, VarRef) else None
        case _:
            return None
