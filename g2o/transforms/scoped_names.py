"""Variables that were only named apart from others of the kernel get the names of the source back.

    for (int offset = 16; ...) ...            for (int offset = 16; ...) ...
    for (int offset2 = 16; ...) ...     ->    for (int offset = 16; ...) ...

Inlined functions, values that get a variable of their own and loops that lowering makes all draw
their names from one table, so that passes may move them anywhere. What they are called in the end
depends on their scopes alone: a name is free for a variable where nothing around its scope has the
name, and nothing in it names or declares another such thing, also not in text that no pass looks
into.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from g2o.ir.expressions import Call, Code, Literal, Member, VarRef, Verbatim
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rename_symbols, walk, with_children

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")


def give_names_back(lowered: LoweredKernel) -> LoweredKernel:
    """`lowered` with the names that its variables wish for, wherever those are free."""
    around = {one.name for one in lowered.function.parameters}
    around |= {lowered.grid.name, lowered.block.name}
    if lowered.shared_bytes is not None:
        around.add(lowered.shared_bytes.name)
    body = _sequence(lowered.body, frozenset(around))
    return lowered if body is lowered.body else replace(lowered, body=body)


def _sequence(statements: tuple[Stmt, ...], around: frozenset[str]) -> tuple[Stmt, ...]:
    """The statements of one scope; `around` are the names of those that enclose it."""
    declared = [one for statement in statements for one in _declared_by(statement)]
    new = _renamed(statements, declared, around)
    inside = around.union(*map(_names_declared, new))
    return _changed(new, tuple(_inside(statement, inside) for statement in new))


def _inside(statement: Stmt, around: frozenset[str]) -> Stmt:
    """`statement`, which is in a scope with the names `around`, with the scopes in it changed."""
    match statement:
        case Block(statements=old):
            new = _sequence(old, around)
            return statement if new is old else replace(statement, statements=new)
        case For(initial=Declare() as head):
            (statement,) = _renamed((statement,), list(_declared_by(head)), around)
            assert isinstance(statement, For)
            assert statement.initial is not None
            around |= _names_declared(statement.initial)
        case CountedLoop(index=index):
            (statement,) = _renamed((statement,), [index], around)
            assert isinstance(statement, CountedLoop)
            around |= {statement.index.name}
        case LocalFunction(parameters=parameters):
            around |= {one.name for one in parameters}
        case _:
            pass
    old_parts = children(statement)
    parts = tuple(_part(part, around) for part in old_parts)
    same = all(part is old for part, old in zip(parts, old_parts, strict=True))
    return statement if same else with_children(statement, parts)


def _part(part: Node, around: frozenset[str]) -> Node:
    if not isinstance(part, Stmt) or isinstance(part, Declare):
        return part  # the head of a loop is of the scope of the loop
    return _sequence((part,), around)[0]


def _changed(old: tuple[Stmt, ...], new: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    return old if all(one is other for one, other in zip(old, new, strict=True)) else new


# -- one scope ------------------------------------------------------------------------------------


def _renamed(
    statements: tuple[Stmt, ...], declared: list[Symbol], around: frozenset[str]
) -> tuple[Stmt, ...]:
    """The scope with those of its variables renamed that can be."""
    wishes = [one for one in declared if one.wish and one.wish != one.name]
    if not wishes:
        return statements
    bound = {name for statement in statements for name in _names_bound(statement)}
    spelled = {name for statement in statements for name in _names_spelled(statement)}
    new: dict[Symbol, Symbol] = {}
    for symbol in wishes:
        if symbol.wish in around or symbol.wish in bound or symbol.wish in spelled:
            continue
        if symbol.name in spelled:
            continue
        bound.add(symbol.wish)
        new[symbol] = replace(symbol, name=symbol.wish)
    return tuple(rename_symbols(one, new) for one in statements) if new else statements


def _declared_by(statement: Stmt) -> Iterator[Symbol]:
    if isinstance(statement, Declare):
        for variable in statement.variables:
            yield variable.symbol


def _names_declared(statement: Stmt) -> frozenset[str]:
    """What the statement makes known to those behind it, with anything that its text may mean."""
    match statement:
        case Declare(variables=variables):
            return frozenset(variable.symbol.name for variable in variables)
        case DeclareTypes(names=names):
            return frozenset(names)
        case Text():
            return frozenset(_names_spelled(statement))
        case LocalFunction(name=name):
            return frozenset((name,))
        case _:
            return frozenset()


def _names_bound(statement: Stmt) -> Iterator[str]:
    """Names of the variables that the statement names or declares, at any depth."""
    for node in walk(statement):
        match node:
            case VarRef(symbol=symbol) | CountedLoop(index=symbol):
                yield symbol.name
            case Declare(variables=variables):
                yield from (variable.symbol.name for variable in variables)
            case LocalFunction(parameters=parameters):
                yield from (one.name for one in parameters)
            case _:
                pass


def _names_spelled(statement: Stmt) -> Iterator[str]:
    """Names in text that is printed as it is."""
    for node in walk(statement):
        for text in _texts(node):
            yield from _IDENTIFIER.findall(text)


def _texts(node: Node) -> Iterator[str]:
    match node:
        case Text(parts=parts) | Code(parts=parts):
            yield from (part for part in parts if isinstance(part, str))
        case CountedLoop(pragma=pragma):
            yield pragma
        case Declare(variables=variables):
            for variable in variables:
                yield variable.declared
                yield variable.suffix
        case Call(name=name) | Member(name=name) | LocalFunction(name=name):
            yield name
        case Literal(text=text):
            yield text
        case DeclareTypes(names=names):
            yield from names
        case Verbatim(span=span) if span is not None:
            yield span.text
        case _:
            pass
