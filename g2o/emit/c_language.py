"""Loops and expressions in C: what C++ has a shorter way to say for.

g2o::atomic_add(&d_x[i], v);      #pragma omp atomic
                            ->    d_x[i] += v;
*d_a += sum_a;              ->    d_a += sum_a;              // the shadow of a scalar
float(x)                    ->    (float)x
double d_t[3] = {};         ->    double d_t[3] = {0};
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from g2o.ir.expressions import (
    Assign,
    Call,
    Cast,
    Code,
    Expr,
    Form,
    InitList,
    Literal,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, Node, Stmt, Text, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT

_ONLY_CXX: Final = re.compile(r"::|\[&\]|\bauto\b|\bconstexpr\b|\btemplate\b|\bnullptr\b|<int>\(")
_ATOMIC: Final = "g2o::atomic_add"
_EXCHANGE: Final = "g2o::atomic_exch"


def in_c(statements: tuple[Stmt, ...], scalars: Collection[Symbol]) -> tuple[Stmt, ...]:
    """`statements` in C. `scalars` are pointers that stand for variables of the same name."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Unary(op="*", operand=VarRef(symbol=symbol)) if symbol in scalars:
                return VarRef(symbol)
            case Unary(op="*", operand=Paren(inner=VarRef(symbol=symbol))) if symbol in scalars:
                return VarRef(symbol)
            case Block(statements=inner) if any(_is_atomic(one) or _takes(one) for one in inner):
                return replace(node, statements=_sequence(inner), form=Form.BUILT)
            case CountedLoop(body=body) if _is_atomic(body):
                return rewrite(replace(node, body=Block((body,))), replacement)
            case Cast(operand=operand, type=ctype, form=Form.BUILT) if ctype.converts_by_name:
                inner = rewrite(operand, replacement)
                return Code((f"({_spelled(ctype.spelling)})", Paren(inner, inner.type)), type=ctype)
            case Declare(variables=variables):
                return replace(node, variables=tuple(_declared(v, replacement) for v in variables))
            case _:
                return None

    def _sequence(inner: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for one in inner:
            if _is_atomic(one):
                made += _atomic(one, replacement)
            elif isinstance(one, Declare) and _takes(one) is not None:
                made += _taken(one, replacement)
            else:
                made.append(rewrite(one, replacement))
        return tuple(made)

    return _sequence(statements)


def is_c(text: str) -> bool:
    """Is there nothing of C++ alone in what has been written?"""
    return _ONLY_CXX.search(text) is None


def _is_atomic(statement: Stmt) -> bool:
    match statement:
        case ExprStatement(expr=Call(callee=Literal(text=text))):
            return text.startswith(_ATOMIC)
        case _:
            return False


def _atomic(statement: Stmt, replacement: Callable[[Node], Node | None]) -> list[Stmt]:
    assert isinstance(statement, ExprStatement)
    call = statement.expr
    assert isinstance(call, Call)
    address, value = (rewrite(one, replacement) for one in call.arguments)
    place: Expr = Unary("*", address)
    if isinstance(address, Unary) and address.op == "&":
        place = address.operand
    elif isinstance(address, VarRef):
        place = rewrite(place, replacement)
    pragma = Text(("#pragma omp atomic",), trivia=statement.trivia)
    return [pragma, ExprStatement(Assign("+=", place, value, call.type))]


def _takes(statement: Stmt) -> Call | None:
    """The call that gives a variable what is in a place, and leaves something else there."""
    match statement:
        case Declare(variables=(Variable(initial=Call(callee=Literal(text=text)) as call),)):
            return call if text.startswith(_EXCHANGE) else None
        case _:
            return None


def _taken(statement: Declare, replacement: Callable[[Node], Node | None]) -> list[Stmt]:
    call = _takes(statement)
    assert call is not None
    address, left = (rewrite(one, replacement) for one in call.arguments)
    place = address.operand if isinstance(address, Unary) else Unary("*", address)
    (variable,) = statement.variables
    bare = replace(
        variable, declared=variable.declared.removeprefix("const "), initial=None, initial_style=""
    )
    exchange = (
        ExprStatement(Assign("=", VarRef(variable.symbol), place, call.type)),
        ExprStatement(Assign("=", place, left, call.type)),
    )
    pragma = Text(("#pragma omp atomic capture",), trivia=statement.trivia)
    return [Declare((bare,)), pragma, Block(exchange)]


def _declared(variable: Variable, replacement: Callable[[Node], Node | None]) -> Variable:
    initial = variable.initial
    if initial is not None:
        initial = rewrite(initial, replacement)
    if isinstance(initial, InitList) and not initial.elements and initial.said is None:
        initial = InitList((Literal("0", 0, INT),))
    return replace(variable, declared=_spelled(variable.declared), initial=initial)


def _spelled(ctype: str) -> str:
    return re.sub(r"\bbool\b", "_Bool", ctype)
