"""Tables of rows that structures of a C function hold, as variables beside these.

    Field f = {n, table(n), 0};              Field f = {n, 0, 0};
    f.h = table(n);                          double **f_e = table(n), **f_h = 0;
    f.e[i][j] = f.h[j][i];           ->      f_h = table(n);
                                             f_e[i][j] = f_h[j][i];

Legal where the structure is never looked at as a whole, nor by its address. What rows of a variable
are is known (`row_tables.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from g2o.ir.expressions import Expr, Form, InitList, Literal, Member, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.transforms.dead_nulls import without_dead_nulls

_NULL: Final = Literal("0", 0, INT)


def with_member_tables_apart(body: Block, symbols: SymbolTable) -> Block:
    """`body` with them apart. `symbols` are those of the function, which gets new ones."""
    declared = [
        variable
        for node in walk(body)
        if isinstance(node, Block)
        for one in node.statements
        if isinstance(one, Declare)
        for variable in one.variables
        if _holds_tables(variable)
    ]
    if not declared:
        return body
    names = {one.symbol for one in declared}
    uses = Counter(n.symbol for n in walk(body) if isinstance(n, VarRef) and n.symbol in names)
    members = Counter(
        base.symbol
        for node in walk(body)
        if isinstance(node, Member) and isinstance(base := strip_parens(node.base), VarRef)
    )
    apart = {
        (one, name): symbols.fresh(f"{one.name}_{name}", ctype, Storage.LOCAL)
        for one in sorted(names, key=lambda symbol: symbol.id)
        if uses[one] == members[one]
        for name, ctype in one.type.fields
        if _is_table(ctype)
    }
    return without_dead_nulls(_replaced(body, apart)) if apart else body


def _is_table(ctype: CType) -> bool:
    element = ctype.element
    of_pointers = element is not None and element.kind is TypeKind.POINTER
    return ctype.kind is TypeKind.POINTER and of_pointers


def _holds_tables(variable: Variable) -> bool:
    symbol, value = variable.symbol, variable.initial
    known = value is None or isinstance(value, InitList)
    is_own = symbol.storage is Storage.LOCAL and symbol.type.kind is TypeKind.RECORD
    return is_own and known and any(_is_table(one) for _, one in symbol.type.fields)


def _replaced(body: Block, apart: Mapping[tuple[Symbol, str], Symbol]) -> Block:
    whole = {structure for structure, _ in apart}

    def replacement(node: Node) -> Node | None:
        match node:
            case Member(base=base, name=name, arrow=False):
                inner = strip_parens(base)
                known = apart.get((inner.symbol, name)) if isinstance(inner, VarRef) else None
                return None if known is None else VarRef(known, span=node.span)
            case Block(statements=statements) if any(map(is_whole, statements)):
                made = tuple(rewrite(o, replacement) for s in statements for o in _apart(s, apart))
                return replace(node, statements=made, form=Form.BUILT)
            case _:
                return None

    def is_whole(statement: Stmt) -> bool:
        declares = isinstance(statement, Declare)
        return declares and any(one.symbol in whole for one in statement.variables)

    return rewrite(body, replacement)


def _apart(statement: Stmt, apart: Mapping[tuple[Symbol, str], Symbol]) -> Iterator[Stmt]:
    if not isinstance(statement, Declare):
        yield statement
        return
    tables: list[Stmt] = []
    variables: list[Variable] = []
    for variable in statement.variables:
        value, symbol = variable.initial, variable.symbol
        own = {name: new for (one, name), new in apart.items() if one == symbol}
        elements: list[Expr] = list(value.elements) if isinstance(value, InitList) else []
        for at, (name, ctype) in enumerate(symbol.type.fields):
            if name not in own:
                continue
            given = elements[at] if at < len(elements) else None if value is None else _NULL
            if at < len(elements):
                elements[at] = _NULL
            style = "" if given is None else "="
            tables.append(Declare((Variable(own[name], ctype.spelling, "", given, style),)))
        if own and isinstance(value, InitList) and elements:
            whole = replace(value, elements=tuple(elements), form=Form.BUILT)
            variable = replace(variable, initial=whole)
        variables.append(variable)
    yield replace(statement, variables=tuple(variables), form=Form.BUILT)
    yield from tables
