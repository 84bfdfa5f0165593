"""Positions of elements as polynomials in the variables of a lowered kernel."""

from __future__ import annotations

from collections.abc import Iterator

from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Declare, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, TypeKind
from g2o.polyhedral.polynomial import Polynomial


def limits_of(statements: tuple[Stmt, ...]) -> dict[str, list[Polynomial]]:
    """`const int rows = std::min(n - 1, m);`: what a name is at most."""
    found: dict[str, list[Polynomial]] = {}
    for statement in statements:
        if not isinstance(statement, Declare):
            continue
        for variable in statement.variables:
            if variable.initial is None:
                continue
            for part in _parts_of_minimum(variable.initial):
                value = polynomial_of(part, {})
                if value is not None:
                    found.setdefault(variable.symbol.name, []).append(value)
    return found


def minimum_of(expr: Expr) -> list[Expr]:
    """The arguments of a minimum, each of which it does not exceed."""
    match expr:
        case Call(name="min", arguments=arguments):
            return list(arguments)
        case Code(parts=(str(start), first, ", ", second, ")")) if (
            start == "std::min(" or start.startswith("std::min<")
        ):
            return [part for part in (first, second) if not isinstance(part, str)]
        case _:
            return []


def _parts_of_minimum(expr: Expr) -> Iterator[Expr]:
    """The same through minima of minima."""
    for part in minimum_of(strip_parens(expr)):
        yield part
        yield from _parts_of_minimum(part)


def polynomial_of(expr: Expr, known: dict[Symbol, Polynomial]) -> Polynomial | None:
    """An integer expression as a polynomial in variables, those in `known` put in."""
    value = integer_value(expr)
    if value is not None and isinstance(strip_parens(expr), Literal):
        return Polynomial.constant(value)
    match expr:
        case Paren(inner=inner):
            return polynomial_of(inner, known)
        case Cast(operand=operand, type=ctype) if ctype == INT:
            return polynomial_of(operand, known)
        case Code(parts=(only,)) if not isinstance(only, str):
            return polynomial_of(only, known)
        case VarRef(symbol=symbol):
            if symbol in known:
                return known[symbol]
            integer = symbol.type.kind is TypeKind.INTEGER and symbol.type.is_signed
            return Polynomial.name(symbol.name) if integer else None
        case Unary(op="-", operand=operand):
            inner = polynomial_of(operand, known)
            return None if inner is None else -inner
        case Binary(op="+" | "-" | "*" as op, left=left, right=right):
            first, second = polynomial_of(left, known), polynomial_of(right, known)
            if first is None or second is None:
                return None
            return first + second if op == "+" else first - second if op == "-" else first * second
        case _:
            return None
