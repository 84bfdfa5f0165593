"""Loops over threads whose guards all hold where that of the last thread does.

                                                 if (first + 2 * (THREADS - 1) < n) {
                                                     #pragma omp simd
    for (int t = 0; t < THREADS; ++t)                for (int t = 0; t < THREADS; ++t)
        if (first + 2 * t < n)             ->            x[first + 2 * t] = s[t];
            x[first + 2 * t] = s[t];             } else {
                                                     ... as before
                                                 }

Legal because what the guards compare with the same limit grows with the index of the thread. It
pays where guards could not become bounds of the loop (`bounded_loops.py`), and what they guard is
straight-line arithmetic: all blocks but the last lie inside as a whole.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Conditional,
    Expr,
    Literal,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    ExprStatement,
    If,
    Node,
    Stmt,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT
from g2o.lowering.context import LoweringContext, substitute
from g2o.lowering.guards import conjuncts
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import collapsed_loops, is_over_threads
from g2o.lowering.turn_guards import Guards, LoopBody, expanded, is_signed

_LEAST_THREADS = 8


def split_off_whole_blocks(
    context: LoweringContext, statements: tuple[Stmt, ...]
) -> tuple[Stmt, ...]:
    """Give loops over threads a version without guards."""
    guards = Guards(context.effects, context.counters)
    collapsed = collapsed_loops(statements)

    def replacement(node: Node) -> Node | None:
        if isinstance(node, CountedLoop) and is_over_threads(node, collapsed):
            return _versions(node, guards)
        return None

    return tuple(rewrite(statement, replacement) for statement in statements)


def _versions(loop: CountedLoop, guards: Guards) -> Stmt | None:
    extent = loop.upper
    if not isinstance(extent, Literal) or not extent.type.is_signed or loop.step is not None:
        return None
    if integer_value(loop.lower) != 0 or (extent.value or _LEAST_THREADS) < _LEAST_THREADS:
        return None
    body = guards.body(loop)
    if body is None:
        return None
    conditions: list[Expr] = []
    inside: list[Stmt] = []
    for statement in body.rest:
        found = _without_guard(statement)
        if found is None:
            inside.append(statement)
            continue
        condition, then = found
        conditions += [part for part, _ in conjuncts(condition, negate=False)]
        inside += then
    if not conditions:
        return None
    last = Paren(Binary("-", extent, Literal("1", 1, INT), INT), INT)
    limits = [_of_last(body, condition, last, guards) for condition in conditions]
    known = [limit for limit in limits if limit is not None]
    whole = block_of((*body.needed(inside), *inside))
    if len(known) < len(limits) or not may_vectorise(whole):
        return None
    plain = replace(loop, body=whole, pragma="omp simd", trivia=NO_TRIVIA)
    first = body.rest[0]
    told = replace(loop.trivia, before=(*loop.trivia.before, *first.trivia.before))
    guarded = (*body.declares, replace(first, trivia=NO_TRIVIA), *body.rest[1:])
    rest = replace(loop, body=block_of(guarded), trivia=NO_TRIVIA)
    return If(_strongest(known), Block((plain,)), Block((rest,)), trivia=told)


def _without_guard(statement: Stmt) -> tuple[Expr, tuple[Stmt, ...]] | None:
    """The condition of a statement, and what is done where it holds."""
    match statement:
        case If(condition=condition, then=then, otherwise=None):
            return condition, statements_of(then)
        case ExprStatement(expr=Assign(value=value) as assign):
            choice = strip_parens(value)
            if not isinstance(choice, Conditional):
                return None
            chosen = replace(assign, value=choice.if_true, form=assign.form.BUILT)
            return choice.condition, (replace(statement, expr=chosen, trivia=NO_TRIVIA),)
        case _:
            return None


def _of_last(body: LoopBody, condition: Expr, last: Expr, guards: Guards) -> Expr | None:
    """What the condition says for the last thread; None where others might say more."""
    index = body.loop.index
    match condition:
        case Binary(op="<" | "<=", left=left, right=right):
            position = expanded(left, body.values)
        case _:
            return None
    if not guards.is_uniform(body, right) or not is_signed(right) or not is_signed(position):
        return None
    found = guards.effects.of(position)
    if not found.is_pure or found.memory_reads:
        return None
    named = symbols_in(position) & body.varying
    if named != {index} or not _grows(position, index):
        return None
    of_last = substitute(position, {index: last})
    assert not isinstance(of_last, Stmt)
    return Binary(condition.op, of_last, right, BOOL)


def _grows(expr: Expr, index: Symbol) -> bool:
    """Is it a sum of the index, or of a positive multiple of it, and of other things?"""
    bare = strip_parens(expr)
    match bare:
        case VarRef(symbol=symbol):
            return symbol == index
        case Binary(op="+", left=left, right=right):
            sides = [side for side in (left, right) if index in symbols_in(side)]
            return all(_grows(side, index) for side in sides)
        case Binary(op="-", left=left, right=right):
            return index not in symbols_in(right) and _grows(left, index)
        case Binary(op="*", left=left, right=right):
            factors = [integer_value(left), integer_value(right)]
            one = next((value for value in factors if value is not None), 0)
            other = right if factors[0] is not None else left
            return one > 0 and _grows(other, index)
        case _:
            return False


def _strongest(conditions: list[Expr]) -> Expr:
    """All conditions; of `a < n` and `a + 1 < n` the second is enough."""
    kept: list[Expr] = []
    for condition in conditions:
        if any(_says_as_much(other, condition) for other in kept):
            continue
        kept = [*(one for one in kept if not _says_as_much(condition, one)), condition]
    result = kept[0]
    for condition in kept[1:]:
        result = Binary("&&", result, condition, BOOL)
    return result


def _says_as_much(strong: Expr, weak: Expr) -> bool:
    if strong == weak:
        return True
    match strong, weak:
        case (
            Binary(op=op, left=Binary(op="+", left=left, right=more), right=limit),
            Binary(op=other, left=least, right=same),
        ):
            above = integer_value(more)
            return op == other and limit == same and left == least and (above or -1) >= 0
        case _:
            return False
