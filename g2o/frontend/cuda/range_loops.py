"""Loops over the elements of an array, as the loops over its indices that they are.

    for (double a : v)             for (int k = 0; k < 4; ++k) {
        sum += a * a;        ->        double a = v[k];
                                       sum += a * a;
                                   }

The text stays that of the source for as long as only the body changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Final

from g2o.frontend.cuda.build_expressions import ExpressionBuilder
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.read_types import read_type
from g2o.ir.expressions import Binary, Form, Index, Literal, Member, Unary, VarRef
from g2o.ir.statements import Block, Declare, For, Stmt, Variable
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, CType, TypeKind

_PLACES: Final = (VarRef, Member, Index, Literal)


def range_loop(
    expressions: ExpressionBuilder, cursor: Cursor, build: Callable[[Cursor], Stmt]
) -> For | None:
    """The loop, whose body `build` reads; None where the number of elements is not known, or
    finding the array is more than naming it."""
    if len(cursor.children) != 3 or expressions.unit.in_macro_body(cursor):
        return None
    variable, array, body = cursor.children
    extent = _extent(read_type(array.type))
    if variable.kind != "VAR_DECL" or not variable.spelling or extent is None:
        return None
    whole = expressions.build(array)
    if not all(isinstance(node, _PLACES) for node in walk(whole)):
        return None
    span = expressions.span(cursor)
    inside = set(re.findall(r"\w+", span.text))
    name = next(n for n in map(_index_name, count()) if n not in inside)
    at = VarRef(expressions.symbols.fresh(name, INT, Storage.LOCAL), form=Form.PRISTINE)
    ctype = read_type(variable.type.canonical)
    symbol = expressions.declare(variable, Storage.LOCAL, ctype)
    element = ctype.element if ctype.element is not None and ctype.is_indirect else ctype
    value = Index(whole, at, element, form=Form.PRISTINE)
    text = expressions.unit.renamed(variable, variable.begin, variable.name_offset).strip()
    first = Declare((Variable(symbol, text, "", value, "="),), form=Form.PRISTINE)
    inner = build(body)
    statements = inner.statements if isinstance(inner, Block) else (inner,)
    return For(
        Declare((Variable(at.symbol, "int", "", _number(0), "="),), form=Form.PRISTINE),
        Binary("<", at, _number(extent), BOOL, form=Form.PRISTINE),
        Unary("++", at, type=INT, form=Form.PRISTINE),
        Block((first, *statements), form=Form.PRISTINE),
        span=span if inner.span is None else span.to(inner.span),
        form=Form.PRISTINE,
    )


def _index_name(attempt: int) -> str:
    return f"k{attempt + 1}" if attempt else "k"


def _extent(ctype: CType) -> int | None:
    whole = ctype.element if ctype.kind is TypeKind.REFERENCE else ctype
    return None if whole is None else whole.extent


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT, form=Form.PRISTINE)
