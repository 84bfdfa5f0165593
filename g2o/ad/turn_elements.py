"""Shadows of small arrays of which every turn of a loop has one element.

    double d_f[9] = {};                      double d_f[9];
    for (int q = 8; q >= 0; --q) {           for (int q = 8; q >= 0; --q) {
        d_f[q] += d_y[q];              ->        d_f[q] = d_y[q];
        ...                                      ...

Legal where the first loop that names the array goes through all of its elements, from its first to
its last turn, where each turn names only its own element, and where that gets a value before
anything else happens to it. The loop has no way out but its condition, and nothing else leads to
the array.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from g2o.ad.increments import is_all_zeros
from g2o.ad.reals import is_real
from g2o.analysis.constant_turns import Turns, constant_turns
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.ir.expressions import Assign, Form, Index, Unary, VarRef
from g2o.ir.statements import Block, Declare, ExprStatement, For, Jump, Node, Return, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind


def is_small_array(symbol: Symbol) -> bool:
    """Is it an array of numbers that a thread has for itself?"""
    ctype = symbol.type
    return (
        symbol.storage is Storage.LOCAL
        and ctype.kind is TypeKind.ARRAY
        and ctype.element is not None
        and is_real(ctype.element)
    )


def turns_with_elements(loop: For, effects: EffectsOf) -> Turns | None:
    """The turns of a loop that goes through all of them, with another counter in each."""
    found = constant_turns(loop)
    if found is None or found.counter in effects.of(loop.body).writes:
        return None
    return None if any(isinstance(node, (Jump, Return)) for node in walk(loop.body)) else found


def has_own_elements(loop: For, array: Symbol, counter: Symbol) -> bool:
    """Does each turn name the element of its number, and nothing else of the array?"""
    elements = 0
    for node in walk(loop.body):
        match node:
            case Index(base=VarRef(symbol=base), index=VarRef(symbol=index)):
                elements += base == array and index == counter
            case Unary(op="&", operand=operand) if array in symbols_in(operand):
                return False
            case _:
                pass
    return elements == sum(node == VarRef(array) for node in walk(loop))


def started_in_loops(
    statements: tuple[Stmt, ...], shadows: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    """`statements` with `shadows` that get their first values in loops declared without zeros."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        new = _sequence(node.statements, shadows, effects)
        return node if new is node.statements else replace(node, statements=new, form=Form.BUILT)

    inner = tuple(rewrite(statement, replacement) for statement in statements)
    return _sequence(inner, shadows, effects)


def _sequence(
    statements: tuple[Stmt, ...], shadows: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    for position, statement in enumerate(statements):
        variable = _zeroed_array(statement)
        if variable is None or variable.symbol not in shadows:
            continue
        for place in range(position + 1, len(statements)):
            following = statements[place]
            if variable.symbol not in symbols_in(following):
                continue
            started = None
            if isinstance(following, For):
                started = _started(following, variable.symbol, effects)
            if started is not None:
                bare = Declare((replace(variable, initial=None),), trivia=statement.trivia)
                before = (*statements[:position], bare, *statements[position + 1 : place])
                statements = (*before, started, *statements[place + 1 :])
            break
    return statements


def _zeroed_array(statement: Stmt) -> Variable | None:
    match statement:
        case Declare(variables=(variable,)) if is_small_array(variable.symbol) and (
            is_all_zeros(variable.initial)
        ):
            return variable
        case _:
            return None


def _started(loop: For, array: Symbol, effects: EffectsOf) -> For | None:
    """The loop, which gives all elements their first values."""
    found = turns_with_elements(loop, effects)
    if found is None or set(found.values) != set(range(array.type.extent or 0)):
        return None
    if not has_own_elements(loop, array, found.counter) or not isinstance(loop.body, Block):
        return None
    statements = loop.body.statements
    for position, statement in enumerate(statements):
        if array not in symbols_in(statement):
            continue
        match statement:
            case ExprStatement(
                expr=Assign(op="=" | "+=" | "-=" as op, target=Index() as target, value=value)
            ) if array not in symbols_in(value) and target.base == VarRef(array):
                first = Unary("-", value, type=value.type) if op == "-=" else value
                new = ExprStatement(Assign("=", target, first, target.type))
                rest = (*statements[:position], new, *statements[position + 1 :])
                return replace(
                    loop, body=replace(loop.body, statements=rest, form=Form.BUILT), form=Form.BUILT
                )
            case _:
                return None
    return None
