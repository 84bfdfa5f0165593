"""Pointers that lead to one of several arrays, and whether two of them may lead to the same.

    double *d_now = t % 2 == 0 ? d_u : d_v;
    double *d_next = t % 2 == 0 ? d_v : d_u;      never the one that `d_now` leads to

Legal where the arrays do not overlap, the pointers are set once, and what is asked has one answer
for both: nothing but declarations stands between theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, final

from g2o.ir.expressions import Assign, Call, Conditional, Expr, Unary, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_ALLOCATING: Final = ("malloc", "calloc", "g2o_zeros", "g2o_keep", "g2o_take")


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
        case Conditional(), _:
            arms = (first.if_true, first.if_false)
            return all(_apart(one, second, arrays, in_row=False) for one in arms)
        case _, Conditional():
            return _apart(second, first, arrays, in_row=False)
        case VarRef(symbol=one), VarRef(symbol=other):
            return one != other and one in arrays and other in arrays
        case _:
            return False


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
