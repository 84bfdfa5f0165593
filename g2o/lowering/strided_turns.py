"""Turns that a remainder picks are a stride apart.

    for (int t = 0; t < n; ++t)                 for (int t = 0; t < n; t += 2 * s)
        if (t % (2 * s) == 0)           ->          x[t] += x[t + s];
            x[t] += x[t + s];

    for (int t = 0; t < n; ++t)                 for (int t = s - 1; t < n; t += s)
        if ((t + 1) % s == 0)           ->          x[t] += x[t - s / 2];
            x[t] += x[t - s / 2];

Legal where the divisor is the same in all turns, above zero, and small enough that no index
overflows: a number, or the counter of a loop around that starts above zero and grows to a known end
(the number of threads is one), or falls from such a number and ends above zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.loop_heads import MIRRORED, start_of
from g2o.ir.comments import around_both
from g2o.ir.directives import NO_DIRECTIVE, SIMD
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, For, If, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import DIM3, LoweringContext, bound_for
from g2o.lowering.guards import all_of, conjuncts
from g2o.lowering.indices import block_of
from g2o.lowering.stride_forms import bare_number
from g2o.lowering.stride_loops import collapsed_loops

_ZERO: Final = Literal("0", 0, INT)
_ONE: Final = Literal("1", 1, INT)
_MOST: Final = 1 << 20  # what a counter may come to
_THREADS: Final = 1024  # of a block, at most
_GROWING: Final = frozenset({"*=", "<<=", "+="})
_FALLING: Final = frozenset({"/=", ">>="})

Counters = Mapping[Symbol, int]
"""Counters that are above zero where they are known, and what they come to at most."""


def with_strided_turns(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with such loops over threads."""
    collapsed = collapsed_loops(statements)
    effects = context.effects

    def below(counters: Counters) -> Callable[[Node], Node | None]:
        def replacement(node: Node) -> Node | None:
            match node:
                case For(body=body) if (known := _counter(node, effects)) is not None:
                    new = rewrite(body, below({**counters, known[0]: known[1]}))
                    return node if new is body else replace(node, body=new, form=Form.BUILT)
                case CountedLoop() if id(node) not in collapsed:
                    return _strided(node, counters, effects)
                case _:
                    return None

        return replacement

    whole = block_of(statements)
    made = rewrite(whole, below({}))
    return statements if made is whole else statements_of(made)


def _strided(loop: CountedLoop, counters: Counters, effects: EffectsOf) -> CountedLoop | None:
    index, plain = loop.index, loop.directive in (NO_DIRECTIVE, SIMD)
    if loop.step is not None or integer_value(loop.lower) != 0 or not plain:
        return None
    if index.storage is not Storage.INDEX or index.type.kind is not TypeKind.INTEGER:
        return None
    *declares, last = statements_of(loop.body)
    match last:
        case If(condition=condition, then=then, otherwise=None, is_constexpr=False):
            pass
        case _:
            return None
    if not all(isinstance(one, Declare) and effects.of(one).is_pure for one in declares):
        return None
    asked = conjuncts(condition, negate=False)
    for place, (one, negated) in enumerate(asked):
        found = None if negated else _remainder(one, index)
        if found is None or not _is_small(found[0], counters):
            continue
        divisor, is_last = found
        if symbols_in(divisor) & effects.of(loop.body).writes:
            continue
        others = [*asked[:place], *asked[place + 1 :]]
        if any(is_negated for _, is_negated in others):
            return None
        first = Binary("-", divisor, _ONE, divisor.type) if is_last else _ZERO
        inner = statements_of(then)
        if others:
            inner = (If(all_of([other for other, _ in others]), block_of(inner)),)
        return replace(
            loop,
            lower=bound_for(index.type, first),
            body=block_of((*declares, *inner)),
            step=bound_for(index.type, strip_parens(divisor)),
            directive=NO_DIRECTIVE,
            trivia=around_both(loop.trivia, last.trivia),
            form=Form.BUILT,
        )
    return None


