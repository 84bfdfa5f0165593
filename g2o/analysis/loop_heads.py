"""Heads of loops that count: `for (index = first; index < bound; index += step)`."""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Literal,
    Unary,
    VarRef,
    is_variable,
    strip_parens,
)
from g2o.ir.statements import Declare, ExprStatement, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, TypeKind

MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ONE: Final = Literal("1", 1, INT)


def start_of(initial: Stmt | None) -> tuple[Symbol, Expr] | None:
    """The whole number that a loop counts, and what it begins with."""
    match initial:
        case Declare(variables=(Variable(symbol=symbol, initial=first),)) if first is not None:
            found = symbol, first
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=first)):
            found = symbol, first
        case _:
            return None
    return found if found[0].type.kind is TypeKind.INTEGER else None


def step_of(increment: Expr, index: Symbol) -> tuple[Expr, bool] | None:
    """By how much an increment changes an index, and whether that falls."""
    match strip_parens(increment):
        case Unary(op="++" | "--" as op, operand=operand) if is_variable(operand, index):
            return _ONE, op == "--"
        case Assign(op="+=" | "-=" as op, target=target, value=value) if is_variable(target, index):
            return value, op == "-="
        case Assign(op="=", target=target, value=value) if is_variable(target, index):
            match strip_parens(value):
                case Binary(op="+" | "-" as op, left=left, right=right) if is_variable(left, index):
                    return right, op == "-"
                case Binary(op="+", left=left, right=right) if is_variable(right, index):
                    return left, False
                case _:
                    return None
        case _:
            return None
