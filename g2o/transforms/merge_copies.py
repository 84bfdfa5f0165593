"""A block's own counters are those of the thread that runs the block.

    #pragma omp parallel for reduction(+ : bins[ : 256])
    for (int bx = 0; ...) {
        unsigned local[256];                              #pragma omp parallel for \\
        for (int b = 0; b < 256; ++b)                         reduction(+ : bins[ : 256])
            local[b] = 0;                                 for (int i = 0; i < n; ++i)
        for (int first = bx * 128; first < n; ...)   ->       bins[bin_of(x[i])] += 1u;
            for (int i = first; ...; ++i)
                local[bin_of(x[i])] += 1u;
        for (int b = 0; b < 256; ++b)
            if (local[b] > 0)
                bins[b] += local[b];
    }

Legal for integers, whose sums do not depend on how they are split: the block adds to its counters
and does nothing else with them but to add each of them once to the element of the same number.
Where a block then does nothing but add for each element of a range that the grid shares out, which
block takes which element does not matter either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, For, If, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind


@final
@dataclass(frozen=True, slots=True)
class Reduced:
    """The first `count` elements of `array`, to which a parallel loop only adds."""

    array: Symbol
    count: Literal


def merge_copies(
    loop: CountedLoop, reduced: list[Reduced], lowered: LoweredKernel, effects: EffectsOf
) -> CountedLoop:
    """The parallel loop without copies of what it reduces, and without blocks where it can be."""
    for one in reduced:
        loop = _without_copy(loop, one)
    arrays = {one.array for one in reduced}
    return _over_the_range(loop, arrays, lowered.grid, effects) or loop


def _without_copy(loop: CountedLoop, one: Reduced) -> CountedLoop:
    body = statements_of(loop.body)
    for place, flush in enumerate(body):
        copy = _flushed(flush, one)
        if copy is None:
            continue
        fills = [i for i, statement in enumerate(body) if _clears(statement, copy)]
        declares = [i for i, statement in enumerate(body) if _declares(statement, copy, one)]
        if len(fills) != 1 or len(declares) != 1 or not declares[0] < fills[0] < place:
            continue
        gone = {declares[0], fills[0], place}
        rest = [statement for i, statement in enumerate(body) if i not in gone]
        between = body[fills[0] : place]
        if all(_only_adds(statement, copy, s in between) for s in rest for statement in (s,)):
            merged = tuple(_renamed(statement, copy, one.array) for statement in rest)
            return replace(loop, body=Block(merged))
    return loop


def _flushed(statement: Stmt, one: Reduced) -> Symbol | None:
    """The copy of which a loop adds every element to the array."""
    match statement:
        case CountedLoop(index=index, lower=lower, upper=upper, step=None, body=body):
            if integer_value(lower) != 0 or upper != one.count:
                return None
            inner = statements_of(body)
        case _:
            return None
    guard: Expr | None = None
    match inner:
        case (If(condition=condition, then=then, otherwise=None),):
            guard, inner = condition, statements_of(then)
        case _:
            pass
    match inner:
        case (
            ExprStatement(
                expr=Assign(
                    op="+=",
                    target=Index(base=VarRef(symbol=array), index=to),
                    value=Index(base=VarRef(symbol=copy), index=source) as value,
                )
            ),
        ) if array == one.array and to == source == VarRef(index):
            return copy if guard is None or _is_not_zero(guard, value) else None
        case _:
            return None


def _is_not_zero(guard: Expr, value: Index) -> bool:
    match strip_parens(guard):
        case Binary(op=op, left=left, right=right) if left == value and integer_value(right) == 0:
            return op == "!=" or (op == ">" and not value.type.is_signed)
        case condition:
            return condition == value


def _declares(statement: Stmt, copy: Symbol, one: Reduced) -> bool:
    """Is it the declaration of an array of as many integers as there are elements?"""
    match statement:
        case Declare(variables=(variable,)) if variable.symbol == copy:
            ctype, element = copy.type.element, one.array.type.element
            if ctype is None or element is None or variable.initial is not None:
                return False
            same = ctype.kind is element.kind is TypeKind.INTEGER and ctype.bits == element.bits
            return same and not ctype.is_volatile and variable.extents == (one.count,)
        case _:
            return False


def _clears(statement: Stmt, copy: Symbol) -> bool:
    match statement:
        case CountedLoop(index=index, body=body):
            match statements_of(body):
                case (
                    ExprStatement(
                        expr=Assign(
                            op="=", target=Index(base=VarRef(symbol=array), index=to), value=value
                        )
                    ),
                ):
                    return array == copy and to == VarRef(index) and integer_value(value) == 0
                case _:
                    return False
        case _:
            return False


def _only_adds(statement: Stmt, copy: Symbol, may_add: bool) -> bool:
    """Is the copy named in additions to its elements at most?"""
    named = sum(isinstance(n, VarRef) and n.symbol == copy for n in walk(statement))
    adding = sum(_adds_to(node, copy) for node in walk(statement))
    return named == adding and (may_add or not adding)


def _adds_to(node: Node, copy: Symbol) -> bool:
    match node:
        case ExprStatement(expr=Assign(op="+=", target=Index(base=VarRef(symbol=array)))):
            return array == copy
        case _:
            return False


def _renamed(statement: Stmt, copy: Symbol, array: Symbol) -> Stmt:
    def replacement(node: Node) -> Node | None:
        return VarRef(array) if isinstance(node, VarRef) and node.symbol == copy else None

    return rewrite(statement, replacement)


# -- the range that the grid shares out ----------------------------------------------------------


def _over_the_range(
    loop: CountedLoop, arrays: set[Symbol], grid: Symbol, effects: EffectsOf
) -> CountedLoop | None:
    """The parallel loop over a range, where its blocks take parts of the range in turn."""
    *declares, outer = statements_of(loop.body)
    if loop.directive.collapse > 1 or not _is_grid(loop.upper, grid):
        return None
    values: dict[Symbol, Expr] = {}
    for declare in declares:
        match declare:
            case Declare(variables=(variable,)) if variable.initial is not None:
                values[variable.symbol] = variable.initial
            case _:
                return None
    match outer:
        case For(
            initial=Declare(variables=(start,)),
            condition=Binary(op="<", left=VarRef(symbol=compared), right=end),
            increment=Assign(op="+=", target=VarRef(symbol=stepped), value=step),
        ) if compared == stepped == start.symbol and start.initial is not None:
            first, inner = start.symbol, statements_of(outer.body)
        case _:
            return None
    match inner:
        case (CountedLoop(lower=VarRef(symbol=lower), step=None) as turns,) if lower == first:
            size = _part_of(turns.upper, first, end)
        case _:
            return None
    if size is None or not _is_product(start.initial, VarRef(loop.index), size):
        return None
    step = values.get(step.symbol, step) if isinstance(step, VarRef) else step
    named = symbols_in(turns.body) | symbols_in(end)
    if not _is_product(step, loop.upper, size) or named & {loop.index, first, *values}:
        return None
    if not _adds_only(turns.body, arrays, effects) or effects.of(end).memory_reads:
        return None
    whole = replace(turns, lower=Literal("0", 0, INT), upper=end)
    return replace(whole, directive=loop.directive, trivia=loop.trivia)


def _is_grid(expr: Expr, grid: Symbol) -> bool:
    match _bare(expr):
        case Member(base=VarRef(symbol=symbol), name="x"):
            return symbol == grid
        case _:
            return False


def _part_of(upper: Expr, first: Symbol, end: Expr) -> Expr | None:
    """The size of the part in `std::min(first + size, end)`."""
    match upper:
        case Code(parts=(str() as least, Binary(op="+", left=left, right=size), _, last, _)):
            fits = least.startswith("std::min") and left == VarRef(first) and last == end
            return size if fits else None
        case _:
            return None


def _is_product(expr: Expr, one: Expr, other: Expr) -> bool:
    match _bare(expr):
        case Binary(op="*", left=left, right=right):
            sides = (_bare(left), _bare(right))
            wanted = (_bare(one), _bare(other))
            return sides in (wanted, wanted[::-1])
        case _:
            return False


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, (Paren, Cast)):
        expr = expr.inner if isinstance(expr, Paren) else expr.operand
    return expr


def _adds_only(body: Stmt, arrays: set[Symbol], effects: EffectsOf) -> bool:
    """Does the body only add to the arrays, and read what nobody writes?"""
    found = effects.of(body)
    if found.side_effects or found.memory_writes - arrays or found.writes:
        return False
    return all(
        isinstance(node.expr, Assign) and node.expr.op == "+="
        for node in walk(body)
        if isinstance(node, ExprStatement)
    )
