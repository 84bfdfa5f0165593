"""A sequential loop inside a loop over threads moves outside of it.

    for tx                                    for k
        for k                             ->      #pragma omp simd
            sum[tx] += a[k] * b[k][tx];           for tx
                                                      sum[tx] += a[k] * b[k][tx];

Legal where all threads of a row go through the loop alike: threads of one interval do not see each
other, so they may as well wait for each other after every iteration. It pays where the body is
straight-line arithmetic on neighbouring elements, perhaps behind a guard that can become a bound of
the loop over threads (`bounded_loops.py`). The loop over threads is split as at barriers,
which keeps private values that live from one iteration to the next in an array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from g2o.analysis.effects import EffectsOf, root_symbol, statements_of, symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, Index, Paren, VarRef, strip_parens
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    For,
    If,
    Jump,
    Node,
    Return,
    Scope,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind
from g2o.lowering.chunks import by_chunks
from g2o.lowering.context import substitute
from g2o.lowering.counting_loops import counting_loops
from g2o.lowering.guards import conjuncts
from g2o.lowering.simd import may_vectorise


def split_rows(
    statements: list[Stmt],
    x: Symbol,
    uniform: set[Symbol],
    effects: EffectsOf,
    symbols: SymbolTable,
    places: Mapping[Symbol, Expr] | None = None,
    extent: Expr | None = None,
    by_all: Callable[[Expr, Expr], bool] = lambda _, __: False,
) -> list[Stmt] | None:
    """Put a barrier of the row into every loop that is worth it; None where there is none.

    `x` is the index of a thread in its row, `uniform` the variables that hold the same for the row,
    `places` other indices of the thread, by means of `x`, `extent` the number of threads in it.
    `by_all`: with such a start and step all threads of a block go through one range.
    """
    given = dict(places or {})
    statements = counting_loops(statements, effects)
    varying = {
        symbol
        for statement in statements
        for symbol in symbols_in(statement)
        if symbol.storage is Storage.LOCAL and symbol not in uniform
    } | {x, *given}
    positions = _positions(statements, x, given, effects)
    result: list[Stmt] = []
    found = False
    for statement in statements:
        if isinstance(statement, For) and _is_worth_it(statement, x, varying, positions, effects):
            found = True
            body = (*statements_of(statement.body), Barrier(Scope.ROW))
            result.append(replace(statement, body=Block(body), form=statement.form.BUILT))
        elif isinstance(statement, For) and (
            chunks := by_chunks(statement, x, varying, effects, symbols, extent, by_all=by_all)
        ):
            found = True
            result.append(chunks)
        else:
            result.append(statement)
    return result if found else None


def _positions(
    statements: list[Stmt], x: Symbol, given: dict[Symbol, Expr], effects: EffectsOf
) -> dict[Symbol, Expr]:
    """What the variables stand for that are declared by means of `x` and never change, and those
    that are `given`."""
    written = effects.of_all(s for s in statements if not isinstance(s, Declare)).writes
    found = dict(given)
    for statement in statements:
        if not isinstance(statement, Declare) or len(statement.variables) != 1:
            continue
        (variable,) = statement.variables
        initial = variable.initial
        if initial is None or variable.symbol in written or not variable.symbol.type.is_arithmetic:
            continue
        if symbols_in(initial) & ({x} | found.keys()) and not effects.of(initial).memory_reads:
            found[variable.symbol] = _expanded(initial, found)
    return found


def _expanded(expr: Expr, values: dict[Symbol, Expr]) -> Expr:
    result = substitute(expr, {symbol: Paren(value) for symbol, value in values.items()})
    assert not isinstance(result, Stmt)
    return result


def _is_worth_it(
    loop: For,
    x: Symbol,
    varying: set[Symbol],
    positions: dict[Symbol, Expr],
    effects: EffectsOf,
) -> bool:
    index = loop_variable(loop)
    if index is None or loop.condition is None or loop.increment is None:
        return False
    head = [part for part in (loop.initial, loop.condition, loop.increment) if part is not None]
    named = {symbol for part in head for symbol in symbols_in(part)} - {index}
    others = {s for s in named if s.storage is Storage.LOCAL}
    if x in named or others & varying or not positions.keys().isdisjoint(named):
        return False
    if any(effects.of(part).memory_reads or effects.of(part).side_effects for part in head):
        return False
    if index in effects.of(loop.body).writes:
        return False
    if any(isinstance(node, (Jump, Return, For)) for node in walk(loop.body)):
        return False
    if may_vectorise(loop.body):
        return _reads_neighbours(loop.body, x, _fills_rows(loop.body, index, x))
    match statements_of(loop.body):
        case (If(condition=condition, then=then, otherwise=None),):
            guard = [_expanded(part, positions) for part, _ in conjuncts(condition, negate=False)]
            bounds = all(_may_bound(part, x) for part in guard) and effects.is_pure(condition)
            reads_nothing = not effects.of(condition).memory_reads
            return bounds and reads_nothing and may_vectorise(then) and _moves(then, x, positions)
        case _:
            return False


def _may_bound(condition: Expr, x: Symbol) -> bool:
    """Is the condition the same for all threads of a row, or a limit of their positions?"""
    if x not in symbols_in(condition):
        return True
    match condition:
        case Binary(op="<" | "<=" | ">" | ">=", left=left, right=right):
            one, other = (left, right) if x in symbols_in(left) else (right, left)
            return x not in symbols_in(other) and is_offset(one, x)
        case _:
            return False


def _moves(body: Stmt, x: Symbol, positions: dict[Symbol, Expr]) -> bool:
    """Do neighbouring threads write neighbouring elements, and read such of what is not shared?"""
    stored = {id(node.target) for node in walk(body) if isinstance(node, Assign)}
    moves = False
    for node in walk(body):
        if not isinstance(node, Index):
            continue
        index, base = _expanded(node.index, positions), _expanded(node.base, positions)
        along = x in symbols_in(index)
        root = root_symbol(node)
        shared = root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
        if shared and id(node) not in stored:
            continue
        if x in symbols_in(base) or (along and not is_offset(index, x)):
            return False
        moves = moves or (along and id(node) in stored)
    return moves


def loop_variable(loop: For) -> Symbol | None:
    match loop.initial:
        case Declare(variables=(variable,)) if variable.symbol.type.kind is TypeKind.INTEGER:
            return variable.symbol
        case _:
            return None


def _reads_neighbours(body: Node, x: Symbol, gathers: bool) -> bool:
    """Do neighbouring threads access neighbouring elements, and is something computed? Where it
    `gathers`, they may read elements whose index they have read from neighbouring ones."""
    neighbours = False
    for node in walk(body):
        if not isinstance(node, Index) or x not in symbols_in(node):
            continue
        if x in symbols_in(node.base):
            return False
        if is_offset(node.index, x):
            neighbours = True
        elif not gathers or _names_outside_elements(node.index, x):
            return False
    return neighbours and any(isinstance(node, Assign) for node in walk(body))


def _fills_rows(body: Node, turn: Symbol, x: Symbol) -> bool:
    """Does every turn write a row of its own, neighbouring threads neighbouring elements?"""
    targets = [node.target for node in walk(body) if isinstance(node, Assign)]
    return all(
        isinstance(target, Index) and is_offset(target.index, x) and turn in symbols_in(target)
        for target in targets
    )


def _names_outside_elements(expr: Node, x: Symbol) -> bool:
    if isinstance(expr, Index):
        return False
    if isinstance(expr, VarRef):
        return expr.symbol == x
    return any(_names_outside_elements(child, x) for child in children(expr))


def is_offset(index: Expr, x: Symbol) -> bool:
    """Is the index `x` plus something that does not depend on x?"""
    bare = strip_parens(index)
    match bare:
        case VarRef(symbol=symbol):
            return symbol == x
        case Binary(op="+", left=left, right=right):
            if x in symbols_in(left):
                return x not in symbols_in(right) and is_offset(left, x)
            return is_offset(right, x)
        case Binary(op="-", left=left, right=right):
            return x not in symbols_in(right) and is_offset(left, x)
        case Paren(inner=inner):
            return is_offset(inner, x)
        case _:
            return False
