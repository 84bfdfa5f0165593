"""Pointers to the rows of an array, as arrays of arrays of which no extent is known.

    void f(int n, double **a, double ***u)       a: pointer to arrays, u: to arrays of arrays
    {
        double **plane = u[1];                   d_plane = d_u[1]
        a[i][j] += plane[i][j];            ->    d_plane[i][j] += d_a[i][j]
    }

Structures may have such pointers, too. What is written stays the same: shadows have the form of
what they are the shadow of. Legal where the function lets no row lead elsewhere. Like distinct
parameters, rows do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, Index, Member, Unary, VarRef, strip_parens
from g2o.ir.kernel import Function
from g2o.ir.statements import Node
from g2o.ir.traverse import children, rename_symbols, walk, with_children
from g2o.ir.types import CType, TypeKind

N = TypeVar("N", bound=Node)


def is_table(ctype: CType) -> bool:
    """Is it a pointer to pointers, in the end to real numbers?"""
    depth = 0
    while ctype.kind is TypeKind.POINTER and ctype.element is not None:
        ctype = ctype.element
        depth += 1
    return depth > 1 and ctype.kind is TypeKind.FLOATING


def with_pointer_tables(function: Function) -> Function:
    """The function with its pointers to pointers to real numbers as pointers to arrays, where it
    only reads through them."""
    used = symbols_in(function.body) | {*function.parameters}
    tables = {one: replace(one, type=_table(one.type)) for one in used if is_table(one.type)}
    members = any(isinstance(n, Member) and is_table(n.type) for n in walk(function.body))
    if not tables and not members:
        return function
    if any(_leads_elsewhere(node) for node in walk(function.body)):
        return function
    body = _retyped(rename_symbols(function.body, tables))
    parameters = tuple(tables.get(one, one) for one in function.parameters)
    return replace(function, body=body, parameters=parameters)


def _table(ctype: CType) -> CType:
    assert ctype.element is not None
    return replace(ctype, element=_rows(ctype.element))


def _rows(ctype: CType) -> CType:
    if ctype.kind is not TypeKind.POINTER or ctype.element is None:
        return ctype
    return CType(ctype.spelling, TypeKind.ARRAY, 0, element=_rows(ctype.element))


def _leads_elsewhere(node: Node) -> bool:
    """Does it change a pointer in a table, hand out its address, or count in the table?"""
    match node:
        case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
            return any(is_table(one.type) for one in _pointers_of(place))
        case Binary(op="+" | "-", left=left, right=right):
            return is_table(left.type) or is_table(right.type)
        case _:
            return False


def _pointers_of(place: Expr) -> Iterator[Expr]:
    """The pointers that an assignment to the place changes, or leads to."""
    inner = strip_parens(place)
    match inner:
        case Index(base=base) | Unary(op="*", operand=base) if inner.type.is_indirect:
            yield base
        case VarRef() | Member():
            yield inner
        case _:
            pass


def _retyped(node: N) -> N:
    """The code with the types of what tables hold."""
    old = children(node)
    new = tuple(_retyped(one) for one in old)
    if any(one is not other for one, other in zip(new, old, strict=True)):
        node = replace(with_children(node, new), form=node.form)
    match node:
        case Member(type=ctype) if is_table(ctype):
            return replace(node, type=_table(ctype))
        case Index(base=base) | Unary(op="*", operand=base):
            element = strip_parens(base).type.element
            if element is not None and _holds_rows(strip_parens(base).type):
                return replace(node, type=element)
        case _:
            pass
    return node


def _holds_rows(ctype: CType) -> bool:
    inner = ctype.element if ctype.kind is TypeKind.POINTER else ctype
    return inner is not None and inner.kind is TypeKind.ARRAY and inner.extent is None
