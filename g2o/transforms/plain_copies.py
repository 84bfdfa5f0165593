"""Variables that only repeat another one give way to it.

    float sum2 = sum;                y[row] = sum;
    y[row] = sum2;            ->

Legal where both have the same type, neither is written behind the copy, in its scope, and nobody
knows their addresses.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import Form, Unary, VarRef, Verbatim
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import NO_TRIVIA, Block, Declare, LocalFunction, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind, unqualified

_PLAIN: Final = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL, TypeKind.DEPENDENT)


def without_plain_copies(kernel: LoweredKernel, functions: FunctionTable) -> LoweredKernel:
    """The same object where there are no such variables."""
    effects = functions.for_node(Block(kernel.body))
    led_to = set(_led_to(kernel))

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        inner = tuple(rewrite(one, replacement) for one in node.statements)
        made = _without(inner, effects, led_to)
        same = len(made) == len(node.statements) and all(map(operator.is_, made, node.statements))
        return node if same else replace(node, statements=made, form=Form.BUILT)

    whole = Block(kernel.body)
    made = rewrite(whole, replacement)
    return kernel if made is whole else replace(kernel, body=made.statements)


def _led_to(kernel: LoweredKernel) -> Iterator[Symbol]:
    """Variables that something else is a way to."""
    for node in walk(Block(kernel.body)):
        match node:
            case Unary(op="&", operand=operand):
                yield from symbols_in(operand)
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol.type.kind is TypeKind.REFERENCE and one.initial is not None:
                        yield from symbols_in(one.initial)
            case Verbatim() | LocalFunction():
                yield from symbols_in(node)
            case _:
                pass


def _without(
    statements: tuple[Stmt, ...], effects: EffectsOf, led_to: set[Symbol]
) -> tuple[Stmt, ...]:
    for place, statement in enumerate(statements):
        copy = _copied(statement)
        if copy is None or led_to & {*copy}:
            continue
        rest = statements[place + 1 :]
        if _may_give_way(*copy, rest, effects):
            renamed = tuple(rename_symbols(one, {copy[0]: copy[1]}) for one in rest)
            return _without((*statements[:place], *renamed), effects, led_to)
    return statements


def _copied(statement: Stmt) -> tuple[Symbol, Symbol] | None:
    """The variable that is declared as a copy, and that which it repeats."""
    match statement:
        case Declare(
            variables=(Variable(symbol=one, initial=VarRef(symbol=other), suffix=""),)
        ) if (
            one.type.kind in _PLAIN
            and not one.type.is_volatile
            and unqualified(one.type) == unqualified(other.type)
            and one.storage in (Storage.LOCAL, Storage.BLOCK)
            and other.storage in (Storage.SHARED, Storage.BLOCK)
            and statement.trivia == NO_TRIVIA
        ):
            return one, other
        case _:
            return None


def _may_give_way(one: Symbol, other: Symbol, rest: tuple[Stmt, ...], effects: EffectsOf) -> bool:
    found = effects.of_all(rest)
    if {one, other} & (found.writes | {s for s in found.memory_writes if s is not None}):
        return False
    return not (found.side_effects and other.storage is Storage.SHARED)
