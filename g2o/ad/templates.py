"""Rules as expressions of kernel IR: `-0.5 * r / x` with r and x put in.

Templates are read with Python's own parser. Constants fold where that keeps the text short: a
factor 1 and a term 0 do not appear.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from g2o.analysis.finite_values import largest_magnitude
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.types import BOOL, INT, CType, TypeKind

_BINARY: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
_COMPARE: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_DECIMAL: Final = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlL]?")
_RUNTIME: Final = frozenset(
    {"rsqrt", "sinpi", "cospi", "digamma", "cyl_bessel_i0", "cyl_bessel_i1"}
)
"""Functions that are not C's, but the runtime header's."""


@cache
def _parsed(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body


def instantiate(template: str, operands: Mapping[str, Expr], ctype: CType) -> Expr:
    """The template as an expression of the floating type `ctype`, with `operands` for its names."""
    return _Builder(operands, ctype).build(_folded(_parsed(template), operands))


def names_in(template: str) -> frozenset[str]:
    """The arguments, and "r", that the template asks for."""
    return frozenset(
        node.id
        for node in ast.walk(_parsed(template))
        if isinstance(node, ast.Name) and len(node.id) == 1
    )


def choice_of(
    template: str, operands: Mapping[str, Expr], ctype: CType
) -> tuple[Expr, tuple[Expr, Expr]] | None:
    """The condition and both values of a template that chooses; None for others."""
    node = _folded(_parsed(template), operands)
    if not isinstance(node, ast.IfExp):
        return None
    builder = _Builder(operands, ctype)
    condition = builder.condition(_without_needless_checks(node.test, operands))
    return condition, (builder.build(node.body), builder.build(node.orelse))


def _folded(node: ast.expr, operands: Mapping[str, Expr]) -> ast.expr:
    """The template where literals decide: `y * pow(x, y - 1.0) if y != 0.0 else 0.0` is `y * x`
    for the literal 2 as y."""
    match node:
        case ast.IfExp(
            test=ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]),
            body=body,
            orelse=orelse,
        ):
            first, second = _number(left, operands), _number(right, operands)
            if first is None or second is None:
                return node
            return _folded(body if first != second else orelse, operands)
        case ast.BinOp(left=left, op=op, right=right):
            return ast.BinOp(_folded(left, operands), op, _folded(right, operands))
        case ast.Call(func=ast.Name(id="pow") as function, args=[base, exponent]):
            power = _number(exponent, operands)
            if power is None:
                return node
            return base if power == 1.0 else ast.Call(function, [base, ast.Constant(power)], [])
        case _:
            return node


def _number(node: ast.expr, operands: Mapping[str, Expr]) -> float | None:
    """The value of a part of a template, where literals say it."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            first, second = _number(left, operands), _number(right, operands)
            return None if first is None or second is None else first - second
        case ast.Name(id=name):
            return _number_of(operands.get(name))
        case _:
            return None


def _number_of(operand: Expr | None) -> float | None:
    match operand:
        case Paren(inner=inner) | Unary(op="+", operand=inner):
            return _number_of(inner)
        case Unary(op="-", operand=inner):
            value = _number_of(inner)
            return None if value is None else -value
        case Literal(text=text) if _DECIMAL.fullmatch(text):
            return float(text.rstrip("fFlL"))
        case Cast(operand=inner, type=CType(kind=TypeKind.FLOATING | TypeKind.DEPENDENT)):
            return _number_of(inner)
        case _:
            return None


def _without_needless_checks(test: ast.expr, operands: Mapping[str, Expr]) -> ast.expr:
    """`x >= y or y != y` asks whether y is NaN: a literal never is, nor a whole number."""
    match test:
        case ast.BoolOp(
            op=ast.Or(),
            values=[first, ast.Compare(left=ast.Name(id=name), ops=[ast.NotEq()])],
        ) if _is_never_nan(operands.get(name)):
            return first
        case _:
            return test


def _is_never_nan(operand: Expr | None) -> bool:
    match operand:
        case None:
            return False
        case Paren(inner=inner) | Unary(op="-" | "+", operand=inner):
            return _is_never_nan(inner)
        case _:
            return isinstance(operand, Literal) or largest_magnitude(operand) is not None


class _Builder:
    def __init__(self, operands: Mapping[str, Expr], ctype: CType) -> None:
        self.operands = operands
        self.ctype = ctype

    def build(self, node: ast.expr) -> Expr:
        match node:
            case ast.Name(id=name):
                return _operand(self.operands[name])
            case ast.Constant(value=int() as whole):
                return Literal(str(whole), whole, INT)
            case ast.Constant(value=float() as value):
                return constant(value, self.ctype)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return constant(-float(value), self.ctype)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Unary("-", self._factor(operand), type=self.ctype)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(_BINARY[type(op)], left, right)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return Conditional(
                    self.condition(test), self.build(body), self.build(orelse), self.ctype
                )
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(name, [self.build(argument) for argument in arguments])
            case _:
                raise AssertionError(f"not a template: {ast.dump(node)}")

    def _binary(self, op: str, left: ast.expr, right: ast.expr) -> Expr:
        first = self._operand_of(op, left, is_right=False)
        second = self._operand_of(op, right, is_right=True)
        return Binary(op, first, second, self.ctype)

    def _operand_of(self, op: str, node: ast.expr, is_right: bool) -> Expr:
        built = self.build(node)
        if not isinstance(built, (Binary, Conditional)):
            return built
        if isinstance(built, Conditional):
            return Paren(built, self.ctype)
        tight = op in "*/"
        loose = built.op in "+-"
        if (tight and loose) or (is_right and op in "-/") or (is_right and op == "*" and loose):
            return Paren(built, self.ctype)
        return built

    def _factor(self, node: ast.expr) -> Expr:
        built = self.build(node)
        if isinstance(built, Binary) and built.op in "+-":
            return Paren(built, self.ctype)
        return Paren(built, self.ctype) if isinstance(built, Conditional) else built

    def condition(self, node: ast.expr) -> Expr:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return Binary(_COMPARE[type(op)], self.build(left), self.build(right), BOOL)
            case ast.BoolOp(op=op, values=[first, second]):
                word = "&&" if isinstance(op, ast.And) else "||"
                return Binary(word, self.condition(first), self.condition(second), BOOL)
            case _:
                raise AssertionError(f"not a condition: {ast.dump(node)}")

    def _call(self, name: str, arguments: list[Expr]) -> Expr:
        spelled = f"{name}f" if self.ctype.bits == 32 else name
        prefix = "g2o::" if name in _RUNTIME else ""
        callee = Literal(f"{prefix}{spelled}")
        known = self.ctype.kind is TypeKind.FLOATING and self.ctype.bits in (32, 64)
        key = "" if prefix or not known else f"c:@F@{spelled}"
        return Call(spelled, callee, tuple(arguments), type=self.ctype, key=key)


def constant(value: float, ctype: CType) -> Literal:
    """A floating literal as a person would write it: `0.5f`, `2.0`."""
    text = repr(value)
    return Literal(f"{text}f" if ctype.bits == 32 else text, None, ctype)


def _operand(expr: Expr) -> Expr:
    """`expr` so that it can stand beside any operator."""
    if isinstance(expr, (VarRef, Literal, Call, Paren)) or not _is_compound(expr):
        return expr
    return Paren(expr, expr.type)


def _is_compound(expr: Expr) -> bool:
    return isinstance(expr, (Binary, Conditional, Unary))