def _remainder(condition: Expr, index: Symbol) -> tuple[Expr, bool] | None:
    """The divisor in `index % divisor == 0`, and whether `index + 1` is divided."""
    match strip_parens(condition):
        case Binary(op="==", left=left, right=right):
            pass
        case _:
            return None
    for one, other in ((left, right), (right, left)):
        if integer_value(other) != 0:
            continue
        match strip_parens(one):
            case Binary(op="%", left=divided, right=divisor) if index not in symbols_in(divisor):
                bare = bare_number(divided)
            case _:
                continue
        if is_variable(bare, index):
            return divisor, False
        match bare:
            case Binary(op="+", left=first, right=second):
                for added, number in ((first, second), (second, first)):
                    if is_variable(bare_number(added), index) and integer_value(number) == 1:
                        return divisor, True
            case _:
                pass
    return None


def _is_small(divisor: Expr, counters: Counters) -> bool:
    most = _most(divisor, counters)
    return most is not None and most <= _MOST


def _most(expr: Expr, counters: Counters) -> int | None:
    """What a number above zero is at most; None where it may be another one."""
    known = integer_value(expr)
    if known is not None:
        return known if known > 0 else None
    match bare_number(expr):
        case VarRef(symbol=symbol):
            return counters.get(symbol)
        case Member(base=VarRef(symbol=symbol)) if symbol.type == DIM3 and symbol.name == "block":
            return _THREADS
        case Binary(op="*", left=left, right=right):
            one, other = _most(left, counters), _most(right, counters)
            return None if one is None or other is None else one * other
        case Binary(op="<<", left=left, right=right):
            one, by = _most(left, counters), integer_value(right)
            return None if one is None or by is None or not 0 <= by < 20 else one << by
        case _:
            return None


def _counter(loop: For, effects: EffectsOf) -> tuple[Symbol, int] | None:
    """The counter of a loop that stays above zero in its body, and what it comes to at most."""
    found = start_of(loop.initial)
    if found is None or loop.condition is None or loop.increment is None:
        return None
    symbol, start = found
    if symbol.type.bits < 32 or symbol in effects.of(loop.body).writes:
        return None
    condition = strip_parens(loop.condition)
    if not isinstance(condition, Binary):
        return None
    op, end = condition.op, condition.right
    if not is_variable(bare_number(condition.left), symbol):
        op, end = MIRRORED.get(op, op), condition.left
        if not is_variable(bare_number(condition.right), symbol):
            return None
    step = _stepped(loop.increment, symbol)
    if op in ("<", "<=") and step == "grows":
        first, last = integer_value(start), _most(end, {})
        return (symbol, last) if last is not None and first is not None and first > 0 else None
    least = integer_value(end)
    ends_above = least is not None and (
        (op == ">" and least >= 0) or (op == ">=" and least > 0) or (op == "!=" and least == 0)
    )
    if ends_above and step == "falls":
        first = _at_start(start)
        return None if first is None else (symbol, first)
    return None


def _at_start(start: Expr) -> int | None:
    """What a counter starts with at most: that of a loop that falls need not be above zero."""
    match bare_number(start):
        case Binary(op="/" | ">>", left=left):
            return _most(left, {})
        case _:
            return _most(start, {})


def _stepped(increment: Expr, symbol: Symbol) -> str | None:
    """Does the counter grow, by a factor or by numbers above zero, or is it halved and the like?"""
    match strip_parens(increment):
        case Unary(op="++", operand=operand) if is_variable(operand, symbol):
            return "grows"
        case Assign(op=op, target=target, value=value) if is_variable(target, symbol):
            amount = integer_value(value)
            least = 2 if op in ("*=", "/=") else 1
            if op in _GROWING | _FALLING and amount is not None and least <= amount < 20:
                return "grows" if op in _GROWING else "falls"
            if op == "+=" and is_variable(bare_number(value), symbol):
                return "grows"
            return _assigned(strip_parens(value), symbol) if op == "=" else None
        case _:
            return None


def _assigned(value: Expr, symbol: Symbol) -> str | None:
    match value:
        case Binary(op="*" | "<<" | "/" | ">>" as op, left=left, right=right):
            amount = integer_value(right)
            if is_variable(bare_number(left), symbol) and amount is not None:
                least = 2 if op in "*/" else 1
                grows = op in ("*", "<<")
                return None if not least <= amount < 20 else "grows" if grows else "falls"
            other = integer_value(left)
            doubled = op == "*" and other is not None and 2 <= other < 20
            return "grows" if doubled and is_variable(bare_number(right), symbol) else None
        case _:
            return None
