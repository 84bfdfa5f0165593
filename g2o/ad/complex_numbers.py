"""Arithmetic of cuComplex.h as the numbers that it gives.

    z = cuCmul(a, b);    is    z = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
    cuCabs(z)                  hypot(z.x, z.y)

The text keeps the calls, whose derivatives are those of the numbers. Legal for all arguments that
only read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from g2o.ad.components import component
from g2o.ad.reals import fields_of
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Refusal
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Expr,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Node
from g2o.ir.traverse import rewrite, walk

_Number = tuple[Expr, Expr]
_PARTS: Final = ("x", "y")


def with_complex_numbers(body: Block, functions: FunctionTable) -> Block:
    """`body` with the values of complex arithmetic as lists of two numbers."""
    if not any(isinstance(node, Call) and _operation(node) for node in walk(body)):
        return body
    effects = functions.for_node(body)

    def replacement(node: Node) -> Node | None:
        if isinstance(node, InitList) and node.said is not None:
            return node  # of an adjoint, in which its calls are numbers by now
        operation = _operation(node) if isinstance(node, Call) else None
        if not isinstance(node, Call) or operation is None:
            return None
        arguments = [rewrite(one, replacement) for one in node.arguments]
        if not all(effects.is_pure(_as_said(one)) for one in arguments):
            return None
        try:
            made = operation(*map(_parts, arguments))
        except Refusal:
            return None  # a value whose numbers are not known
        if not isinstance(made, tuple):
            return made
        said = replace(node, arguments=tuple(map(_as_said, arguments)))
        return InitList(made, node.type, said=said, span=node.span)

    return rewrite(body, replacement)


def _as_said(value: Expr) -> Expr:
    return value.said if isinstance(value, InitList) and value.said is not None else value


def _operation(call: Call) -> Callable[..., _Number | Expr] | None:
    return _OPERATIONS.get(call.name.removesuffix("f"))


def _parts(value: Expr) -> _Number:
    """Both numbers; that of a real one, which is no complex number, twice."""
    fields = dict(fields_of(value.type))
    if not fields:
        return value, value
    first, second = (
        component(strip_parens(value), Member(value, part, type=fields[part])) for part in _PARTS
    )
    return first, second


def _factor(expr: Expr) -> Expr:
    simple = isinstance(expr, (VarRef, Literal, Member, Call, Paren))
    return expr if simple else Paren(expr, expr.type)


def _product(left: Expr, right: Expr) -> Expr:
    return Binary("*", _factor(left), _factor(right), left.type)


def _term(expr: Expr) -> Expr:
    return expr if isinstance(expr, Binary) and expr.op == "*" else _factor(expr)


def _sum(left: Expr, right: Expr) -> Expr:
    return Binary("+", left, _term(right), left.type)


def _difference(left: Expr, right: Expr) -> Expr:
    return Binary("-", left, _term(right), left.type)


def _add(a: _Number, b: _Number) -> _Number:
    return _sum(a[0], b[0]), _sum(a[1], b[1])


def _subtract(a: _Number, b: _Number) -> _Number:
    return _difference(a[0], b[0]), _difference(a[1], b[1])


def _multiply(a: _Number, b: _Number) -> _Number:
    real = _difference(_product(a[0], b[0]), _product(a[1], b[1]))
    return real, _sum(_product(a[0], b[1]), _product(a[1], b[0]))


def _divide(a: _Number, b: _Number) -> _Number:
    norm = Paren(_sum(_product(b[0], b[0]), _product(b[1], b[1])), b[0].type)
    real, imaginary = _multiply(a, _conjugate(b))
    return (
        Binary("/", Paren(real, real.type), norm, real.type),
        Binary("/", Paren(imaginary, imaginary.type), norm, real.type),
    )


def _conjugate(a: _Number) -> _Number:
    return a[0], Unary("-", _factor(a[1]), type=a[1].type)


def _fused(a: _Number, b: _Number, c: _Number) -> _Number:
    return _add(_multiply(a, b), c)


def _real(a: _Number) -> Expr:
    return _factor(a[0])


def _imaginary(a: _Number) -> Expr:
    return _factor(a[1])


def _absolute(a: _Number) -> Expr:
    name = "hypotf" if a[0].type.bits == 32 else "hypot"
    return Call(name, Literal(name), a, type=a[0].type)


def _made(x: _Number, y: _Number) -> _Number:
    return x[0], y[0]


def _converted(name: str, bits: int) -> Callable[[_Number], _Number]:
    def operation(a: _Number) -> _Number:
        ctype = replace(a[0].type, spelling=name, bits=bits)
        return Cast(a[0], ctype), Cast(a[1], ctype)

    return operation


_OPERATIONS: Final[dict[str, Callable[..., _Number | Expr]]] = {
    "make_cuComplex": _made,
    "make_cuFloatComplex": _made,
    "make_cuDoubleComplex": _made,
    "cuCreal": _real,
    "cuCimag": _imaginary,
    "cuConj": _conjugate,
    "cuCadd": _add,
    "cuCsub": _subtract,
    "cuCmul": _multiply,
    "cuCdiv": _divide,
    "cuCabs": _absolute,
    "cuCfma": _fused,
    "cuComplexDoubleToFloat": _converted("float", 32),
    "cuComplexFloatToDouble": _converted("double", 64),
}
"""What the functions give, from both numbers of each argument; those for floats end in `f`."""
