"""Conditions on pointers of which it is known whether they lead anywhere.

    const double *b = w + 3;                const double *b = w + 3;
    double *c = NULL;                       double *c = NULL;
    y[0] = b ? b[i] : 0.0;           ->     y[0] = b[i];
    if (c != NULL)
        c[i] = y[0];

Functions of the file that are inlined are told so by their callers. What points into an array, or
is so many elements from another pointer, leads somewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.ir.expressions import (
    Binary,
    Cast,
    Conditional,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Empty, If, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind
from g2o.transforms.dead_nulls import is_null

_LEADS: Final = (TypeKind.POINTER, TypeKind.ARRAY)


def with_known_pointers(body: Block, effects: EffectsOf) -> Block:
    """The body without the conditions that are decided so."""
    conditions = (one.condition for one in walk(body) if isinstance(one, If | Conditional))
    if not any(_asks(one) for one in conditions):
        return body
    known = _known(body, written_after_declaration(body, effects))

    def replacement(node: Node) -> Node | None:
        match node:
            case If(condition=condition, then=then, otherwise=otherwise):
                held = _holds(condition, known)
                if held is None:
                    return None
                left = then if held else otherwise
                return Empty(trivia=node.trivia) if left is None else rewrite(left, replacement)
            case Conditional(condition=condition, if_true=one, if_false=other):
                held = _holds(condition, known)
                if held is None:
                    return None
                chosen = rewrite(one if held else other, replacement)
                return chosen if isinstance(strip_parens(chosen), VarRef) else _paren(chosen)
            case _:
                return None

    return rewrite(body, replacement)


def _paren(expr: Expr) -> Expr:
    return expr if isinstance(expr, Paren | Literal) else Paren(expr, expr.type)


def _asks(condition: Expr) -> bool:
    return any(
        isinstance(node, Expr) and (node.type.kind in _LEADS or is_null(node))
        for node in walk(condition)
    )


def _known(body: Block, written: Collection[Symbol]) -> dict[Symbol, bool]:
    """Pointers that stay what they begin with, and whether they lead anywhere."""
    found: dict[Symbol, bool] = {}
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            is_pointer = one.symbol.type.kind is TypeKind.POINTER
            if one.initial is None or not is_pointer or one.symbol in written:
                continue
            leads = _leads(one.initial, found)
            if leads is not None:
                found[one.symbol] = leads
    return found


def _leads(pointer: Expr, known: Mapping[Symbol, bool]) -> bool | None:
    """Does a pointer lead anywhere? None: that is not known."""
    inner = strip_parens(pointer)
    if is_null(inner):
        return False
    match inner:
        case VarRef(symbol=symbol):
            return True if symbol.type.kind is TypeKind.ARRAY else known.get(symbol)
        case Cast(operand=operand) if operand.type.kind in _LEADS:
            return _leads(operand, known)
        case Unary(op="&"):
            return True
        case Binary(op="+" | "-", left=left, right=right):
            return True if left.type.kind in _LEADS or right.type.kind in _LEADS else None
        case _:
            return None


def _holds(condition: Expr, known: Mapping[Symbol, bool]) -> bool | None:
    match strip_parens(condition):
        case Unary(op="!", operand=operand):
            held = _holds(operand, known)
            return None if held is None else not held
        case Binary(op="==" | "!=" as op, left=left, right=right) if (
            left.type.kind in _LEADS and is_null(right)
        ):
            leads = _leads(left, known)
            return None if leads is None else leads == (op == "!=")
        case Binary(op="&&" | "||" as op, left=left, right=right):
            held = _holds(left, known)
            if held is None or held == (op == "||"):
                return held
            return _holds(right, known)
        case inner if inner.type.kind in _LEADS:
            return _leads(inner, known)
        case _:
            return None
