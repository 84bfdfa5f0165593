"""Which variables keep the value of their declaration, and which names mean one variable only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import EffectsOf
from g2o.ir.expressions import Assign, Call, Code, Expr, Form, Unary, VarRef
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    ExprStatement,
    For,
    If,
    Node,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind, unqualified

_AROUND_OTHERS: Final = (Block, CountedLoop, DoWhile, ExprStatement, For, If, While)
"""Statements that write nothing but what their parts write."""
_SCOPES: Final = (Block, For, If, Switch, While)


def declared_once(body: Node) -> set[str]:
    """Names that `body` declares at one place: nothing inside hides them."""
    count: Counter[str] = Counter()
    for node in walk(body):
        if isinstance(node, Declare):
            count.update(variable.symbol.name for variable in node.variables)
        elif isinstance(node, DeclareTypes):
            count.update(node.names)
    return {name for name, times in count.items() if times == 1}


def hiding_others(
    body: Node, parameters: Iterable[Symbol], origins: Mapping[Symbol, Symbol]
) -> set[Symbol]:
    """Variables of inner scopes that hide another under their name: a parameter, a variable of a
    scope around theirs, or one of the file that `body` names. Those of one origin are one."""
    declared = {
        variable.symbol
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
    }
    named = {node.symbol for node in walk(body) if isinstance(node, VarRef)}
    outer = {symbol.name: symbol for symbol in named - declared}
    outer.update((symbol.name, symbol) for symbol in parameters)
    found: set[Symbol] = set()

    def visit(node: Node, visible: dict[str, Symbol]) -> None:
        if isinstance(node, _SCOPES):
            visible = dict(visible)
        for child in children(node):
            visit(child, visible)
        if isinstance(node, Declare):
            for symbol in (variable.symbol for variable in node.variables):
                before = visible.setdefault(symbol.name, symbol)
                if origins.get(before, before) != origins.get(symbol, symbol):
                    found.add(symbol)
                visible[symbol.name] = symbol

    visit(body, outer)
    return found


def constants_of(body: Node, effects: EffectsOf) -> dict[Symbol, Expr]:
    """Numbers that keep the value of their declaration, with what that is."""
    written = written_after_declaration(body, effects)
    return {
        variable.symbol: variable.initial
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.initial is not None
        and variable.symbol.type.is_arithmetic
        and variable.symbol not in written
    }


def written_after_declaration(body: Node, effects: EffectsOf) -> set[Symbol]:
    """Variables that something other than their declaration may change."""
    written: set[Symbol] = set()

    def visit(node: Node) -> None:
        if isinstance(node, _AROUND_OTHERS):
            for child in children(node):
                visit(child)
            return
        if isinstance(node, Declare):
            for variable in node.variables:
                if variable.initial is not None:
                    visit(variable.initial)
                    if variable.symbol.type.kind is TypeKind.REFERENCE:
                        written.update(effects.of(node).writes - {variable.symbol})
            return
        if isinstance(node, (Assign, Unary, Call, Code)) or not children(node):
            written.update(effects.of(node).writes)
            return
        inner = children(node)
        below = effects.of(node).writes
        if not below:
            return
        for child in inner:
            visit(child)
        own = below - effects.of_all(inner).writes
        written.update(own)

    visit(body)
    return written


def with_variables(declare: Declare, variables: Iterable[Variable]) -> Declare:
    """The declaration of others: it is not printed as the source spells it."""
    return replace(declare, variables=tuple(variables), form=Form.BUILT)


def without_value(variable: Variable) -> Variable:
    """The declaration of a number or pointer without its value, which comes later."""
    declared, ctype = variable.declared.rstrip(), variable.symbol.type
    is_open = "auto" in declared.replace("*", " ").split()
    if is_open and (ctype.is_arithmetic or ctype.kind is TypeKind.POINTER):
        declared = unqualified(ctype)
    elif declared.endswith("const"):  # of a pointer
        declared = declared.removesuffix("const").rstrip()
    elif ctype.kind is not TypeKind.POINTER:
        declared = " ".join(word for word in declared.split() if word != "const")
    return replace(variable, declared=declared, initial=None, initial_style="")
