"""Shared memory that the reverse sweep multiplies by starts at 0 where some of it may be unset.

    if (row < rows)                              if (row < rows)
        tile[ty][tx] = x[row * 16 + tx];             tile[ty][tx] = x[row * 16 + tx];
    ...                                    ->    ...
    sum += w[k] * tile[ty][k];                   d_w[k] += tile[ty][k] * d_sum;   // d_sum is 0
    if (row < rows)                              d_tile[ty][k] += w[k] * d_sum;
        y[row * 16 + tx] = sum;

Threads at the rim compute with anything, and do not store what comes of it. In reverse their seeds
are 0, but 0 times what may be infinite or no number is none: with zeros in the tile nothing is
added. An array is left alone if every load of it surely finds what a thread of the block has stored
(`tile_values.py`), or if no derivative is multiplied by what comes of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.distinct_writes import evidence
from g2o.analysis.effects import root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.tile_values import is_stored_first
from g2o.ir.expressions import Assign, Call, Form, Literal
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.solver import Solver

_WHOLE_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.BOOL)


def with_tiles_set(
    kernel: Kernel,
    primal: Kernel,
    made: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> Kernel:
    """The adjoint `kernel` of `primal`, that differentiation has added `made` to."""
    open_tiles = {one.symbol for one in _tiles(kernel.body) if one.symbol not in made}
    if not open_tiles:
        return kernel
    flows = list(_flows(kernel.body))
    open_tiles = {one for one in open_tiles if _is_factor(one, flows, made)}
    open_tiles -= _stored_first(primal, open_tiles, functions, assume_noalias, solver)
    if not open_tiles:
        return kernel

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Declare) or not any(v.symbol in open_tiles for v in node.variables):
            return None
        variables = tuple(_zeroed(v) if v.symbol in open_tiles else v for v in node.variables)
        return replace(node, variables=variables, form=Form.BUILT)

    body = rewrite(kernel.body, replacement)
    return replace(kernel, function=replace(kernel.function, body=body))


def _tiles(body: Block) -> Iterator[Variable]:
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            shared = one.symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
            if shared and one.initial is None and _holds_reals(one.symbol.type):
                yield one


def _holds_reals(ctype: CType) -> bool:
    return ctype.innermost.kind not in _WHOLE_NUMBERS


def _zeroed(variable: Variable) -> Variable:
    return replace(variable, initial=Literal("{}"), initial_style="=")


def _stored_first(
    primal: Kernel,
    tiles: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> set[Symbol]:
    if not tiles:
        return set()
    effects = functions.for_node(primal.body)
    try:
        model = memory_model(primal, effects, assume_noalias)
    except NotAnalysable:
        return set()
    conflicts = Conflicts(model, solver, proves=evidence(model, solver, primal.body, effects))
    return {one for one in tiles if is_stored_first(one, model, conflicts)}


_Flow = tuple[frozenset[Symbol], frozenset[Symbol]]
"""What gets a value, and what that may be made of."""


def _flows(body: Block) -> Iterator[_Flow]:
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None:
                        yield frozenset({one.symbol}), frozenset(symbols_in(one.initial))
            case Assign(target=target, value=value):
                root = root_symbol(target)
                targets = frozenset(symbols_in(target) if root is None else {root})
                yield targets, frozenset(symbols_in(value))
            case ExprStatement(expr=Call() as call):
                yield frozenset(symbols_in(call)), frozenset(symbols_in(call))
            case _:
                pass


def _is_factor(tile: Symbol, flows: Collection[_Flow], made: Collection[Symbol]) -> bool:
    """May a derivative, or what is kept for one, be made of numbers of the tile?"""
    found, more = {tile}, True
    while more:
        more = False
        for targets, sources in flows:
            if found.isdisjoint(sources):
                continue
            for one in targets - found:
                ctype = one.type if one.type.element is None else one.type.element
                if not _holds_reals(ctype):
                    continue
                if one in made:
                    return True
                found.add(one)
                more = True
    return False
