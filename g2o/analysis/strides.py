"""How accesses to memory move when an index moves: which loop should be the innermost.

out[row * n + col] = in[row * n + col]      // col: neighbours; row: a whole row apart
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.ir.expressions import Binary, Cast, Expr, Index, Paren, Unary, VarRef, integer_value
from g2o.ir.statements import Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk


class Stride(Enum):
    """Elements between two accesses whose index differs by one."""

    NONE = 0
    UNIT = 2
    LARGE = -1


def by_locality(indices: Sequence[Symbol], body: Node, effects: EffectsOf) -> list[Symbol]:
    """`indices` from the one that belongs into the innermost loop outwards.

    One goes further in the more accesses it moves by one element and the fewer it moves by many;
    between equals the order stays.
    """
    values = _values(body, effects)
    scores = dict.fromkeys(indices, 0)
    inner: set[int] = set()
    for node in walk(body):
        if not isinstance(node, Index) or id(node) in inner:
            continue
        inner.add(id(node.base))
        for index in indices:
            scores[index] += _of_access(node, index, values).value
    return sorted(indices, key=lambda index: -scores[index])


def _values(body: Node, effects: EffectsOf) -> dict[Symbol, Expr]:
    """Variables that only have the value of their declaration."""
    written = written_after_declaration(body, effects)
    return {
        variable.symbol: variable.initial
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.initial is not None and variable.symbol not in written
    }


def _of_access(access: Index, index: Symbol, values: dict[Symbol, Expr]) -> Stride:
    stride = _of(access.index, index, values)
    if stride is Stride.NONE and _depends(access.base, index, values):
        return Stride.LARGE
    return stride


def _of(expr: Expr, index: Symbol, values: dict[Symbol, Expr]) -> Stride:
    match expr:
        case VarRef(symbol=symbol):
            if symbol == index:
                return Stride.UNIT
            value = values.get(symbol)
            return Stride.NONE if value is None else _of(value, index, values)
        case Paren(inner=inner) | Cast(operand=inner):
            return _of(inner, index, values)
        case Unary(op="-" | "+", operand=operand):
            return _of(operand, index, values)
        case Binary(op="+" | "-", left=left, right=right):
            one, other = _of(left, index, values), _of(right, index, values)
            if Stride.NONE in (one, other):
                return other if one is Stride.NONE else one
            return Stride.LARGE
        case Binary(op="*", left=left, right=right) if integer_value(right) == 1:
            return _of(left, index, values)
        case _:
            return Stride.LARGE if _depends(expr, index, values) else Stride.NONE


def _depends(expr: Expr, index: Symbol, values: dict[Symbol, Expr]) -> bool:
    pending = [expr]
    seen: set[Symbol] = set()
    while pending:
        named = symbols_in(pending.pop())
        if index in named:
            return True
        pending.extend(values[symbol] for symbol in named - seen if symbol in values)
        seen |= named
    return False
