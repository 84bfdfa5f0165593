"""The reverse sweep of threads that march through memory is a nest of loops of its own.

    for (int i = 1; i < n; ++i) {                 for (int i = 1; i < n; ++i)
        for (int k = 1; k < m; ++k)                   for (int k = 1; k < m; ++k)
            y[i + k * w] = ...;                           y[i + k * w] = ...;
        for (int k = m - 1; k > 0; --k)     ->    for (int k = 1; k < m; ++k)
            atomic_add(&d_x[i + 1 + k * w],           for (int i = 1; i < n; ++i)
                       d_y[i + k * w]);                   atomic_add(&d_x[i + 1 + k * w],
    }                                                                d_y[i + k * w]);

Neighbours' additions can be gathered then (`transforms/gather.py`): iterations are places like
threads. Legal where threads do not wait for each other, so that all may do their first part first;
where the second one needs nothing of the first but memory and what is found from its indices again;
and where no iteration of its loop depends on another one but for additions, which have no order:
what it stores to is one element of each array, another one for each thread and iteration, as no row
of the places is longer than the stride of the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import declared_in, root_symbol, statements_of, symbols_in
from g2o.analysis.positions import minimum_of, polynomial_of
from g2o.analysis.strides import by_locality
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR
from g2o.ir.expressions import (
    Binary,
    Call,
    Expr,
    Index,
    Unary,
    VarRef,
    integer_value,
    moved_by,
    strip_parens,
)
from g2o.ir.increments import is_increment, place_of
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.indices import block_of
from g2o.lowering.thread_increments import is_int
from g2o.lowering.window_axes import quotient_of, size_of
from g2o.polyhedral.polynomial import ZERO, Polynomial

Statements = tuple[Stmt, ...]


def with_sweeps_apart(context: LoweringContext, statements: Statements) -> Statements:
    """The statements with such sweeps in nests of their own."""
    result: list[Stmt] = []
    for statement in statements:
        parts: Statements | None = None
        if isinstance(statement, CountedLoop) and statement.directive.is_parallel:
            if any(map(is_increment, walk(statement))):
                parts = _parts(context, statement, statements)
        result += parts or (statement,)
    same = len(result) == len(statements)
    if same and all(one is old for one, old in zip(result, statements, strict=True)):
        return statements
    return tuple(result)


def _parts(context: LoweringContext, nest: CountedLoop, outside: Statements) -> Statements | None:
    """The nest around what is in front of the last loop, and that over the loop's iterations."""
    loops: list[CountedLoop] = []
    body: Stmt = nest
    while isinstance(body, CountedLoop):
        if body.step is not None or body.index.storage is not Storage.INDEX:
            return None
        loops.append(body)
        body = body.body
        while isinstance(body, Block) and len(body.statements) == 1:
            body = body.statements[0]
    *front, last = statements_of(body) or (block_of(()),)
    counter = _counter(last) if isinstance(last, For) else None
    if counter is None or not isinstance(last, For):
        return None
    symbol, lower, upper = counter
    if not _is_straight(last) or not any(map(is_increment, walk(last))):
        return None
    effects = context.effects
    first = block_of(front)
    if any(isinstance(node, Barrier) for node in walk(first)):
        return None
    added = {
        root_symbol(place_of(node))
        for node in walk(last)
        if isinstance(node, Call) and is_increment(node)
    }
    if None in added or symbols_in(first) & added:
        return None
    changing = written_after_declaration(block_of((*front, last)), effects)
    again = _declarations(front, last, changing)
    needed = symbols_in(last) & declared_in(first)
    found = {one.variables[0].symbol for one in again}
    if needed - found or effects.of_all(again).memory_reads:
        return None
    if not _are_alike(context, (lower, upper), loops, first, changing):
        return None
    inside = block_of((*again, *statements_of(last.body)))
    heads = {one.index: (one.lower, one.upper) for one in loops} | {symbol: (lower, upper)}
    stored = effects.of(inside).memory_writes - added
    elements = _Elements(heads, _values((*outside, *statements_of(inside))))
    if None in stored or not all(elements.are_apart(inside, root) for root in stored if root):
        return None
    if effects.of(inside).writes & changing or not _reads_apart(context, inside, added):
        return None
    index = context.symbols.fresh(symbol.wish or symbol.name, symbol.type, Storage.INDEX)
    inside = rename_symbols(inside, {symbol: index})
    heads[index] = heads.pop(symbol)
    made: Stmt = inside
    order = by_locality([*reversed([one.index for one in loops]), index], inside)
    for position, one in enumerate(order):
        outermost = position == len(order) - 1
        directive = PARALLEL_FOR if outermost else NO_DIRECTIVE
        if outermost and len(order) > 2:
            directive = replace(PARALLEL_FOR, collapse=2)
        made = CountedLoop(one, *heads[one], block_of(statements_of(made)), directive)
    before: Stmt = first
    for loop in reversed(loops):
        before = replace(loop, body=block_of(statements_of(before)))
    acts = any(not isinstance(one, Declare) for one in front)
    return (before, made) if acts else (made,)


def _values(statements: Statements) -> dict[Symbol, Expr]:
    """What integers are declared to be, once."""
    return {
        one.symbol: one.initial
        for statement in statements
        if isinstance(statement, Declare)
        for one in statement.variables
        if one.initial is not None and one.symbol.type.kind is TypeKind.INTEGER
    }


