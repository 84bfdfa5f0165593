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
Where one condition chooses everything, and its bounds are all that it says, it is false in the
turns at both ends, which do the other branch alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.constant_turns import Turns, constant_turns
from g2o.analysis.definitions import constants_of, written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.positions import minimum_of, polynomial_of
from g2o.ir.directives import NO_DIRECTIVE, SIMD
from g2o.ir.expressions import (
    Binary,
    Code,
    Conditional,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
    all_of,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    CountedLoop,
    Declare,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import LoweringContext, minimum, substitute
from g2o.lowering.guards import conjuncts
from g2o.lowering.in_place import with_loops_replaced
from g2o.lowering.index_arithmetic import is_int
from g2o.lowering.indices import block_of
from g2o.lowering.loop_bodies import LoopBody
from g2o.lowering.runs import spelled_out
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import collapsed_loops
from g2o.lowering.strips import unrolled
from g2o.lowering.thread_group import LANES
from g2o.lowering.turn_guards import Guard, Guards
from g2o.lowering.vector_loops import becomes_vectors

_ORDERED: Final = ("<", "<=", ">", ">=")
_MOST_STATEMENTS: Final = 12  # of a body that stands there three times


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
        if id(loop) in collapsed or not _is_row(loop) or _is_of_block(context, guards, loop):
            return (loop,)
        return _separated(context, guards, loop)

    return with_loops_replaced(statements, replaced)


def _is_row(loop: CountedLoop) -> bool:
    """Is it an innermost loop over threads, for one of them, with a short body?"""
    plain = loop.step is None and loop.index.storage is Storage.INDEX and is_int(loop.index)
    if not plain or loop.directive not in (NO_DIRECTIVE, SIMD):
        return False
    inside = any(isinstance(node, CountedLoop | Jump | While | DoWhile) for node in walk(loop.body))
    count = sum(isinstance(node, ExprStatement | Declare) for node in walk(loop.body))
    return not inside and count <= _MOST_STATEMENTS


def _is_of_block(context: LoweringContext, guards: Guards, loop: CountedLoop) -> bool:
    """Are its turns the threads of one block, which are few?"""
    upper = strip_parens(loop.upper)
    if isinstance(upper, VarRef):
        upper = strip_parens(guards.constants.get(upper.symbol, upper))
    for part in minimum_of(upper) or [upper]:
        named = symbols_in(part)
        literal = strip_parens(part)
        is_extent = isinstance(literal, Literal) and literal.text in guards.extents
        of_block = context.block in named and context.grid not in named
        of_block = of_block or any(node == LANES for node in walk(part))
        if is_extent or of_block or integer_value(part) is not None:
            return True
    return False


@final
@dataclass(frozen=True, slots=True)
class _Inner:
    """What is left of a choice or a branch in the turns that a guard lets through, and what in all
    others; None where the condition may hold in some of these, too."""

    node: Conditional | If
    left: Expr | Stmt
    guard: Guard
    others: Expr | Stmt | None


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
    body = _without_edges(loop.body, {id(one.node): one.left for one in found})
    outside = loop.body
    others = {id(one.node): one.others for one in found if one.others is not None}
    if len(others) == len(found) and len({one.guard for one in found}) == 1:
        outside = _without_edges(loop.body, others)
    between = replace(loop, body=body, directive=NO_DIRECTIVE, trivia=NO_TRIVIA)
    if loop.directive != SIMD and becomes_vectors(between, context.effects):
        between = replace(between, body=unrolled(body))
    elif not may_vectorise(body) and loop.directive != SIMD:
        return (loop,)
    between = replace(between, directive=SIMD)
    made: list[Declare] = []

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
            edge = replace(loop, body=outside, directive=NO_DIRECTIVE, trivia=NO_TRIVIA)
            part = replace(between if inside else edge, lower=begin, upper=end)
            parts.append(_renewed(context, part) if parts else part)
    head, *rest = (*made, *parts)
    return (replace(head, trivia=loop.trivia), *rest)


def _without_edges(body: Stmt, left: Mapping[int, Expr | Stmt]) -> Stmt:
    """The body with what is left of its choices and branches between the edges."""

    def replacement(node: Node) -> Node | None:
        kept = left.get(id(node))
        return None if kept is None else rewrite(kept, replacement)

    return rewrite(body, replacement)


def _inner_parts(guards: Guards, loop: CountedLoop, effects: EffectsOf) -> Iterator[_Inner]:
    """The choices of loads, and the branches, that the ends of the row decide, or all of it."""
    body = guards.body(loop)
    if body is None:
        return
    values = _values(loop, effects)
    turns = [found for node in walk(loop.body) if (found := _turns(node, effects)) is not None]
    gone: set[int] = set()  # parts of what is not done in the inner turns
    for node in walk(loop.body):
        if id(node) in gone:
            continue
        for condition, negate, left, other in _ways(node, effects):
            whole = spelled_out(condition, values)
            asked = effects.of(whole)
            if not asked.is_pure or asked.memory_reads:
                continue
            ends = _at_ends(whole, negate, turns)
            found = _enough(guards, body, ends, negate) if ends else None
            if found is not None and isinstance(node, Conditional | If):
                guard, is_all = found
                yield _Inner(node, left, guard, other if is_all and ends == [whole] else None)
                gone |= {id(inner) for inner in walk(other)}
                break


def _values(loop: CountedLoop, effects: EffectsOf) -> dict[Symbol, Expr]:
    """What the integers and truth values stand for that the body declares and does not change."""
    within = effects.within(loop.body)
    written = written_after_declaration(loop.body, within)
    values: dict[Symbol, Expr] = {}
    for node in walk(loop.body):
        for variable in node.variables if isinstance(node, Declare) else ():
            symbol, initial = variable.symbol, variable.initial
            plain = is_int(symbol) or symbol.type.kind is TypeKind.BOOL
            if initial is None or not plain or symbol in written:
                continue
            found = within.of(initial)
            if found.is_pure and not found.memory_reads:
                values[symbol] = spelled_out(initial, values)
    return values


def _turns(node: Node, effects: EffectsOf) -> Turns | None:
    """The turns of a loop that a thread counts by itself."""
    if not isinstance(node, For):
        return None
    found = constant_turns(node)
    changed = found is not None and found.counter in effects.of(node.body).writes
    return None if found is None or changed or not found.values else found


def _at_ends(condition: Expr, negate: bool, turns: Iterable[Turns]) -> list[Expr]:
    """The condition in the first and the last turn of each loop that it depends on, which decide:
    it compares sums in which each counter is at most multiplied. Else nothing."""
    counted = [one for one in turns if one.counter in symbols_in(condition)]
    counters = {one.counter for one in counted}
    for conjunct, _ in conjuncts(condition, negate):
        if symbols_in(conjunct) & counters and not _is_linear(strip_parens(conjunct), counters):
            return []
    found = [condition]
    for one in counted:
        ends = {min(one.values), max(one.values)}
        numbers = [Literal(str(value), value, INT) for value in sorted(ends)]
        found = [substitute(each, {one.counter: n}) for each in found for n in numbers]
    return found


def _is_linear(conjunct: Expr, counters: Iterable[Symbol]) -> bool:
    if not isinstance(conjunct, Binary) or conjunct.op not in _ORDERED:
        return False
    sides = [polynomial_of(one, {}) for one in (conjunct.left, conjunct.right)]
    if sides[0] is None or sides[1] is None:
        return False
    names = {one.name for one in counters}
    terms = (sides[0] - sides[1]).terms
    return all(product.count(name) <= 1 for product, _ in terms for name in names)


def _ways(node: Node, effects: EffectsOf) -> Iterator[tuple[Expr, bool, Expr | Stmt, Expr | Stmt]]:
    """The condition of a choice or branch, whether it is false in the inner part, what is left
    there, a load instead of what loads nothing, and what is not."""
    match node:
        case Conditional(condition=condition, if_true=one, if_false=other):
            loads = [bool(effects.of(each).memory_reads) for each in (one, other)]
            pure = effects.of(one).is_pure and effects.of(other).is_pure
            if node.type.is_arithmetic and pure and loads[0] != loads[1]:
                loading, plain = (other, one) if loads[1] else (one, other)
                yield condition, loads[1], loading, plain
        case If(condition=condition, then=then, otherwise=otherwise, is_constexpr=False):
            yield condition, False, then, Empty() if otherwise is None else otherwise
            if otherwise is not None:
                yield condition, True, otherwise, then
        case _:
            pass


def _enough(
    guards: Guards, body: LoopBody, conditions: Sequence[Expr], negate: bool
) -> tuple[Guard, bool] | None:
    """Bounds of the index, and what all turns have in common, with which conditions hold, and
    whether they hold nowhere else: `x != last` does so below it, and perhaps above."""
    held: list[Expr] = []
    is_all = True
    for conjunct, inverted in (one for each in conditions for one in conjuncts(each, negate)):
        one = negated(conjunct) if inverted else conjunct
        differs = _merged(strip_parens(one))
        one = differs
        if not isinstance(differs, Binary) or differs.op != "!=":
            held.append(one)
            continue
        if not guards.is_uniform(body, one):
            operator = _other_side(strip_parens(differs.right))
            if operator is None:
                return None
            one = replace(differs, op=operator, form=Form.BUILT)
            is_all = False
        held.append(one)
    guard = guards.of(body, all_of(_strongest(held)), negate=False)
    return None if guard is None or guard.turn is not None or guard.asked else (guard, is_all)


def _strongest(conditions: Sequence[Expr]) -> list[Expr]:
    """Those that the others do not imply: of `x < w` and `x < w - 1` the second one."""
    kept: list[Expr] = []
    for one in dict.fromkeys(conditions):
        if not any(other != one and _implies(other, one) for other in conditions):
            kept.append(one)
    return kept


def _implies(one: Expr, other: Expr) -> bool:
    match one, other:
        case Binary(op=op, left=left, right=first), Binary(right=second) if (
            op in _ORDERED and other.op == op and other.left == left
        ):
            sides = [polynomial_of(each, {}) for each in (first, second)]
            if sides[0] is None or sides[1] is None:
                return False
            apart = (sides[1] - sides[0]).value
            return apart is not None and (apart > 0 if op in ("<", "<=") else apart < 0)
        case _:
            return False


def _merged(condition: Expr) -> Expr:
    """A comparison of sums with what both sides have in common, and the constants, on one side."""
    if not isinstance(condition, Binary) or condition.op not in (*_ORDERED, "=="):
        return condition
    sides = [polynomial_of(one, {}) for one in (condition.left, condition.right)]
    if sides[0] is None or sides[1] is None:
        return condition
    named = {symbol.name: symbol for symbol in symbols_in(condition)}
    whole = sides[0] - sides[1]
    if any(len(product) != 1 for product, _ in whole.terms if product):
        return condition
    constant = dict(whole.terms).get((), 0)
    left, right = ([(p, n) for p, n in whole.terms if p and n * sign > 0] for sign in (1, -1))
    if any(abs(n) != 1 or p[0] not in named or not is_int(named[p[0]]) for p, n in (*left, *right)):
        return condition
    sums: list[Expr | None] = []
    for terms in (left, right):
        found: Expr | None = None
        for product, _ in terms:
            one = VarRef(named[product[0]])
            found = one if found is None else Binary("+", found, one, INT)
        sums.append(found)
    if sums[0] is None:
        return condition
    number = Literal(str(abs(constant)), abs(constant), INT)
    limit = sums[1]
    if limit is None:
        limit = number if constant <= 0 else Unary("-", number, type=INT)
    elif constant:
        limit = Binary("-" if constant > 0 else "+", limit, number, INT)
    return Binary(condition.op, sums[0], limit, condition.type)


def _other_side(edge: Expr) -> str | None:
    """How a row compares with its first turn, 0, or its last, `n - 1`."""
    if integer_value(edge) is not None:
        return ">" if integer_value(edge) == 0 else None
    return "<" if isinstance(edge, Binary) and edge.op == "-" else None


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
