"""Rows in which loads depend on where the row ends are three loops: the inner part has no choice.

    for (int x = 0; x < cols; ++x) {                const int first = y > 0 ? 1 : cols;
        float west = x > 0 ? now[p - 1] : 0;        const int last = std::max(first, width - 1);
        float east = x < width - 1                  for (x = 0; x < first; ++x)    as before
                         ? now[p + 1] : 0;    ->    #pragma omp simd
        float north = y > 0 ? now[p - w] : 0;       for (x = first; x < last; ++x) loads alone
        ...                                         for (x = last; x < cols; ++x)  as before
    }

Index-set splitting (Griebl, Feautrier and Lengauer, "Index Set Splitting", IJPP 28, 2000): what a
person writes for a stencil with walls. Compilers load under a mask or one by one else.

Legal because the turns and their order stay: in the part between, all that chooses a load holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import constants_of
from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.ir.directives import NO_DIRECTIVE, SIMD
from g2o.ir.expressions import (
    Binary,
    Code,
    Conditional,
    Expr,
    Form,
    VarRef,
    all_of,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import INT
from g2o.lowering.context import LoweringContext, minimum
from g2o.lowering.guards import conjuncts
from g2o.lowering.in_place import with_loops_replaced
from g2o.lowering.index_arithmetic import is_int
from g2o.lowering.indices import block_of
from g2o.lowering.loop_bodies import LoopBody
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import collapsed_loops
from g2o.lowering.turn_guards import Guard, Guards

_MOST_STATEMENTS: Final = 12  # of a body that stands there three times
_LEAST_TURNS: Final = 16


def separate_edges(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with such loops in parts."""
    collapsed = collapsed_loops(statements)
    guards = Guards(
        context.effects,
        context.counters,
        context.from_zero,
        context.kernel.shape.extents,
        frozenset(context.positive),
        constants_of(block_of(statements), context.effects),
    )

    def replaced(loop: CountedLoop) -> tuple[Stmt, ...]:
        if id(loop) in collapsed or not _is_row(loop):
            return (loop,)
        return _separated(context, guards, loop)

    return with_loops_replaced(statements, replaced)


def _is_row(loop: CountedLoop) -> bool:
    """Is it an innermost loop over threads, for one of them, with a short body?"""
    turns = integer_value(loop.upper)
    plain = loop.step is None and loop.index.storage is Storage.INDEX and is_int(loop.index)
    if not plain or loop.directive not in (NO_DIRECTIVE, SIMD):
        return False
    if turns is not None and turns < _LEAST_TURNS:
        return False
    others = (CountedLoop, For, Jump)
    inside = any(isinstance(node, others) for node in walk(loop.body))
    count = sum(isinstance(node, ExprStatement | Declare) for node in walk(loop.body))
    return not inside and count <= _MOST_STATEMENTS


@final
@dataclass(frozen=True, slots=True)
class _Inner:
    """What is left of a choice or a branch in the turns that a guard lets through."""

    node: Conditional | If
    left: Expr | Stmt
    guard: Guard


def _separated(context: LoweringContext, guards: Guards, loop: CountedLoop) -> tuple[Stmt, ...]:
    """The parts of the loop; the loop alone where no load depends on an end of the row."""
    found = list(_inner_parts(guards, loop, context.effects))
    uniform = _each(one for inner in found for one in inner.guard.uniform)
    floors = _each(one for inner in found for one in inner.guard.floors)
    limits = _each(one for inner in found for one in inner.guard.limits)
    if not (floors or limits):
        return (loop,)
    inner = declared_in(loop.body) | {loop.index}
    if any(symbols_in(one) & inner for one in (*uniform, *floors, *limits)):
        return (loop,)
    left = {id(one.node): one.left for one in found}
    body = rewrite(loop.body, lambda node: left.get(id(node)))
    if not may_vectorise(body):
        return (loop,)
    made: list[Stmt] = []

    def named(name: str, value: Expr) -> VarRef:
        symbol = context.symbols.fresh(name, INT, Storage.LOCAL)
        made.append(Declare((Variable(symbol, "const int", "", value, "="),)))
        return VarRef(symbol)

    upper = loop.upper
    if not isinstance(strip_parens(upper), VarRef) and integer_value(upper) is None:
        upper = named("count", upper)
    start: Expr = minimum(_most((loop.lower, *floors)), upper, "int") if floors else loop.lower
    if uniform:
        start = Conditional(all_of(uniform), start, upper, INT)
    first = start if start is loop.lower else named("first", start)
    last = upper
    if limits:
        last = named("last", _most((first, _least((*limits, upper)))))
    parts: list[CountedLoop] = []
    for begin, end, inside in (
        (loop.lower, first, False),
        (first, last, True),
        (last, upper, False),
    ):
        if begin is not end:
            directive = SIMD if inside else NO_DIRECTIVE
            part = replace(loop, lower=begin, upper=end, directive=directive, trivia=NO_TRIVIA)
            part = replace(part, body=body if inside else loop.body)
            parts.append(_renewed(context, part) if parts else part)
    made += parts
    made[0] = replace(made[0], trivia=loop.trivia)  # type: ignore[call-arg]
    return tuple(made)


