"""Sums of one iteration that go to the sum of all of them, and nowhere else.

    #pragma omp parallel for reduction(+ : all)     #pragma omp parallel for reduction(+ : sum_a)
    for (int i = 0; i < count; ++i) {               for (int i = 0; i < count; ++i) {
        float sum_a = 0.0f;                             if (x[i] > a)
        if (x[i] > a)                         ->            sum_a += d_y[i];
            sum_a += d_y[i];                            sum_a += x[i] * d_y[i];
        sum_a += x[i] * d_y[i];                     }
        all += sum_a;
    }

A sum that begins with its first part is added to with that part.

Legal because additions to shadows have no order. What a loop inside of the iteration adds up stays
apart: it may be a sum in vectors.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import final

from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    Jump,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType

_ZEROS = ("0", "0.0", "0.0f")


@final
@dataclass(frozen=True, slots=True)
class OwnSum:
    """`symbol` is declared, added to, and given to the one addition `call`."""

    symbol: Symbol
    call: Call


def own_sum(loop: CountedLoop, calls: Collection[Call]) -> OwnSum | None:
    """The sum of an iteration that the only addition to a place, of `calls`, is given."""
    if len(calls) != 1:
        return None
    (call,) = calls
    value = call.arguments[1]
    if not isinstance(value, VarRef):
        return None
    symbol = value.symbol
    for node in walk(loop.body):
        if not isinstance(node, Block) or not any(_is_of(one, call) for one in node.statements):
            continue
        declared = [one for one in node.statements if _declares(one, symbol)]
        named = sum(isinstance(one, VarRef) and one.symbol == symbol for one in walk(loop.body))
        updates = sum(_updates(one, symbol) for one in node.statements)
        if len(declared) == 1 and named == updates + 1 and _is_last(node, call, symbol):
            return OwnSum(symbol, call)
    return None


def without_own_sums(body: Stmt, sums: Collection[OwnSum]) -> Stmt:
    """`body` without the declarations of the sums, and without the additions they were for."""
    symbols = {one.symbol for one in sums}
    calls = {id(one.call) for one in sums}

    def left(statement: Stmt) -> Stmt | None:
        match statement:
            case Declare(variables=(Variable(symbol=symbol, initial=first),)) if (
                symbol in symbols and first is not None
            ):
                if isinstance(first, Literal) and first.text in _ZEROS:
                    return None
                return replace(added(VarRef(symbol), first, symbol.type), trivia=statement.trivia)
            case ExprStatement(expr=expr) if id(expr) in calls:
                return None
            case _:
                return rewrite(statement, replacement)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        rest = [left(one) for one in node.statements]
        if all(new is old for new, old in zip(rest, node.statements, strict=True)):
            return node
        statements = tuple(one for one in rest if one is not None)
        return replace(node, statements=statements, form=Form.BUILT)

    return rewrite(body, replacement)


def added(place: Expr, value: Expr, ctype: CType) -> ExprStatement:
    """`place += value;`, or `place -= value;` of what has a minus in front."""
    inner = strip_parens(value)
    if isinstance(inner, Unary) and inner.op == "-":
        return ExprStatement(Assign("-=", place, strip_parens(inner.operand), ctype))
    return ExprStatement(Assign("+=", place, value, ctype))


def _is_of(statement: Stmt, call: Call) -> bool:
    return isinstance(statement, ExprStatement) and statement.expr is call


def _declares(statement: Stmt, symbol: Symbol) -> bool:
    """Is it `float symbol = first;`?"""
    match statement:
        case Declare(variables=(Variable(symbol=declared, initial=first),)):
            return declared == symbol and first is not None
        case _:
            return False


def _updates(node: Node, symbol: Symbol) -> int:
    """How often the symbol is added to outside of further loops."""
    if isinstance(node, (CountedLoop, For, While, DoWhile)):
        return 0
    return sum(_is_update(one, symbol) for one in _outside_loops(node))


def _outside_loops(node: Node) -> list[Node]:
    inside = {
        id(inner)
        for loop in walk(node)
        if isinstance(loop, (CountedLoop, For, While, DoWhile))
        for inner in walk(loop)
    }
    return [one for one in walk(node) if id(one) not in inside]


def _is_update(node: Node, symbol: Symbol) -> bool:
    match node:
        case ExprStatement(expr=Assign(op="+=" | "-=", target=VarRef(symbol=target), value=value)):
            return target == symbol and not _names(value, symbol)
        case _:
            return False


def _names(expr: Expr, symbol: Symbol) -> bool:
    return any(isinstance(one, VarRef) and one.symbol == symbol for one in walk(expr))


def _is_last(block: Block, call: Call, symbol: Symbol) -> bool:
    """Does the addition `call` always come, and behind all that is added to the sum? Not where
    something may leave before it, or name variables in a way that cannot be seen here."""
    if any(isinstance(one, (Text, LocalFunction, Jump, Return)) for one in walk(block)):
        return False
    place = next(n for n, one in enumerate(block.statements) if _is_of(one, call))
    return not any(_updates(one, symbol) for one in block.statements[place + 1 :])