def _reads_apart(context: LoweringContext, inside: Block, added: set[Symbol | None]) -> bool:
    """Is what is added to named in additions only, and does nothing else happen?"""
    effects = context.effects.of(inside)
    places = [place_of(n) for n in walk(inside) if isinstance(n, Call) and is_increment(n)]
    named = [n for n in walk(inside) if isinstance(n, VarRef) and n.symbol in added]
    return len(named) == len(places) and None not in effects.memory_reads


@final
@dataclass(frozen=True, slots=True)
class _Elements:
    """Elements by the indices of loops with these ends, and the values of integers."""

    heads: dict[Symbol, tuple[Expr, Expr]]
    values: dict[Symbol, Expr]

    def are_apart(self, body: Block, array: Symbol) -> bool:
        """Is there one element of the array for each iteration of all the loops, another for each
        other one?"""
        named = [n for n in walk(body) if isinstance(n, VarRef) and n.symbol == array]
        places = [n for n in walk(body) if isinstance(n, Index) and n.base == VarRef(array)]
        positions = {self._position(one.index) for one in places}
        if len(named) != len(places) or len(positions) != 1:
            return False
        (position,) = positions
        if position is None or array.type.kind is not TypeKind.POINTER:
            return False
        names = [_name(symbol) for symbol in self.heads]
        parts = position.by_monomial_in(names)
        if set(parts) - {(), *((name,) for name in names)}:
            return False
        strides = {one: parts.get((_name(one),), ZERO) for one in self.heads}
        if any(stride == ZERO for stride in strides.values()):
            return False
        order = sorted(self.heads, key=lambda one: size_of(strides[one]), reverse=True)
        return strides[order[-1]].value in (1, -1) and all(
            self._is_within(strides[inner], inner, strides[outer])
            for outer, inner in pairwise(order)
        )

    def _is_within(self, stride: Polynomial, index: Symbol, row: Polynomial) -> bool:
        """Is all that an index counts within one step of the next?"""
        lower, upper = self.heads[index]
        low, length = self._position(lower), quotient_of(row, stride)
        highs = [self._position(one) for one in self._at_most(upper)]
        if low is None or length is None:
            return False
        spare = [(length - (high - low)).value for high in highs if high is not None]
        return any(value is not None and value >= 0 for value in spare)

    def _at_most(self, upper: Expr) -> list[Expr]:
        bare = strip_parens(upper)
        parts = [upper, *minimum_of(bare)]
        if isinstance(bare, VarRef) and bare.symbol in self.values:
            parts += minimum_of(strip_parens(self.values[bare.symbol]))
        return parts

    def _position(self, expr: Expr) -> Polynomial | None:
        known: dict[Symbol, Polynomial] = {}
        for symbol in symbols_in(expr):
            if symbol.type.kind is not TypeKind.INTEGER or not symbol.type.is_signed:
                continue
            value = None
            if symbol in self.values and symbol not in self.heads:
                value = self._position(self.values[symbol])
            known[symbol] = value or Polynomial.name(_name(symbol))
        number = integer_value(expr)
        return polynomial_of(expr, known) if number is None else Polynomial.constant(number)


def _name(symbol: Symbol) -> str:
    return f"{symbol.name}.{symbol.id}"


def _counter(loop: For) -> tuple[Symbol, Expr, Expr] | None:
    """What counts, from where on and up to where, in either direction."""
    match loop:
        case For(
            initial=Declare(variables=(Variable(symbol=symbol, initial=first),)),
            condition=Binary(op=op, left=VarRef(symbol=compared), right=bound),
            increment=Unary(op=step, operand=VarRef(symbol=counted)),
            shared=None,
        ) if symbol == compared == counted and first is not None:
            pass
        case _:
            return None
    if not all(map(is_int, (VarRef(symbol), first, bound))):
        return None
    match op, step:
        case "<", "++":
            return symbol, first, bound
        case "<=", "++":
            return symbol, first, moved_by(bound, 1, INT)
        case ">=", "--":
            return symbol, bound, moved_by(first, 1, INT)
        case ">", "--":
            return symbol, moved_by(bound, 1, INT), moved_by(first, 1, INT)
        case _:
            return None


def _is_straight(loop: For) -> bool:
    return all(
        isinstance(one, ExprStatement) or (isinstance(one, Declare) and len(one.variables) == 1)
        for one in statements_of(loop.body)
    )


def _declarations(front: list[Stmt], last: For, changing: set[Symbol]) -> list[Declare]:
    """The declarations in front that the loop needs, which say the same again."""
    wanted = symbols_in(last)
    kept: list[Declare] = []
    for one in reversed(front):
        match one:
            case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if initial:
                plain = symbol not in changing and not symbols_in(initial) & changing
                if symbol in wanted and plain and symbol.type.kind is TypeKind.INTEGER:
                    wanted = wanted | symbols_in(initial)
                    kept.insert(0, one)
            case _:
                pass
    return kept


def _are_alike(
    context: LoweringContext,
    ends: tuple[Expr, Expr],
    loops: list[CountedLoop],
    first: Block,
    changing: set[Symbol],
) -> bool:
    """Are these ends the same for all threads, and those of the loops over them in any order?"""
    inside = {one.index for one in loops} | declared_in(first) | changing
    for one in (*ends, *(end for loop in loops for end in (loop.lower, loop.upper))):
        found = context.effects.of(one)
        if not found.is_pure or found.memory_reads or symbols_in(one) & inside:
            return False
    return True
