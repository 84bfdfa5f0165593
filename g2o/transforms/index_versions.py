"""Positions that one variable has one after the other are variables of their own.

    int x = bx * T + tx, y = by * T + ty;       int x = bx * T + tx, y = by * T + ty;
    int from = y * w + x;                       int from = y * w + x;
    x = by * T + tx;                      ->    int x2 = by * T + tx;
    y = bx * T + ty;                            int y2 = bx * T + ty;
    int to = y * h + x;                         int to = y2 * h + x2;

What nothing changes is a function of the thread: it is computed again behind a barrier, where
threads would otherwise have kept it.

Legal where the block that declares the variable gives it all of its values, one statement after the
other, and where it is reached by its name alone. Only what is made of numbers, not of memory, is
worth it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Assign, Binary, Expr, Form, Remote, VarRef, strip_parens
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Exchange,
    ExprStatement,
    Labelled,
    Node,
    Stmt,
    Switch,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind, unqualified


def with_index_versions(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel, if threads may keep something in it, with such positions apart."""
    nodes = list(walk(kernel.body))
    if not any(isinstance(node, (Barrier, Exchange)) for node in nodes):
        return kernel
    if any(isinstance(node, (Labelled, Switch)) for node in nodes):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    effects = functions.for_node(kernel.body)
    versions = _Versions(effects, symbols)
    body = rewrite(kernel.body, versions.in_block)
    if body is kernel.body:
        return kernel
    assert isinstance(body, Block)
    body = replace(body, span=kernel.body.span)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
@dataclass(frozen=True, slots=True)
class _Versions:
    effects: EffectsOf
    symbols: SymbolTable

    def in_block(self, node: Node) -> Node | None:
        """Replaces blocks by those with the versions that they, or blocks inside, have."""
        if not isinstance(node, Block):
            return None
        made = [rewrite(one, self.in_block) for one in node.statements]
        declared = [s for one in made if isinstance(one, Declare) for s in declared_in(one)]
        for symbol in declared:
            if symbol.type.kind is TypeKind.INTEGER and symbol.storage is Storage.LOCAL:
                self._apart(made, symbol)
        same = all(one is old for one, old in zip(made, node.statements, strict=True))
        return node if same else replace(node, statements=tuple(made), form=Form.BUILT)

    def _apart(self, made: list[Stmt], symbol: Symbol) -> None:
        """Put another variable in place of the one from each of its assignments on."""
        named = [place for place, one in enumerate(made) if symbol in symbols_in(one)]
        values = {place: value for place in named if (value := _value(made[place], symbol))}
        others = [place for place in named[1:] if place not in values]
        if not values or not self._has_first_value(made[named[0]], symbol):
            return
        if any(symbol in self.effects.of(made[place]).writes for place in others):
            return
        if symbol.type.is_volatile or symbol in self.effects.memory.led_to():
            return
        nodes = (node for place in named for node in walk(made[place]))
        if any(isinstance(node, Remote) and node.symbol is symbol for node in nodes):
            return
        if not all(map(self._is_position, values.values())):
            return
        current, spelled = symbol, _spelled(made[named[0]], symbol)
        for place in named[1:]:
            value = values.get(place)
            if value is None:
                made[place] = rename_symbols(made[place], {symbol: current})
                continue
            value = rename_symbols(value, {symbol: current})
            ctype = replace(symbol.type, spelling=unqualified(symbol.type), is_const=False)
            current = self.symbols.fresh(symbol.wish or symbol.name, ctype, Storage.LOCAL)
            declared = Variable(current, spelled or f"{ctype.spelling} ", "", value, "=")
            made[place] = Declare((declared,), trivia=made[place].trivia)

    def _has_first_value(self, statement: Stmt, symbol: Symbol) -> bool:
        if not isinstance(statement, Declare):
            return False
        initials = [one.initial for one in statement.variables if one.symbol is symbol]
        return all(one is not None and self._is_position(one) for one in initials)

    def _is_position(self, value: Expr) -> bool:
        found = self.effects.of(value)
        return found.is_pure and not found.memory_reads


def _spelled(statement: Stmt, symbol: Symbol) -> str:
    """How its declaration spells the type of a variable; nothing where that says what it holds."""
    variables = statement.variables if isinstance(statement, Declare) else ()
    found = next((one.declared for one in variables if one.symbol is symbol), "")
    return "" if {"auto", "const", "static"} & set(found.split()) else found


def _value(statement: Stmt, symbol: Symbol) -> Expr | None:
    """What a statement gives the variable, if that is all that it does."""
    match statement:
        case ExprStatement(expr=expr):
            assign = strip_parens(expr)
        case _:
            return None
    if not isinstance(assign, Assign) or strip_parens(assign.target) != VarRef(symbol):
        return None
    if assign.op == "=":
        return assign.value
    value = Binary(assign.op[:-1], VarRef(symbol), assign.value)
    return replace(value, type=value_type(value))
