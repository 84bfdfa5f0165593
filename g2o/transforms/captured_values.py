"""Lambdas that are inlined keep what they have copied: values become variables of the kernel.

    auto f = [=, b = a * a](double v) { return a * b * v; };      auto a2 = a;
    a += 1.0;                                                ->   auto b = a * a;
    y[i] = f(x[i]);                                               a += 1.0;
                                                                  y[i] = a2 * b * x[i];

A copy is made where the lambda captures a variable that changes behind it, and a variable where it
has one of its own. Legal right in front of the lambda, whose declaration does nothing before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import EffectsOf
from g2o.ir.expressions import Call, Code, Expr, Form, VarRef, Verbatim
from g2o.ir.statements import Block, Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind
from g2o.transforms.functors import changes_behind, lambda_of

_NAMED: Final = re.compile(r"(&?)\s*(\w+)\s*=\s*$")
_COPIED: Final = (Storage.LOCAL, Storage.PARAMETER)


def with_captured_values(
    body: Block,
    is_inlined: Callable[[Call], bool],
    effects: EffectsOf,
    symbols: SymbolTable,
    source_names: dict[int, str],
) -> Block:
    """`body` with the values that lambdas keep as variables in front of them, for those that
    inlined calls call or are given. `source_names` get the names that lambdas have for these."""
    inlined = (node for node in walk(body) if isinstance(node, Call) and is_inlined(node))
    given = (one for call in inlined for one in call.arguments if isinstance(one, VarRef))
    made = {id(found) for one in given if (found := lambda_of(one.symbol, body)) is not None}
    if not made:
        return body

    def change(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        new: list[Stmt] = []
        for statement in node.statements:
            match statement:
                case Declare(variables=(Variable(initial=Verbatim() as kept),)) if id(kept) in made:
                    changing = changes_behind(kept, body, effects)
                    new.extend(_apart(statement, kept, changing, symbols, source_names))
                case _:
                    new.append(rewrite(statement, change))
        if all(one is old for one, old in zip(new, node.statements, strict=False)):
            return node
        return replace(node, statements=tuple(new), form=Form.BUILT)

    return rewrite(body, change)


def _apart(
    statement: Declare,
    made: Verbatim,
    changing: Set[Symbol],
    symbols: SymbolTable,
    source_names: dict[int, str],
) -> tuple[Declare, ...]:
    """The declaration of a lambda with what it keeps in front of it."""
    values = _values_of(made)
    old = sorted((made.copied or frozenset()) & changing, key=lambda one: one.id)
    copies = {
        one: symbols.fresh(one.name, one.type, Storage.LOCAL)
        for one in old
        if one.type.kind is not TypeKind.ARRAY and one.storage in _COPIED
    }
    if not values and not copies:
        return (statement,)
    source_names.update((new.id, source_names.get(one.id, one.name)) for one, new in copies.items())
    variables = [_variable(new, "", VarRef(one)) for one, new in copies.items()]
    named = {
        node.symbol.name: node.symbol
        for part in made.parts[1 if values else 0 :]
        for node in walk(part)
        if isinstance(node, VarRef)
    }
    own: dict[Symbol, Symbol] = {}
    for name, (sign, value) in values.items():
        symbol = named.get(name)
        if symbol is not None:
            own[symbol] = new = symbols.fresh(name, symbol.type, Storage.LOCAL)
            source_names[new.id] = name
            variables.append(_variable(new, sign, value))
    parts = made.parts
    if values:
        assert isinstance(parts[0], Code)
        by_name = {one.name: one for one in own}
        parts = (_with_names(parts[0], values, by_name), *parts[1:])
    behind = tuple(rename_symbols(part, copies | own) for part in parts)
    known = {copies.get(one, one) for one in made.copied or ()} | {*own.values()}
    new = replace(made, parts=behind, copied=frozenset(known), form=Form.BUILT)
    (variable,) = statement.variables
    first, *others = (*variables, replace(variable, initial=new))
    return (Declare((first,), trivia=statement.trivia), *(Declare((one,)) for one in others))


def _variable(symbol: Symbol, sign: str, value: Expr) -> Variable:
    declared = symbol.type.spelling if symbol.type.is_arithmetic else f"auto {sign}".strip()
    return Variable(symbol, declared, initial=value, initial_style="=")


def _values_of(made: Verbatim) -> dict[str, tuple[str, Expr]]:
    """The variables that a lambda has for itself, with "&" for references, and their values."""
    captures = made.parts[0] if made.parts else None
    if not isinstance(captures, Code):
        return {}
    found: dict[str, tuple[str, Expr]] = {}
    for item in _items(captures)[1:]:
        match item:
            case (str(), str() as text, value, "") if not isinstance(value, str):
                name = _NAMED.match(text)
                if name is not None:
                    found[name[2]] = (name[1], value)
            case _:
                pass
    return found


def _items(captures: Code) -> list[tuple[str | Expr, ...]]:
    """What a list captures, each behind its comma; in front of that how the list begins."""
    items: list[list[str | Expr]] = [[]]
    for piece in captures.parts[:-1]:
        if isinstance(piece, str) and piece.startswith(","):
            items.append([])
        items[-1].append(piece)
    return [tuple(item) for item in items]


def _with_names(
    captures: Code, values: Mapping[str, tuple[str, Expr]], own: Mapping[str, Symbol]
) -> Code:
    """A list that captures by their names what has had `values` there."""
    opening, *items = _items(captures)
    by_default = "&" if "&" in "".join(one for one in opening if isinstance(one, str)) else ""
    kept = list(opening)
    for item in items:
        name = _NAMED.match(item[1]) if len(item) > 1 and isinstance(item[1], str) else None
        if name is None or name[2] not in values:
            kept.extend(item)
        elif name[2] in own and name[1] != by_default:
            kept += [f", {name[1]}", VarRef(own[name[2]], form=Form.BUILT)]
    return replace(captures, parts=(*kept, "]"))
