"""Pointers to void that a kernel is handed: pointers of the one type that it reads them as.

    struct Parameters { const void *x; ... };

    scalar_t v = ((const T *)p.x)[i];     ->     scalar_t v = p.x[i];     with `const T *x`

Memory has the numbers that it is read as (C++ [basic.lval]). Legal where all conversions of a
pointer are to one type but for constness: what is read as several types stays a pointer to void.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Cast, Expr, Form, Member, Paren, VarRef, strip_parens
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind, unqualified

_Path = tuple[Symbol, *tuple[str, ...]]
"""A parameter and the members of it that lead to a pointer."""

_NOTHING: Final = CType("", TypeKind.OTHER)


def with_pointers_as_read(function: Function) -> Function:
    """`function` with such types in the place of void, in its parameters and inside of them."""
    read = _read_types(function)
    if not read:
        return function
    renames = {
        one: replace(one, type=_typed(one.type, (one,), read)) for one in function.parameters
    }
    parameters = tuple(renames[one] for one in function.parameters)
    body = rename_symbols(_without_conversions(function.body, read), renames)
    return replace(function, parameters=parameters, body=body)


def _read_types(function: Function) -> dict[_Path, CType]:
    parameters = frozenset(function.parameters)
    found: dict[_Path, dict[str, CType]] = {}
    for node in walk(function.body):
        element = node.type.element if isinstance(node, Cast) else None
        path = _path_of(node.operand, parameters) if isinstance(node, Cast) else None
        if path is None or not isinstance(node, Cast):
            continue
        if element is None or node.type.kind is not TypeKind.POINTER:
            found.setdefault(path, {})[""] = _NOTHING  # as a number, say
        elif element.kind is not TypeKind.VOID:
            name = unqualified(element)
            own = replace(element, spelling=name, is_const=False)
            found.setdefault(path, {})[name] = own
    return {
        path: one
        for path, types in found.items()
        for one in types.values()
        if len(types) == 1 and one is not _NOTHING
    }


def _path_of(expr: Expr, parameters: frozenset[Symbol]) -> _Path | None:
    """The pointer to void, of the parameters or inside of one, that an expression is."""
    inner = strip_parens(expr)
    element = value_type(inner).element
    if element is None or element.kind is not TypeKind.VOID:
        return None
    return _chain(inner, parameters)


def _chain(expr: Expr, parameters: frozenset[Symbol]) -> _Path | None:
    match strip_parens(expr):
        case VarRef(symbol=symbol) if symbol in parameters:
            return (symbol,)
        case Member(base=base, name=name, arrow=False):
            path = _chain(base, parameters)
            return None if path is None else (*path, name)
        case _:
            return None


def _typed(ctype: CType, path: _Path, read: Mapping[_Path, CType]) -> CType:
    if ctype.kind is TypeKind.POINTER and ctype.element is not None and path in read:
        element = read[path]
        if ctype.element.is_const:
            element = replace(element, spelling=f"const {element.spelling}", is_const=True)
        return replace(ctype, spelling=f"{element.spelling} *", element=element)
    if ctype.kind is not TypeKind.RECORD:
        return ctype
    fields = tuple((name, _typed(member, (*path, name), read)) for name, member in ctype.fields)
    return replace(ctype, fields=fields)


def _without_conversions(body: Block, read: Mapping[_Path, CType]) -> Block:
    """`body` with the members of those types; conversions to them are none any more."""
    parameters = frozenset(path[0] for path in read)

    def replacement(node: Node) -> Node | None:
        match node:
            case Paren(inner=Cast() as inner):
                return replacement(inner)
            case Cast(operand=operand, type=ctype) if ctype.element is not None:
                path = _path_of(operand, parameters)
                if path is None or path not in read or len(path) == 1:
                    return None
                return rewrite(strip_parens(operand), replacement)
            case Member():
                path = _path_of(node, parameters)
                if path is None or path not in read:
                    return None
                ctype = _typed(node.type, path, read)
                return replace(node, type=ctype, form=Form.PATCHED)
            case _:
                return None

    return rewrite(body, replacement)
