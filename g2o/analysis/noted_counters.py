"""Variables in which a loop notes the number of an iteration.

bool has = false;                       behind the loop either `has` is false,
int where = 0;                          or 0 <= where < n
for (int c = 0; c < n; ++c)
    if (x[c] > m) {
        has = true;
        where = c;
        m = x[c];
    }
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of
from g2o.analysis.evaluation import Evaluation, Value
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Assign, Binary, Expr, Unary, VarRef, integer_value, strip_parens
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind
from g2o.polyhedral.formula import at_least, conjunction, disjunction, equal, less
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial


@final
@dataclass(frozen=True, slots=True)
class Noted:
    """`symbol` is one of the numbers from `lower` to below `upper`, or to `upper`, where the loop
    has stored to it, and `flag`, if there is one, is not 0 then."""

    symbol: Symbol
    lower: Expr
    upper: Expr
    is_last: bool
    flag: Symbol | None


def noted_counters(loop: For | While | DoWhile, effects: EffectsOf) -> Iterator[Noted]:
    """What a loop notes of its own counter and of those of loops in it, whose limits it does not
    change."""
    changed = effects.of(loop).writes | declared_in(loop)
    stores = Counter(one for node in walk(loop) for one in _written_by(node, effects))
    for inner in walk(loop):
        if not isinstance(inner, For) or (limits := _limits(inner, effects)) is None:
            continue
        index, lower, upper, is_last = limits
        asked = effects.of(lower), effects.of(upper)
        if any(one.memory_reads or not one.is_pure or one.reads & changed for one in asked):
            continue
        for statements in _sequences(inner.body):
            flags = [
                symbol
                for statement in statements
                if (symbol := _set(statement)) is not None and stores[symbol] == 1
            ]
            if any(isinstance(node, Jump | Return) for one in statements for node in walk(one)):
                flags = []  # of the two stores one may be left out
            for statement in statements:
                symbol = _copied(statement, index)
                if symbol is not None and stores[symbol] == 1 and symbol not in (index, *flags):
                    yield Noted(symbol, lower, upper, is_last, flags[0] if flags else None)


def values_of_noted(found: Iterable[Noted], values: Evaluation) -> dict[Symbol, Value]:
    """The values behind the loop, by those in front of it, which are the state's."""
    result: dict[Symbol, Value] = {}
    env, space = values.machine.env, values.space
    for one in found:
        start = env.get(one.symbol)
        if not isinstance(start, Polynomial):
            continue
        lower, upper = values.value(one.lower), values.value(one.upper)
        number = values.anything(varying=True)
        (name,) = number.names
        below = at_least(upper, number) if one.is_last else less(number, upper)
        stored, left = [at_least(number, lower), below], [equal(number, start)]
        if one.flag is not None and env.get(one.flag) == ZERO:
            flag = values.anything(varying=True)
            stored.append(equal(flag, ONE))
            left.append(equal(flag, ZERO))
            result[one.flag] = flag
        space.define(name, disjunction((conjunction(stored), conjunction(left))))
        result[one.symbol] = number
    return result


def _written_by(node: Node, effects: EffectsOf) -> set[Symbol]:
    """The variables that a statement without others in it changes, or a part of one with others:
    also by references, functions and operations between threads."""
    if isinstance(node, Block | For | While | DoWhile | If | Switch | Labelled):
        parts = [part for part in children(node) if not isinstance(part, Stmt)]
        return {one for part in parts for one in effects.of(part).writes}
    return effects.of(node).writes if isinstance(node, Stmt) else set()


def _sequences(body: Stmt) -> Iterator[tuple[Stmt, ...]]:
    """The statements of the body, and of blocks and conditions in it; none of loops."""
    statements = statements_of(body)
    yield statements
    for one in statements:
        match one:
            case Block():
                yield from _sequences(one)
            case If(then=then, otherwise=otherwise):
                yield from _sequences(then)
                if otherwise is not None:
                    yield from _sequences(otherwise)
            case _:
                pass


def _set(statement: Stmt) -> Symbol | None:
    """The variable that is set to true."""
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return symbol if integer_value(value) == 1 else None
        case _:
            return None


def _copied(statement: Stmt, index: Symbol) -> Symbol | None:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            same = strip_parens(value) == VarRef(index)
            kinds = symbol.type.kind, index.type.kind
            alike = kinds == (TypeKind.INTEGER, TypeKind.INTEGER)
            alike = alike and symbol.type.bits == index.type.bits
            return symbol if same and alike and symbol.type.is_signed else None
        case _:
            return None


def _limits(loop: For, effects: EffectsOf) -> tuple[Symbol, Expr, Expr, bool] | None:
    """The counter of a loop that counts upwards, its first value, and what it stays below."""
    match loop.initial, loop.condition, loop.increment:
        case (
            Declare(variables=(variable,)),
            Binary(op="<" | "<=" as op, left=left, right=upper),
            increment,
        ) if variable.initial is not None:
            index = variable.symbol
        case _:
            return None
    match increment:
        case Unary(op="++", operand=operand) if strip_parens(operand) == VarRef(index):
            pass
        case Assign(op="+=", target=target, value=value) if strip_parens(target) == VarRef(index):
            if (integer_value(value) or 0) <= 0:
                return None
        case _:
            return None
    is_counter = strip_parens(left) == VarRef(index) and index.type.is_signed
    if value_type(upper).kind is not TypeKind.INTEGER:
        return None
    if not is_counter or index in effects.of(loop.body).writes:
        return None
    return index, variable.initial, upper, op == "<="
