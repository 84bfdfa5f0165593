"""Shadows of arrays of objects whose constructors may give their members other values than 0.

Vec3 d_v[4] = g2o::zero<...>;    ->    Vec3 d_v[4];
                                       for (int k = 0; k < 4; ++k)
                                           d_v[k] = g2o::zero<Vec3>();

Few of them get a list, which asks for no constructor without arguments.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ad.increments import is_all_zeros, no_numbers
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Unary,
    VarRef,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite_statements
from g2o.ir.types import BOOL, INT, TypeKind

_FEW = 4  # elements, which a list names


def with_zeroed_objects(statements: tuple[Stmt, ...], symbols: SymbolTable) -> tuple[Stmt, ...]:
    """`statements` with loops that set the elements of such arrays to 0."""

    def expanded(inner: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        new: list[Stmt] = []
        for one in inner:
            match one:
                case Declare(variables=(variable,)) if _is_zeroed_array(variable):
                    new += _apart(one, variable, symbols)
                case _:
                    new.append(rewrite_statements(one, replacement))
        return tuple(new)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        new = expanded(node.statements)
        same = len(new) == len(node.statements) and all(
            one is other for one, other in zip(new, node.statements, strict=True)
        )
        return node if same else replace(node, statements=new, form=Form.BUILT)

    return expanded(statements)


def _is_zeroed_array(variable: Variable) -> bool:
    is_array = variable.symbol.type.kind is TypeKind.ARRAY
    return is_array and isinstance(variable.initial, Call) and is_all_zeros(variable.initial)


def _apart(declare: Declare, variable: Variable, symbols: SymbolTable) -> list[Stmt]:
    ctype = variable.symbol.type
    element = ctype.element
    if element is not None and element.kind is TypeKind.RECORD and 0 < (ctype.extent or 0) <= _FEW:
        listed = InitList((no_numbers(element),) * (ctype.extent or 0), ctype)
        given = replace(variable, initial=listed, initial_style="=")
        return [replace(declare, variables=(given,), form=Form.BUILT)]
    place: Expr = VarRef(variable.symbol)
    loops: list[tuple[Declare, Expr, Expr]] = []
    for extent in variable.extents:
        index = symbols.fresh("k", INT, Storage.LOCAL)
        start = Declare((Variable(index, "int", "", Literal("0", 0, INT), "="),))
        more = Binary("<", VarRef(index), extent, BOOL)
        loops.append((start, more, Unary("++", VarRef(index), type=INT)))
        element = place.type.element
        assert element is not None
        place = Index(place, VarRef(index), element)
    body: Stmt = ExprStatement(Assign("=", place, no_numbers(place.type), place.type))
    for start, more, step in reversed(loops):
        body = For(start, more, step, body)
    bare = replace(variable, initial=None, initial_style="")
    return [replace(declare, variables=(bare,), form=Form.BUILT), body]
