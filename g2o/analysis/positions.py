"""Positions of elements as polynomials in the variables of a lowered kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Declare, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, CType, TypeKind
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


@final
@dataclass(frozen=True, slots=True)
class _Form:
    """A number as a polynomial: exactly that, or that modulo two to the power of `bits`."""

    number: Polynomial
    bits: int = 0

    def within(self, ctype: CType) -> _Form | None:
        """The same as a number of a type; None where what was lost on the way shows there."""
        if ctype.kind is not TypeKind.INTEGER or ctype.bits < INT.bits:
            return None
        return None if 0 < self.bits < ctype.bits else self


@final
@dataclass(frozen=True, slots=True)
class Positions:
    """Integers as polynomials in numbers that have names. `values` are variables that keep the
    value of their declaration, which names nothing that changes."""

    values: Mapping[Symbol, Expr]

    def of(self, expr: Expr) -> Polynomial | None:
        """What an expression is, modulo what its type holds."""
        found = self._form(expr)
        return None if found is None else found.number

    def is_exact(self, expr: Expr) -> bool:
        """Does it not wrap around?"""
        found = self._form(expr)
        return found is not None and not found.bits

    def _form(self, expr: Expr) -> _Form | None:
        value = integer_value(expr)
        if value is not None:
            return _Form(Polynomial.constant(value))
        match expr:
            case Paren(inner=inner):
                return self._form(inner)
            case Code(parts=parts) if (inner := only_part(parts)) is not None:
                return self._form(inner)
            case Cast(operand=operand, type=ctype):
                found = self._form(operand)
                return None if found is None else found.within(ctype)
            case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.INTEGER:
                value = self.values.get(symbol)
                known = None if value is None else self._form(value)
                known = None if known is None else known.within(symbol.type)
                return known or _Form(Polynomial.name(name_of(symbol)))
            case Member(base=VarRef(symbol=symbol), name=name, arrow=False) if (
                expr.type.kind is TypeKind.INTEGER
            ):
                return _Form(Polynomial.name(f"{name_of(symbol)}.{name}"))
            case Unary(op="-", operand=operand):
                return self._combined("-", Literal("0", 0, INT), operand, expr.type)
            case Binary(op="<<", left=left, right=right):
                by = integer_value(right)
                if by is None or not 0 <= by < INT.bits - 1:
                    return None
                return self._combined("*", left, Literal("", 1 << by, INT), expr.type)
            case Binary(op="+" | "-" | "*" as op, left=left, right=right):
                return self._combined(op, left, right, expr.type)
            case _:
                return None

    def _combined(self, op: str, left: Expr, right: Expr, ctype: CType) -> _Form | None:
        first, second = self._form(left), self._form(right)
        first = None if first is None else first.within(ctype)
        second = None if second is None else second.within(ctype)
        if first is None or second is None:
            return None
        one, other = first.number, second.number
        found = {"+": one + other, "-": one - other, "*": one * other}[op]
        exact = ctype.is_signed and not first.bits and not second.bits
        return _Form(found, 0 if exact else ctype.bits)


def only_part(parts: tuple[str | Expr, ...]) -> Expr | None:
    """What stands in parentheses, or is converted to the other type of 32 bits."""
    match parts:
        case (str() as opened, inner, ")") if not isinstance(inner, str):
            if opened == "(" or (opened in ("int(", "unsigned(") and inner.type.bits == INT.bits):
                return inner
        case (only,) if not isinstance(only, str):
            return only
        case _:
            pass
    return None


def name_of(symbol: Symbol) -> str:
    """The name of a number in a polynomial: variables may share theirs."""
    return f"{symbol.name}#{symbol.id}"
