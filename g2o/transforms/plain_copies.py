"""Variables that only repeat another one give way to it.

    float sum2 = sum;                y[row] = sum;
    y[row] = sum2;            ->

Legal where both have the same type, neither is written behind the copy, in its scope, and nobody
knows their addresses.
"""

from __future__ import annotations

import operator
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

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        inner = tuple(rewrite(one, replacement) for one in node.statements)
        made = _without(inner, effects)
        same = len(made) == len(node.statements) and all(map(operator.is_, made, node.statements))
        return node if same else replace(node, statements=made, form=Form.BUILT)

    whole = Block(kernel.body)
    made = rewrite(whole, replacement)
    return kernel if made is whole else replace(kernel, body=made.statements)


def _without(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    for place, statement in enumerate(statements):
        copy = _copied(statement)
        if copy is None:
            continue
        rest = statements[place + 1 :]
        if _may_give_way(*copy, rest, effects):
            renamed = tuple(rename_symbols(one, {copy[0]: copy[1]}) for one in rest)
            return _without((*statements[:place], *renamed), effects)
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
    if found.side_effects and other.storage is Storage.SHARED:
        return False
    for node in (inner for statement in rest for inner in walk(statement)):
        match node:
            case Unary(op="&", operand=operand) if symbols_in(operand) & {one, other}:
                return False
            case Verbatim() | LocalFunction() if symbols_in(node) & {one, other}:
                return False
            case _:
                pass
    return True
