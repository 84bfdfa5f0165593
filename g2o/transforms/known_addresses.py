"""Conditions that ask whether there is an object, where its address is given.

    void add(double x, double *sum) { if (sum) *sum += x; }
    add(x, &total);                                          ->    total += x;

Legal because the address of a variable, or of a part of one, is never null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from g2o.ir.expressions import (
    Binary,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Empty, If, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import TypeKind

N = TypeVar("N", bound=Node)


def with_known_addresses(node: N, known: Mapping[Symbol, bool]) -> N:
    """`node` without choices that such conditions make. `known` are pointers that lead to an object
    throughout, or nowhere."""

    def replacement(node: Node) -> Node | None:
        match node:
            case If(condition=condition, then=then, otherwise=otherwise):
                truth = _truth(condition, known)
                if truth is None:
                    return None
                taken = then if truth else otherwise
                if taken is None:
                    return Empty(trivia=node.trivia)
                return rewrite(replace(taken, trivia=node.trivia), replacement)
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                truth = _truth(condition, known)
                return (
                    None if truth is None else rewrite(if_true if truth else if_false, replacement)
                )
            case Binary(op="&&", left=left, right=right) if _truth(left, known):
                return rewrite(right, replacement)
            case Binary(op="&&", left=left, right=right) if _truth(right, known):
                return rewrite(left, replacement)
            case _:
                return None

    return rewrite(node, replacement)


def leads_somewhere(pointer: Expr) -> bool | None:
    """Is it the address of an object, or null? None where nobody knows."""
    inner = strip_parens(pointer)
    if isinstance(inner, Unary) and inner.op == "&":
        return True if _is_object(inner.operand) else None
    return False if _is_null(inner) else None


def _truth(condition: Expr, known: Mapping[Symbol, bool]) -> bool | None:
    """What the condition is, where addresses decide it."""
    match strip_parens(condition):
        case VarRef(symbol=symbol):
            return known.get(symbol)
        case Unary(op="&") | Literal(text="nullptr") as pointer:
            return leads_somewhere(pointer)
        case Unary(op="!", operand=inner):
            truth = _truth(inner, known)
            return None if truth is None else not truth
        case Binary(op="==" | "!=" as op, left=left, right=right):
            pointer, other = (left, right) if _is_null(right) else (right, left)
            if not _is_null(other) or pointer.type.kind is not TypeKind.POINTER:
                return None
            truth = _truth(pointer, known)
            return None if truth is None else truth == (op == "!=")
        case _:
            return None


def _is_object(place: Expr) -> bool:
    """Is it a variable, or a part of one?"""
    match strip_parens(place):
        case VarRef():
            return True
        case Member(base=base, arrow=False):
            return _is_object(base)
        case Index(base=base) if base.type.kind is TypeKind.ARRAY:
            return _is_object(base)
        case _:
            return False


def _is_null(expr: Expr) -> bool:
    inner = strip_parens(expr)
    return isinstance(inner, Literal) and (inner.text in ("nullptr", "NULL") or inner.value == 0)
