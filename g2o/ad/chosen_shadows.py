"""Shadows of what is chosen: what is added on one side of a condition, or on both.

float d_v = 0.0f;                     const float d_v = c ? 2.0f * d_w : d_w;
if (c)
    d_v += 2.0f * d_w;          ->
else
    d_v += d_w;
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.ad.increments import zero
from g2o.analysis.effects import is_tape_call, statements_of
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Call,
    Conditional,
    Expr,
    Form,
    Remote,
    Unary,
    VarRef,
    negated,
    strip_parens,
)
from g2o.ir.statements import Block, Exchange, ExprStatement, If, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind


def with_shared_first(statement: Stmt, made: frozenset[Symbol]) -> list[Stmt]:
    """`if (c) { d += x; ... } else d += x;` becomes `d += x; if (c) ...`."""
    match statement:
        case If(condition=condition, then=then, otherwise=otherwise) if otherwise is not None:
            one, other = statements_of(then), statements_of(otherwise)
        case _:
            return [statement]
    count = 0
    for first, second in zip(one, other, strict=False):
        match first:
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol))) if (
                first == second and symbol in made and not times_named(condition, symbol)
            ):
                count += 1
            case _:
                break
    if count == 0 or statement.is_constexpr:
        return [statement]
    rest = replace(statement, then=Block(one[count:]), otherwise=Block(other[count:]))
    if not other[count:]:
        rest = replace(rest, otherwise=None)
    if not one[count:]:
        left = rest.otherwise
        rest = replace(
            rest, condition=negated(condition), then=Block(other[count:]), otherwise=None
        )
        if left is None:
            return list(one[:count])
    return [*one[:count], replace(rest, form=Form.BUILT)]


def choice_of(statement: If, symbol: Symbol) -> Stmt | None:
    """What is added to the shadow, if that is all that is done on either side."""
    first, condition = _added(statement.then, symbol), statement.condition
    if first is None or statement.is_constexpr:
        return None
    second = zero(symbol.type)
    if statement.otherwise is not None:
        added = _added(statement.otherwise, symbol)
        if added is None:
            return None
        second = added
    elif isinstance(condition, Unary) and condition.op == "!":
        condition, first, second = strip_parens(condition.operand), second, first
    if any(precision_of(value_type(one)) != precision_of(symbol.type) for one in (first, second)):
        return None
    value = Conditional(condition, first, second, symbol.type)
    return ExprStatement(Assign("+=", VarRef(symbol), value, symbol.type), trivia=statement.trivia)


def _added(body: Stmt, symbol: Symbol) -> Expr | None:
    match statements_of(body):
        case (ExprStatement(expr=Assign(op="+=", target=VarRef(symbol=target), value=value)),) if (
            target == symbol and not times_named(value, symbol)
        ):
            return None if takes_from_tape(value) else value
        case _:
            return None


def times_named(node: Node, symbol: Symbol) -> int:
    """How often the variable is named; an exchange between lanes names its result."""
    return names_in(node).get(symbol, 0)


_known: Final[dict[int, tuple[Node, dict[Symbol, int]]]] = {}
_MOST_KNOWN: Final = 1 << 16


def names_in(node: Node) -> dict[Symbol, int]:
    """How often each variable is named, counted once for a node: of each of many variables is
    asked in each of many statements. Nodes do not change, and what is known keeps its node."""
    known = _known.get(id(node))
    if known is not None:
        return known[1]
    times: dict[Symbol, int] = {}
    for inner in walk(node):
        match inner:
            case VarRef(symbol=named) | Exchange(result=named) | Remote(symbol=named):
                times[named] = times.get(named, 0) + 1
            case _:
                pass
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[id(node)] = node, times
    return times


def precision_of(ctype: CType) -> tuple[TypeKind, int]:
    return ctype.kind, ctype.bits


def takes_from_tape(value: Expr) -> bool:
    """A tape gives its values in their order, wanted or not."""
    return any(isinstance(node, Call) and is_tape_call(node) for node in walk(value))
