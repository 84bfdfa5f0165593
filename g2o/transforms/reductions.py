"""Atomic additions to a few elements, which nobody reads meanwhile, become a reduction.

    #pragma omp parallel for                  #pragma omp parallel for reduction(+ : sums[ : 64])
    for (int bx = 0; ...)                     for (int bx = 0; ...)
        for (int k = 0; k < 64; ++k)     ->       for (int k = 0; k < 64; ++k)
            g2o::atomic_add(&sums[k], s[k]);          sums[k] += s[k];

What goes to one place is added up in a variable:

    #pragma omp parallel for                  float sum_total = 0.0f;
    for (int i = 0; i < n; ++i)               #pragma omp parallel for reduction(+ : sum_total)
        g2o::atomic_add(total, x[i]);    ->   for (int i = 0; i < n; ++i)
                                                  sum_total += x[i];
                                              *total += sum_total;

Legal because CUDA leaves open in which order atomic additions happen, and because nothing in the
kernel names the elements otherwise (`additions.py`). How many there are is known from the loops
around the additions. A constant and small number allows a reduction, whose copies stand on the
stack of each thread of OpenMP; all elements have to exist, because copies are added to all of them
in the end: additions that parameters alone switch on and off stay as they are. So do those that
meet other atomic operations, for OpenMP may add the copies while these are under way; sums that are
variables are added when all threads are done, and where the launch decides, only if they are not
zero. For as many elements as the launch says, which have to fit into shared memory, each thread has
a `g2o::partial_sums`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf
from g2o.analysis.functions import FunctionTable
from g2o.ir.directives import PARALLEL, Directive, Reduction
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.names import names_in, symbols_behind, words_of
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    If,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.transforms.additions import Addition, Additions, additions_of
from g2o.transforms.block_local_atomics import converted
from g2o.transforms.hoist_increments import increment_place, zero_of
from g2o.transforms.merge_copies import Reduced, merge_copies

_MOST_ELEMENTS = 4096


def use_reductions(lowered: LoweredKernel, functions: FunctionTable) -> LoweredKernel:
    """The same object where no atomic addition becomes part of a reduction."""
    effects = functions.for_node(Block(lowered.body))
    taken = names_in(lowered.body) | words_of(lowered.function.span.text)
    symbols = symbols_behind(lowered, taken)
    parts = [_reduced(statement, lowered, effects, symbols) for statement in lowered.body]
    same = all(
        len(new) == 1 and new[0] is old for new, old in zip(parts, lowered.body, strict=True)
    )
    return lowered if same else replace(lowered, body=tuple(s for part in parts for s in part))


def _is_shared_out(directive: Directive) -> bool:
    return directive.is_parallel and directive.is_worksharing


def _reduced(
    loop: Stmt, lowered: LoweredKernel, effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    if not isinstance(loop, CountedLoop) or not _is_shared_out(loop.directive):
        return (loop,)
    if loop.directive.is_simd or loop.directive.reductions:
        return (loop,)
    reduced: list[Reduced] = []
    partial: list[_Partial] = []
    totals: list[_Total] = []
    updates: dict[int, Stmt] = {}
    for own in additions_of(loop, lowered, effects):
        array = own.array
        known = _common_count([_count(one, effects) for one in own.each])
        many = None if known is not None else _launch_count(own.each, lowered, effects)
        if (place := _only_place(own)) is not None:
            word = "total" if "sum" in array.name else "sum"
            total = symbols.fresh(f"{word}_{array.name}", _element(array), Storage.LOCAL)
            totals.append(_Total(total, place, own.is_switched))
            updates |= {id(one.statement): _added(one, VarRef(total)) for one in own.each}
            continue
        if own.is_switched or own.meets_others:
            continue
        if known is not None:
            reduced.append(Reduced(array, known))
        elif many is not None:
            sums = symbols.fresh(f"own_{array.name}", array.type, Storage.BLOCK)
            partial.append(_Partial(array, sums, many))
            array = sums
        else:
            continue
        updates |= {id(one.statement): _plain(one, array) for one in own.each}
    if not updates:
        return (loop,)
    body = rewrite(loop.body, lambda node: updates.get(id(node)))
    sums = (*(one.symbol for one in totals), *(one.array for one in reduced))
    counts = (*("" for _ in totals), *(one.count.text for one in reduced))
    clauses = (Reduction("+", sums, counts),) if sums else ()
    loop = replace(loop, body=body, directive=loop.directive.reducing(clauses))
    merged = merge_copies(loop, reduced, lowered, effects)
    whole = _with_sums(merged, partial) if partial else (merged,)
    return _with_totals(whole, totals) if totals else whole


@final
@dataclass(frozen=True, slots=True)
class _Total:
    """What is added to `place` behind the loop; `may_be_none`: there may be no such place then."""

    symbol: Symbol
    place: Expr
    may_be_none: bool


def _only_place(own: Additions) -> Expr | None:
    """The one place that is added to, as it is spelled first."""
    indices = [integer_value(strip_parens(one.index)) for one in own.each]
    if None in indices or len(set(indices)) != 1:
        return None
    call = own.each[0].statement.expr
    return increment_place(call) if isinstance(call, Call) else None


def _with_totals(loop: tuple[Stmt, ...], totals: list[_Total]) -> tuple[Stmt, ...]:
    """Declarations in front of the loop, and what was added up goes to its place behind it."""
    first, *others = loop
    declares: list[Stmt] = []
    adds: list[Stmt] = []
    for one in totals:
        ctype = one.symbol.type
        zero = zero_of(ctype)
        declares.append(
            Declare((Variable(one.symbol, ctype.spelling, "", zero, "="),), trivia=first.trivia)
        )
        first = replace(first, trivia=NO_TRIVIA)
        add: Stmt = ExprStatement(Assign("+=", one.place, VarRef(one.symbol), ctype))
        is_some = Binary("!=", VarRef(one.symbol), zero, BOOL)
        adds.append(If(is_some, add) if one.may_be_none else add)
    return (*declares, first, *others, *adds)


@final
@dataclass(frozen=True, slots=True)
class _Partial:
    """`sums` is what a thread adds to the first `count` elements of `array`."""

    array: Symbol
    sums: Symbol
    count: Expr


def _with_sums(loop: CountedLoop, partial: list[_Partial]) -> tuple[Stmt, ...]:
    """The loop in a parallel region whose threads have sums of their own."""
    declares = [
        Text(
            (
                f"g2o::partial_sums<{_element(one.array).spelling}> {one.sums.name}(",
                VarRef(one.array),
                ", ",
                one.count,
                ");",
            )
        )
        for one in partial
    ]
    shared_out = replace(loop, directive=loop.directive.without("parallel"))
    inner = replace(shared_out, trivia=NO_TRIVIA)
    return (Block((*declares, inner), directive=PARALLEL, trivia=loop.trivia),)


# -- how many elements ---------------------------------------------------------------------------


def _count(one: Addition, effects: EffectsOf) -> Literal | None:
    """The number of elements that an addition may reach."""
    index = strip_parens(one.index)
    known = integer_value(index)
    if known is not None:
        count = known + 1
        return Literal(str(count), count, INT) if 0 < count <= _MOST_ELEMENTS else None
    around = _around(one, effects)
    if around is None or not isinstance(around.upper, Literal):
        return None
    most = around.upper.value
    return around.upper if most is not None and 0 < most <= _MOST_ELEMENTS else None


def _around(one: Addition, effects: EffectsOf) -> CountedLoop | None:
    """The loop from 0 on that counts the elements."""
    index = strip_parens(one.index)
    for around in one.loops:
        if not isinstance(around, CountedLoop) or VarRef(around.index) != index:
            continue
        if integer_value(around.lower) != 0 or around.step is not None:
            return None
        return None if around.index in effects.of(around.body).writes else around
    return None


def _common_count(counts: list[Literal | None]) -> Literal | None:
    """The one number of elements, or the largest of constants."""
    known = [count for count in counts if count is not None]
    if len(known) < len(counts) or not known:
        return None
    if all(count == known[0] for count in known):
        return known[0]
    return max(known, key=lambda count: count.value or 0)


def _launch_count(
    own: tuple[Addition, ...], lowered: LoweredKernel, effects: EffectsOf
) -> Expr | None:
    """The number of elements where it is a value of the launch, the same for all additions."""
    counts: list[Expr] = []
    for one in own:
        around = _around(one, effects)
        if around is None or not one.walks_shared:
            return None
        if not _is_launch_constant(around.upper, lowered, effects):
            return None
        counts.append(around.upper)
    return counts[0] if all(count == counts[0] for count in counts) else None


def _is_launch_constant(expr: Expr, lowered: LoweredKernel, effects: EffectsOf) -> bool:
    """Is it a product of parameters and constants?"""
    match expr:
        case Literal():
            return True
        case Paren(inner=inner):
            return _is_launch_constant(inner, lowered, effects)
        case Binary(op="*", left=left, right=right):
            sides = (left, right)
            return all(_is_launch_constant(side, lowered, effects) for side in sides)
        case VarRef(symbol=symbol) if symbol in lowered.function.parameters:
            changed = effects.of_all(lowered.body).writes
            return symbol.type.kind is TypeKind.INTEGER and symbol not in changed
        case _:
            return False


def _element(array: Symbol) -> CType:
    element = array.type.element
    assert element is not None
    return element


def _plain(one: Addition, array: Symbol) -> Stmt:
    """The addition to an element of `array`."""
    element = _element(one.array)
    return _added(one, Index(VarRef(array), one.index, element))


def _added(one: Addition, target: Expr) -> Stmt:
    element = _element(one.array)
    value = converted(one.value, element)
    return replace(one.statement, expr=Assign("+=", target, value, element), form=Form.BUILT)
