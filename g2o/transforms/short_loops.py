"""Short loops of a C function that ask the heap for arrays, give them back, or set the pointers
of an array, one by one.

    for (int k = 0, m = 4; k < 2; ++k, m /= 2)      u[0] = malloc(4 * sizeof(double));
        u[k] = malloc(m * sizeof(double));     ->   u[1] = malloc(2 * sizeof(double));

Legal where nothing but the head of the loop changes what it counts, and nothing leaves it early.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from g2o.analysis.allocations import ALLOCATING
from g2o.analysis.effects import declared_in, root_symbol
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Index,
    Literal,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, For, Jump, Node, Stmt
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind

_FEW: Final = 4
_Numbers = Mapping[Symbol, int]
"""What the variables that a loop counts with hold."""


def with_short_loops_unrolled(body: Block, symbols: SymbolTable) -> Block:
    """The body with the turns of such loops one behind the other. `symbols` are those of the
    function, to which the variables of further turns are added."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, For) or node.shared is not None:
            return None
        counted = _few_turns(node) if any(map(_places_pointers, walk(node.body))) else None
        if counted is None:
            return None
        turns: list[Stmt] = []
        own = sorted(declared_in(node.body), key=lambda one: one.id)
        for numbers in counted:
            turn = rewrite(node.body, lambda one, numbers=numbers: _number(one, numbers))
            new = {one: symbols.fresh(one.name, one.type, one.storage) for one in own if turns}
            turns.append(rename_symbols(turn, new))
        return Block(tuple(turns), trivia=node.trivia)

    return rewrite(body, replacement)


def _places_pointers(node: Node) -> bool:
    """Does it ask for memory, give it back, or set a pointer of an array?"""
    match node:
        case Call(name=name):
            return name in ALLOCATING or name == "free"
        case Assign(op="=", target=Index() as target):
            return target.type.kind is TypeKind.POINTER
        case _:
            return False


def _number(node: Node, numbers: _Numbers) -> Literal | None:
    if not isinstance(node, VarRef) or node.symbol not in numbers:
        return None
    value = numbers[node.symbol]
    return Literal(str(value), value, node.symbol.type)


def _few_turns(loop: For) -> list[_Numbers] | None:
    """What a loop of few turns counts in each of them; None for others."""
    if not isinstance(loop.initial, Declare) or loop.condition is None or loop.increment is None:
        return None
    numbers: dict[Symbol, int] = {}
    for variable in loop.initial.variables:
        value = None if variable.initial is None else integer_value(variable.initial)
        if value is None or variable.symbol.type.kind is not TypeKind.INTEGER:
            return None
        numbers[variable.symbol] = value
    inside = [*walk(loop.body)]
    if any(isinstance(one, Jump) or _changes(one, numbers) for one in inside):
        return None
    turns: list[_Numbers] = []
    while (goes_on := _value(loop.condition, numbers)) is not None:
        if not goes_on:
            return turns
        turns.append(dict(numbers))
        if len(turns) > _FEW or not all(_step(one, numbers) for one in _steps(loop.increment)):
            return None
    return None


def _changes(node: Node, numbers: _Numbers) -> bool:
    match node:
        case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
            return root_symbol(place) in numbers
        case _:
            return False


def _steps(increment: Expr) -> Iterator[Expr]:
    inner = strip_parens(increment)
    if isinstance(inner, Binary) and inner.op == ",":
        yield from _steps(inner.left)
        yield from _steps(inner.right)
    else:
        yield inner


def _step(step: Expr, numbers: dict[Symbol, int]) -> bool:
    """Make a step; False where it is not known what it does."""
    match step:
        case Unary(op="++" | "--" as op, operand=VarRef() as counter):
            by: Expr = Literal("1", 1, counter.type)
            value = Binary(op[0], counter, by, counter.type)
        case Assign(op=op, target=VarRef() as counter, value=given):
            value = given if op == "=" else Binary(op[:-1], counter, given, counter.type)
        case _:
            return False
    made = _value(value, numbers)
    if made is None or counter.symbol not in numbers:
        return False
    if made < 0 and not counter.symbol.type.is_signed:
        return False
    numbers[counter.symbol] = made
    return True


def _value(expr: Expr, numbers: _Numbers) -> int | None:
    """A whole number of such ones; None for others."""
    known = integer_value(expr)
    if known is not None:
        return known
    match strip_parens(expr):
        case VarRef(symbol=symbol):
            return numbers.get(symbol)
        case Binary(op=op, left=left, right=right):
            one, other = _value(left, numbers), _value(right, numbers)
        case _:
            return None
    if one is None or other is None:
        return None
    if op in ("/", "%", "<<", ">>") and (one < 0 or other < 0):
        return None
    match op:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "/" | "%" if other:
            return one // other if op == "/" else one % other
        case "<":
            return int(one < other)
        case "<=":
            return int(one <= other)
        case ">":
            return int(one > other)
        case ">=":
            return int(one >= other)
        case "!=":
            return int(one != other)
        case "<<" | ">>" if other < 31:
            return one << other if op == "<<" else one >> other
        case _:
            return None
