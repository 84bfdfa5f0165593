"""Conversions of an object to the class that it has, as bases convert themselves to what derives.

    const D &self() const { return *static_cast<const D *>(this); }       // of Base<D>

    Vec v;    ...    (*(const Vec *)&v).x    ->    v.x

Behind such a method, where that is inlined, stands the object itself (the curiously recurring
template pattern).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Cast, Expr, Unary, strip_parens
from g2o.ir.statements import Block, Declare, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind, unqualified

_TO_REFERENCE: Final = re.compile(r"static_cast\s*<[^()]*&\s*>")


def without_casts_to_own_class(body: Block) -> Block:
    """`body` without conversions of objects, and of their addresses, to what they are."""
    if not any(isinstance(node, Cast) and _class_of(node) for node in walk(body)):
        return body
    return rewrite(body, _replacement)


def with_known_references(body: Block) -> Block:
    """`body` in which references of types that a template leaves open have the class of the object
    that they refer to, where that is called the same."""
    known: dict[Symbol, Symbol] = {}
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            ctype, initial = one.symbol.type, one.initial
            element = ctype.element
            if ctype.kind is not TypeKind.REFERENCE or element is None or initial is None:
                continue
            meant = value_type(initial)
            is_open = element.kind is TypeKind.DEPENDENT and meant.kind is TypeKind.RECORD
            if is_open and unqualified(element) == unqualified(meant):
                meant = replace(meant, spelling=element.spelling, is_const=element.is_const)
                known[one.symbol] = replace(one.symbol, type=replace(ctype, element=meant))
    return rename_symbols(body, known) if known else body


def _replacement(node: Node) -> Node | None:
    match node:
        case Cast(operand=operand, type=ctype) if _class_of(node):
            inner = _inside(operand)
            bare = strip_parens(inner)
            place = bare
            if ctype.kind is TypeKind.POINTER:
                if not isinstance(bare, Unary) or bare.op != "&":
                    return None
                place = strip_parens(bare.operand)
            known = value_type(place)
            same = known.kind is TypeKind.RECORD and unqualified(known) == _class_of(node)
            return bare if same else None
        case Unary(op="*" | "&" as op, operand=operand):
            inner = _inside(operand)
            bare = strip_parens(inner)
            other = "&" if op == "*" else "*"
            made = inner is not operand and isinstance(bare, Unary) and bare.op == other
            return strip_parens(bare.operand) if made and isinstance(bare, Unary) else None
        case _:
            return None


def _inside(operand: Expr) -> Expr:
    new = rewrite(operand, _replacement)
    assert not isinstance(new, Stmt)
    return new


def _class_of(cast: Cast) -> str:
    """The class that a conversion to a pointer or reference names; "" for others."""
    ctype = cast.type
    if ctype.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
        meant = ctype.element
    else:  # of the type of what a reference refers to
        meant = ctype if cast.span is not None and _TO_REFERENCE.match(cast.span.text) else None
    is_class = meant is not None and meant.kind in (TypeKind.RECORD, TypeKind.DEPENDENT)
    return unqualified(meant) if is_class and meant is not None else ""
