"""A sequential loop inside a loop over threads moves outside of it.

    for tx                                    for k
        for k                             ->      #pragma omp simd
            sum[tx] += a[k] * b[k][tx];           for tx
                                                      sum[tx] += a[k] * b[k][tx];

Legal where all threads of a row go through the loop alike: threads of one interval do not see each
other, so they may as well wait for each other after every iteration. It pays where the body is
straight-line arithmetic on neighbouring elements. The loop over threads is split as at barriers,
which keeps private values that live from one iteration to the next in an array.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, Index, Paren, VarRef, strip_parens
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    For,
    Jump,
    Node,
    Return,
    Scope,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind
from g2o.lowering.chunks import by_chunks
from g2o.lowering.counting_loops import counting_loops
from g2o.lowering.simd import may_vectorise


def split_rows(
    statements: list[Stmt],
    x: Symbol,
    uniform: set[Symbol],
    effects: EffectsOf,
    symbols: SymbolTable,
) -> list[Stmt] | None:
    """Put a barrier of the row into every loop that is worth it; None where there is none.

    `x` is the index of a thread in its row, `uniform` the variables that hold the same for the row.
    """
    statements = counting_loops(statements)
    varying = {
        symbol
        for statement in statements
        for symbol in symbols_in(statement)
        if symbol.storage is Storage.LOCAL and symbol not in uniform
    } | {x}
    result: list[Stmt] = []
    found = False
    for statement in statements:
        if isinstance(statement, For) and _is_worth_it(statement, x, varying, effects):
            found = True
            body = (*statements_of(statement.body), Barrier(Scope.ROW))
            result.append(replace(statement, body=Block(body), form=statement.form.BUILT))
        elif isinstance(statement, For) and (
            chunks := by_chunks(statement, x, varying, effects, symbols)
        ):
            found = True
            result.append(chunks)
        else:
            result.append(statement)
    return result if found else None


def _is_worth_it(loop: For, x: Symbol, varying: set[Symbol], effects: EffectsOf) -> bool:
    index = _loop_variable(loop)
    if index is None or loop.condition is None or loop.increment is None:
        return False
    head = [part for part in (loop.initial, loop.condition, loop.increment) if part is not None]
    named = {symbol for part in head for symbol in symbols_in(part)} - {index}
    others = {s for s in named if s.storage is Storage.LOCAL}
    if x in named or others & varying:
        return False
    if any(effects.of(part).memory_reads or effects.of(part).side_effects for part in head):
        return False
    if index in effects.of(loop.body).writes:
        return False
    if any(isinstance(node, (Jump, Return, For)) for node in walk(loop.body)):
        return False
    return may_vectorise(loop.body) and _reads_neighbours(loop.body, x)


def _loop_variable(loop: For) -> Symbol | None:
    match loop.initial:
        case Declare(variables=(variable,)) if variable.symbol.type.kind is TypeKind.INTEGER:
            return variable.symbol
        case _:
            return None


def _reads_neighbours(body: Node, x: Symbol) -> bool:
    """Do neighbouring threads access neighbouring elements, and is something computed?"""
    neighbours = False
    for node in walk(body):
        if not isinstance(node, Index) or x not in symbols_in(node):
            continue
        if x in symbols_in(node.base) or not _is_offset(node.index, x):
            return False
        neighbours = True
    return neighbours and any(isinstance(node, Assign) for node in walk(body))


def _is_offset(index: Expr, x: Symbol) -> bool:
    """Is the index `x` plus something that does not depend on x?"""
    bare = strip_parens(index)
    match bare:
        case VarRef(symbol=symbol):
            return symbol == x
        case Binary(op="+", left=left, right=right):
            if x in symbols_in(left):
                return x not in symbols_in(right) and _is_offset(left, x)
            return _is_offset(right, x)
        case Binary(op="-", left=left, right=right):
            return x not in symbols_in(right) and _is_offset(left, x)
        case Paren(inner=inner):
            return _is_offset(inner, x)
        case _:
            return False
