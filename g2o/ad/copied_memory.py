"""Memory that is copied or set to 0 as a whole, number by number.

    memcpy(v, x + 4 * i, sizeof(v));    ->    for (int k = 0; k < 4; ++k)
                                                  v[k] = x[4 * i + k];
    memset(s, 0, n * sizeof(double));   ->    for (int k = 0; k < n; ++k)
                                                  s[k] = 0.0;

Legal where both sides have elements of one type, and the number of bytes says how many there are.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from g2o.ad.increments import zero
from g2o.ad.reals import carries, is_real, unqualified
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    is_primary,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Declare, ExprStatement, For, Node, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT, CType, TypeKind

_SIZE: Final = re.compile(r"sizeof\s*\(?\s*(.*?)\s*\)?$", re.DOTALL)
_FIRST: Final = re.compile(r"\*\s*(\w+)|(\w+)\s*\[\s*0\s*\]")


def with_memory_copied(kernel: Kernel) -> Kernel:
    """`kernel` with loops in place of memcpy and memset on numbers."""
    symbols = SymbolTable(continued=kernel.function.symbols)

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(
                expr=Call(name="memcpy" | "memset" as name, arguments=(to, what, size))
            ):
                loop = _loop(name, strip_parens(to), strip_parens(what), size, symbols)
                return None if loop is None else replace(loop, trivia=node.trivia, span=node.span)
            case _:
                return None

    body = rewrite(kernel.body, replacement)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _loop(name: str, to: Expr, what: Expr, size: Expr, symbols: SymbolTable) -> For | None:
    element = _element(to)
    if element is None or not carries(element):
        return None
    sides = (to,)
    if name == "memcpy":
        other = _element(what)
        if other is None or unqualified(other) != unqualified(element):
            return None
        sides = (to, what)
    elif not is_real(element) or not isinstance(what, Literal) or what.value != 0:
        return None
    count = _count(strip_parens(size), element, sides)
    if count is None:
        return None
    index = symbols.fresh("k", INT, Storage.LOCAL)
    place = _at(to, VarRef(index), element)
    value = _at(what, VarRef(index), element) if name == "memcpy" else zero(element)
    start = Declare((Variable(index, "int", "", Literal("0", 0, INT), "="),))
    more = Binary("<", VarRef(index), count, BOOL)
    step = Unary("++", VarRef(index), type=INT)
    return For(start, more, step, ExprStatement(Assign("=", place, value, element)))


def _element(pointer: Expr) -> CType | None:
    if isinstance(pointer, Unary) and pointer.op == "&":
        return pointer.operand.type if isinstance(pointer.operand, Index) else None
    known = pointer.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
    element = pointer.type.element if known else None
    return None if element is None or element.kind is TypeKind.ARRAY else element


def _count(size: Expr, element: CType, sides: tuple[Expr, ...]) -> Expr | None:
    """How many elements there are in that many bytes."""
    match size:
        case Literal(value=int() as value) if is_real(element) and element.bits:
            count, rest = divmod(value, element.bits // 8)
            return None if rest else Literal(str(count), count, INT)
        case Verbatim():
            whole = [one.type.extent for one in sides if _is_whole(size, one)]
            if whole and whole[0] is not None:
                return Literal(str(whole[0]), whole[0], INT)
            return Literal("1", 1, INT) if _is_of_element(size, element, sides) else None
        case Binary(op="*", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if _is_of_element(strip_parens(one), element, sides):
                    return other
            return None
        case _:
            return None


def _is_whole(size: Verbatim, side: Expr) -> bool:
    """Is it the size of an array?"""
    is_array = isinstance(side, VarRef) and side.type.kind is TypeKind.ARRAY
    return is_array and isinstance(side, VarRef) and _measured(size) == side.symbol.name


def _is_of_element(size: Expr, element: CType, sides: tuple[Expr, ...]) -> bool:
    if not isinstance(size, Verbatim):
        return False
    measured = _measured(size)
    if measured == unqualified(element):
        return True
    first = _FIRST.fullmatch(measured)
    names = {one.symbol.name for one in sides if isinstance(one, VarRef)}
    return first is not None and (first[1] or first[2]) in names


def _measured(size: Verbatim) -> str:
    """What stands behind `sizeof`."""
    found = _SIZE.fullmatch(size.span.text) if size.span is not None else None
    return "" if found is None else found[1]


def _at(pointer: Expr, index: Expr, element: CType) -> Expr:
    match pointer:
        case Unary(op="&", operand=Index(base=base, index=first)):
            return Index(base, _sum(first, index), element)
        case Binary(op="+", left=base, right=first) if base.type.kind is TypeKind.POINTER:
            return Index(base, _sum(first, index), element)
        case _:
            base = pointer if is_primary(pointer) else Paren(pointer, pointer.type)
            return Index(base, index, element)


def _sum(first: Expr, index: Expr) -> Expr:
    return Binary("+", first, index, first.type)