def _inner_parts(guards: Guards, loop: CountedLoop, effects: EffectsOf) -> Iterator[_Inner]:
    """The choices of loads, and the branches, that the ends of the row decide, or all of it."""
    body = guards.body(loop)
    if body is None:
        return
    for node in walk(loop.body):
        for condition, negate, left in _ways(node, effects):
            asked = effects.of(condition)
            if not asked.is_pure or asked.memory_reads:
                continue
            guard = _enough(guards, body, condition, negate)
            if guard is not None and isinstance(node, Conditional | If):
                yield _Inner(node, left, guard)
                break


def _ways(node: Node, effects: EffectsOf) -> Iterator[tuple[Expr, bool, Expr | Stmt]]:
    """The condition of a choice or branch, whether it is false in the inner part, and what is left
    there: a load instead of what loads nothing."""
    match node:
        case Conditional(condition=condition, if_true=one, if_false=other):
            loads = [bool(effects.of(each).memory_reads) for each in (one, other)]
            pure = effects.of(one).is_pure and effects.of(other).is_pure
            if node.type.is_arithmetic and pure and loads[0] != loads[1]:
                yield condition, loads[1], other if loads[1] else one
        case If(condition=condition, then=then, otherwise=otherwise, is_constexpr=False):
            yield condition, False, then
            yield condition, True, Block(()) if otherwise is None else otherwise
        case _:
            pass


def _enough(guards: Guards, body: LoopBody, condition: Expr, negate: bool) -> Guard | None:
    """Bounds of the index, and what all turns have in common, with which a condition holds:
    `x != last` does so below it."""
    held: list[Expr] = []
    for conjunct, inverted in conjuncts(condition, negate):
        one = negated(conjunct) if inverted else conjunct
        differs = strip_parens(one)
        if not isinstance(differs, Binary) or differs.op != "!=":
            held.append(one)
            continue
        if not guards.is_uniform(body, one):
            operator = "<" if integer_value(differs.right) is None else ">"
            one = replace(differs, op=operator, form=Form.BUILT)
        held.append(one)
    guard = guards.of(body, all_of(held), negate=False)
    return None if guard is None or guard.turn is not None or guard.asked else guard


def _renewed(context: LoweringContext, loop: CountedLoop) -> CountedLoop:
    """The same loop with variables of its own."""
    fresh: dict[Symbol, Symbol] = {
        old: context.symbols.fresh(old.name, old.type, old.storage)
        for old in sorted(declared_in(loop.body), key=lambda one: one.id)
    }
    return replace(loop, body=rename_symbols(loop.body, fresh))


def _each(exprs: Iterable[Expr]) -> tuple[Expr, ...]:
    return tuple(dict.fromkeys(exprs))


def _most(numbers: tuple[Expr, ...]) -> Expr:
    return _one_of("std::max", _without_lesser(numbers, most=True))


def _least(numbers: tuple[Expr, ...]) -> Expr:
    return _one_of("std::min", _without_lesser(numbers, most=False))


def _without_lesser(numbers: tuple[Expr, ...], *, most: bool) -> tuple[Expr, ...]:
    """Of several constants only the one that counts."""
    constants = [value for value in map(integer_value, numbers) if value is not None]
    if len(constants) < 2:
        return numbers
    kept = max(constants) if most else min(constants)
    first = next(one for one in numbers if integer_value(one) == kept)
    return (*(one for one in numbers if integer_value(one) is None), first)


def _one_of(name: str, numbers: tuple[Expr, ...]) -> Expr:
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) == 2:
        return Code((f"{name}<int>(", numbers[0], ", ", numbers[1], ")"), type=INT)
    listed: list[str | Expr] = []
    for position, number in enumerate(numbers):
        listed += [", ", number] if position else [number]
    return Code((f"{name}<int>({{", *listed, "})"), type=INT)
