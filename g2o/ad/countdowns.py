"""Loops that count down in their condition, as loops that count in their heads.

    for (int i = n; i-- > 0;)              for (int i = n - 1; i >= 0; --i)
        s += x[i] * s;             ->          s += x[i] * s;

    for (size_t i = n; i--;)               for (size_t i = n; i > 0; --i) {
        s += x[i] * s;             ->          const size_t i2 = i - 1;
                                               s += x[i2] * s;
                                           }

Legal where nothing else changes the counter: the numbers that the body sees are the same. One less
than what a counter begins with is only known where that has a sign as well.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import statements_of
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
    integer_value,
    moved_by,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, For, Node, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, INT, TypeKind, unqualified

_ZERO = Literal("0", 0, INT)


def with_plain_countdowns(body: Block, symbols: SymbolTable) -> Block:
    """`body` with such loops in the other form."""

    def replacement(node: Node) -> Node | None:
        return _plain(node, symbols) if isinstance(node, For) else None

    return rewrite(body, replacement)


def _plain(loop: For, symbols: SymbolTable) -> For | None:
    match loop:
        case For(
            initial=Declare(variables=(variable,)) as begun, condition=condition, increment=None
        ):
            symbol, first = variable.symbol, variable.initial
        case _:
            return None
    if symbol.type.kind is not TypeKind.INTEGER or first is None or condition is None:
        return None
    if not _counts_down(condition, symbol) or any(_changes(n, symbol) for n in walk(loop.body)):
        return None
    inner = with_plain_countdowns(Block(statements_of(loop.body)), symbols)
    ctype, counter = symbol.type, VarRef(symbol)
    down = Unary("--", counter, type=ctype)
    given = value_type(first)
    if ctype.is_signed and given.is_signed and given.bits <= ctype.bits:
        start = replace(variable, initial=moved_by(first, -1, ctype), initial_style="=")
        return replace(
            loop,
            initial=replace(begun, variables=(start,), form=Form.BUILT),
            condition=Binary(">=", counter, _ZERO, BOOL),
            increment=down,
            body=inner,
            form=Form.BUILT,
        )
    own = symbols.fresh(symbol.name, replace(ctype, is_const=False), Storage.LOCAL)
    less = Binary("-", counter, Literal("1", 1, INT), ctype)
    declared = Declare((Variable(own, f"const {unqualified(ctype)}", "", less, "="),))
    renamed = rename_symbols(inner, {symbol: own})
    return replace(
        loop,
        condition=Binary(">", counter, _ZERO, BOOL),
        increment=down,
        body=Block((declared, *renamed.statements)),
        form=Form.BUILT,
    )


def _counts_down(condition: Expr, symbol: Symbol) -> bool:
    """`i-- > 0`, `0 < i--`, `i-- != 0` or `i--`."""
    inner = strip_parens(condition)
    match inner:
        case Binary(op=">" | "!=", left=left, right=right) if integer_value(right) == 0:
            inner = strip_parens(left)
        case Binary(op="<" | "!=", left=left, right=right) if integer_value(left) == 0:
            inner = strip_parens(right)
        case _:
            pass
    match inner:
        case Unary(op="--", operand=VarRef(symbol=counted), postfix=True):
            return counted == symbol
        case _:
            return False


def _changes(node: Node, symbol: Symbol) -> bool:
    match node:
        case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
            return strip_parens(place) == VarRef(symbol)
        case _:
            return False
