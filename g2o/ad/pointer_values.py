"""What pointers of a thread are set to, and which of them move."""

from __future__ import annotations

from collections.abc import Iterable

from g2o.ir.expressions import (
    Assign,
    Binary,
    Conditional,
    Expr,
    Index,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


def pointer_values(body: Block, parameters: tuple[Symbol, ...]) -> dict[Symbol, list[Expr]]:
    """Pointers of the thread whose address nobody takes, with all that they are set to."""
    found: dict[Symbol, list[Expr]] = {
        one: [] for one in parameters if one.type.kind is TypeKind.POINTER
    }
    taken: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol.type.kind is TypeKind.POINTER and not one.suffix:
                        found.setdefault(one.symbol, [])
                        if one.initial is not None:
                            found[one.symbol].append(one.initial)
                    elif one.symbol.type.kind is TypeKind.REFERENCE and one.initial is not None:
                        taken |= {n.symbol for n in walk(one.initial) if isinstance(n, VarRef)}
            case Assign(op="=", target=VarRef(symbol=symbol), value=value):
                if symbol.type.kind is TypeKind.POINTER:
                    found.setdefault(symbol, []).append(value)
            case Unary(op="&", operand=VarRef(symbol=symbol)):
                taken.add(symbol)
            case _:
                pass
    return {
        symbol: given
        for symbol, given in found.items()
        if symbol not in taken and symbol.storage in (Storage.LOCAL, Storage.PARAMETER)
    }


def moving_pointers(body: Block) -> set[Symbol]:
    """Pointers that go to another place of their array."""
    found: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Unary(op="++" | "--", operand=operand):
                target = strip_parens(operand)
            case Assign(op="+=" | "-=", target=target):
                target = strip_parens(target)
            case Assign(op="=", target=VarRef(symbol=symbol) as target, value=value):
                if all(pointer_root(one) != symbol for one in alternatives([value])):
                    continue
            case _:
                continue
        if isinstance(target, VarRef) and target.symbol.type.kind is TypeKind.POINTER:
            found.add(target.symbol)
    return found


def alternatives(values: Iterable[Expr]) -> list[Expr]:
    """The values, each that a condition chooses for itself."""
    found: list[Expr] = []
    for value in values:
        inner = strip_parens(value)
        if isinstance(inner, Conditional):
            found += alternatives((inner.if_true, inner.if_false))
        else:
            found.append(value)
    return found


def pointer_root(pointer: Expr) -> Symbol | None:
    """The variable that a pointer is made from by moving it."""
    match strip_parens(pointer):
        case VarRef(symbol=symbol):
            return symbol if symbol.type.kind in (TypeKind.POINTER, TypeKind.ARRAY) else None
        case Binary(op="+", left=left, right=right):
            first = pointer_root(left)
            return first if first is not None else pointer_root(right)
        case Binary(op="-", left=left, right=right):
            return pointer_root(left) if pointer_root(right) is None else None
        case Unary(op="&", operand=operand):
            match strip_parens(operand):
                case Index(base=base):
                    return pointer_root(base) if is_flat(base) else None
                case Unary(op="*", operand=inner):
                    return pointer_root(inner)
                case _:
                    return None
        case Unary(op="++" | "--", operand=operand):
            return pointer_root(operand)
        case _:
            return None


def is_flat(base: Expr) -> bool:
    """Is an element of it no array?"""
    element = base.type.element
    return element is not None and element.kind is not TypeKind.ARRAY
