"""What all threads add to the elements of a window, its weights, is a sum over rows of threads.

    for (int y ...)                                   for (int y ...)
        for (int x ...)                                   for (int i = -R; i <= R; ++i) {
            for (int i = -R; i <= R; ++i)                     double sum = 0.0;
                atomic_add(&d_k[i + R],          ->       #pragma omp simd reduction(+ : sum)
                    u[y * w + x + i]                          for (int x ...)
                        * d_v[y * w + x]);                        sum += u[y * w + x + i] * ...;
                                                              atomic_add(&d_k[i + R], sum);
                                                          }

Neighbours are a vector, and one addition is left for each of their rows. Legal for what
`gathered_windows.py` turns around, where the element does not depend on the place in the row: the
additions are the same in another order, which atomics leave open, too. Where it depends on other
threads, a channel of the output, these are outermost; the additions are plain if their elements are
told apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR, SIMD, sum_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    VarRef,
    all_of,
    moved_by,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.statements import CountedLoop, Declare, ExprStatement, For, If, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols
from g2o.ir.types import BOOL, INT, unqualified
from g2o.lowering.indices import block_of
from g2o.lowering.thread_increments import Counter, Increment, ThreadNest, is_int, name_of
from g2o.lowering.window_axes import Axis, expression_of, loop_over, size_of, without_offset
from g2o.polyhedral.polynomial import ZERO, Polynomial


def sum_over_row(
    nest: ThreadNest, one: Increment, are_apart: Callable[[list[Axis]], bool]
) -> Stmt | None:
    """The nest in which rows of threads add their sums; None for other additions. What `are_apart`
    says tells of axes from the largest stride to the smallest whether elements are."""
    match one.statement:
        case ExprStatement(expr=Call() as call) if is_increment(call):
            pass
        case _:
            return None
    index = nest.inlined(one.place.index)
    position = nest.position(index, {})
    if len(nest.threads) < 2 or position is None or not nest.is_of_iterations(index):
        return None
    *outer, row = nest.threads
    own = [loop for loop in (*outer, *one.loops) if name_of(loop.symbol) in position.names]
    if name_of(row.symbol) in position.names or not any(loop in one.loops for loop in own):
        return None
    owners = [thread for thread in outer if thread in own]
    axes = _axes(position, own)
    is_plain = bool(owners) and axes is not None and are_apart(axes)
    if is_plain:
        outer = [*owners, *(thread for thread in outer if thread not in own)]
    lower, upper = row.lower, row.upper
    tests: list[Expr] = []
    asked: list[Expr] = []  # of the row as a whole
    for guard in map(nest.inlined, one.guards):
        bound = _bound(nest, guard, row.symbol)
        if bound is not None:
            is_low, value = bound
            if is_low:
                lower = _chosen("max", lower, value, is_c=nest.is_c)
            else:
                upper = _chosen("min", upper, value, is_c=nest.is_c)
        elif row.symbol in symbols_in(guard):
            tests.append(guard)
        else:
            asked.append(_without_needless_parens(guard))
    spelled = unqualified(one.place.type)
    ctype = replace(one.place.type, spelling=spelled, is_const=False)
    total = nest.symbols.fresh("sum", ctype, Storage.LOCAL)
    value = strip_parens(nest.inlined(one.value))
    body: Stmt = ExprStatement(Assign("+=", VarRef(total), value, ctype))
    if tests:
        body = If(all_of(tests), block_of((body,)))
    directive = replace(SIMD, reductions=sum_of((total,)))
    inner: Stmt = CountedLoop(row.symbol, lower, upper, block_of((body,)), directive)
    zero = Literal("0.0f" if spelled == "float" else "0.0", 0, ctype)
    begun = Declare((Variable(total, spelled, "", zero, "="),))
    place = replace(one.place, index=index, form=Form.BUILT)
    target = replace(strip_parens(call.arguments[0]), operand=place, form=Form.BUILT)
    added = replace(call, arguments=(target, VarRef(total)), form=Form.BUILT)
    store: Stmt = ExprStatement(added, trivia=one.statement.trivia)
    if is_plain:
        store = ExprStatement(Assign("+=", place, VarRef(total), place.type))
    if one.guards:  # no thread of the row may come to the element
        store = If(Binary("!=", VarRef(total), zero, BOOL), store)
    inner = block_of((begun, inner, store))
    if asked:
        inner = If(all_of(asked), inner)
    renamed: dict[Symbol, Symbol] = {}
    for loop in reversed(one.loops):
        name = loop.symbol.wish or loop.symbol.name
        renamed[loop.symbol] = nest.symbols.fresh(name, loop.symbol.type, Storage.LOCAL)
        inner = loop_over(loop, inner)
    made: Stmt = rename_symbols(inner, renamed)
    for position_of, thread in enumerate(reversed(outer)):
        outermost = position_of == len(outer) - 1
        node = thread.node
        assert not isinstance(node, For)
        shared = nest.loop.directive.without("simd") if outermost else node.directive
        if is_plain:
            shared = NO_DIRECTIVE
        if outermost and (is_plain or shared.collapse > len(outer)):
            shared = replace(PARALLEL_FOR, collapse=2) if len(owners) > 1 else PARALLEL_FOR
        made = replace(node, body=block_of((made,)), directive=shared)
    return made


def _axes(position: Polynomial, own: list[Counter]) -> list[Axis] | None:
    """The axes of elements, where no two are multiplied with each other."""
    names = [name_of(loop.symbol) for loop in own]
    parts = position.by_monomial_in(names)
    if set(parts) - {(), *((name,) for name in names)}:
        return None
    axes = [Axis(loop, parts.get((name_of(loop.symbol),), ZERO), ()) for loop in own]
    return sorted(axes, key=lambda axis: size_of(axis.stride), reverse=True)


def _bound(nest: ThreadNest, guard: Expr, index: Symbol) -> tuple[bool, Expr] | None:
    """What a condition asks of the index of a row: whether it is its lowest value, and that, or the
    one behind the last."""
    match strip_parens(guard):
        case Binary(op="<" | "<=" as op, left=left, right=right):
            lower, upper = left, right
        case Binary(op=">" | ">=" as op, left=left, right=right):
            lower, upper, op = right, left, "<" if op == ">" else "<="
        case _:
            return None
    own = Polynomial.name(name_of(index))
    for side, other, is_low in ((upper, lower, True), (lower, upper, False)):
        position = nest.position(side, {})
        rest = None if position is None else position - own
        if rest is None or name_of(index) in rest.names or index in symbols_in(other):
            continue
        if not nest.is_of_iterations(other) or nest.effects.of(other).memory_reads:
            continue
        if not is_int(other) or not is_int(side):
            continue
        offset = expression_of(rest, {name_of(one): one for one in symbols_in(side)})
        value = without_offset(other, offset)
        if is_low:
            return True, value if op == "<=" else moved_by(value, 1, INT)
        return False, value if op == "<" else moved_by(value, 1, INT)
    return None


def _without_needless_parens(guard: Expr) -> Expr:
    match strip_parens(guard):
        case Binary(op="<" | "<=" | ">" | ">=", left=left, right=right) as test:
            return replace(
                test, left=strip_parens(left), right=strip_parens(right), form=Form.BUILT
            )
        case other:
            return other


def _chosen(which: str, one: Expr, other: Expr, *, is_c: bool) -> Expr:
    if strip_parens(one) == strip_parens(other):
        return one
    if is_c:
        better = Binary(">" if which == "max" else "<", one, other, BOOL)
        return Paren(Conditional(better, one, other, INT), INT)
    return Code((f"std::{which}<int>(", one, ", ", other, ")"), type=INT)
