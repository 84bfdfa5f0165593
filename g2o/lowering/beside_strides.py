"""Kernels that are a grid-stride loop for every number that other indices of the launch have.

    int row = blockIdx.y;                               constexpr int chunk = 256;
    for (int i = blockIdx.x * blockDim.x +      ->      #pragma omp parallel for collapse(2)
                 threadIdx.x;                           for (int row = 0; row < int(grid.y); ++row)
         i < n; i += gridDim.x * blockDim.x)                for (int first = 0; first < n;
        y[row * n + i] = a * x[row * n + i];                     first += chunk) {
                                                                const int end = first +
                                                                    std::min(chunk, n - first);
                                                                for (int i = first; i < end; ++i)
                                                                    y[row * n + i] = ...;
                                                            }

What the threads of one row share out is done in chunks, so that rows and chunks keep all cores busy
however many there are of each. Legal as `grid_stride.py` says for each row; threads of different
rows are threads that do not wait for each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR, simd_where
from g2o.ir.expressions import Binary, Builtin, Code, Expr, LaunchRef, Literal, VarRef
from g2o.ir.single_declarations import split_declarations
from g2o.ir.statements import Block, CountedLoop, Declare, For, Node, Stmt, Variable, While
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import INT
from g2o.lowering.context import LoweringContext, bound_for
from g2o.lowering.indices import (
    LaunchIndex,
    block_of,
    find_aliases,
    name_indices,
    remove_aliases,
    used_axes,
)
from g2o.lowering.launch_loops import ZERO
from g2o.lowering.linear import LinearLowering, linear_parts

_CHUNK: Final = Literal("256", 256, INT)
_EXTENTS: Final = {Builtin.THREAD_INDEX: Builtin.BLOCK_DIM, Builtin.BLOCK_INDEX: Builtin.GRID_DIM}


def lower_beside_strides(context: LoweringContext, body: Block) -> Block | None:
    """The loops of such a kernel; None for others."""
    if not any(isinstance(one, For | While) for one in body.statements):
        return None
    inside, linear = linear_parts(body)
    others = {builtin: context.axes[builtin] - linear for builtin in _EXTENTS}
    apart = {
        node.axis
        for node in walk(body)
        if isinstance(node, LaunchRef) and node.builtin in _EXTENTS and id(node) not in inside
    }
    if apart & {None, *linear} or not (len(linear) > 1 or (linear and any(others.values()))):
        return None
    symbols = SymbolTable(continued=context.symbols)
    trial = replace(
        context,
        symbols=symbols,
        relied=set(context.relied),
        remarks=list(context.remarks),
        apart=set(context.apart),
    )
    body = split_declarations(body)
    aliases = find_aliases(body.statements, context.effects, body)
    names = name_indices(others, aliases, symbols)
    values: dict[LaunchIndex, Expr] = {key: VarRef(symbol) for key, symbol in names.symbols.items()}
    for builtin, extent in _EXTENTS.items():
        for axis in used_axes(body, builtin) - linear - others[builtin]:
            values[builtin, axis] = ZERO  # there is only one at every launch
            trial.relied.add((extent, axis))
    lowering = LinearLowering(
        trial, block_of(remove_aliases(body.statements, names)), linear, values
    )
    found = lowering.shared_out()
    if found is None:
        return None
    free = {lowering.indices[one] for one in found.free}
    if any(_starts_from(free, node) for _, loop in found.loops for node in walk(loop.body)):
        return None
    beside = [
        (names.symbols[builtin, axis], trial.extent(extent, axis))
        for builtin, extent in _EXTENTS.items()
        for axis in names.axes(builtin)
    ]
    beside += [(lowering.indices[one], lowering.total(one)) for one in found.free]
    made = _around(trial, beside, found.loops)
    if made is not None:
        context.symbols.adopt(symbols)
        context.relied |= trial.relied
        context.apart |= trial.apart
        context.remarks[:] = trial.remarks
    return made


def _starts_from(indices: set[Symbol], node: Node) -> bool:
    """Is it a loop that starts from one of the indices, to share out its iterations as well?"""
    return isinstance(node, For) and node.initial is not None and _names(node.initial, indices)


def _names(node: Node, symbols: set[Symbol]) -> bool:
    return bool(symbols_in(node) & symbols)


def _around(
    context: LoweringContext,
    others: list[tuple[Symbol, Expr]],
    loops: tuple[tuple[tuple[Stmt, ...], CountedLoop], ...],
) -> Block | None:
    """The loops in loops over the other indices up to their ends, of which the first is innermost.
    One alone goes by chunks."""
    beside = {symbol for symbol, _ in others}
    (constants, loop), *inner = loops
    outside: list[Stmt] = []
    inside: list[Stmt] = []
    for one in constants:
        varies = _names(one, beside | declared_in(block_of(inside)))
        (inside if varies else outside).append(one)
    if _names(loop.upper, beside | declared_in(block_of(inside))):
        return None
    nest: Stmt
    if inner:
        body = _nested(inner)
        nest = replace(loop, body=block_of((*inside, *body)), directive=NO_DIRECTIVE)
    else:
        size, nest = _by_chunks(context, loop, inside)
        outside.append(size)
    for symbol, extent in others:
        nest = CountedLoop(symbol, ZERO, bound_for(symbol.type, extent), nest)
    assert isinstance(nest, CountedLoop)
    collapsed = replace(PARALLEL_FOR, collapse=len(others) + 1)
    return block_of((*outside, replace(nest, directive=collapsed)))


def _nested(loops: Sequence[tuple[tuple[Stmt, ...], CountedLoop]]) -> tuple[Stmt, ...]:
    """Loops that stand in each other, the constants of each in front of it."""
    (constants, loop), *inner = loops
    if inner:
        loop = replace(loop, body=block_of(_nested(inner)), directive=NO_DIRECTIVE)
    return (*constants, replace(loop, directive=simd_where(loop.directive.is_simd)))


def _by_chunks(
    context: LoweringContext, loop: CountedLoop, inside: Sequence[Stmt]
) -> tuple[Stmt, CountedLoop]:
    """The declaration of the size of a chunk, and the loop over the chunks. What is `inside` is
    declared for each."""
    index = loop.index
    chunk = context.symbols.fresh("chunk", INT, Storage.GLOBAL)
    first = context.symbols.fresh("first", index.type, Storage.INDEX)
    end = context.symbols.fresh("end", index.type, Storage.GLOBAL)
    spelled = index.type.spelling
    left = Binary("-", loop.upper, VarRef(first), index.type)
    explicit = "" if spelled == loop.upper.type.spelling == "int" else f"<{spelled}>"
    turns = Code((f"std::min{explicit}(", VarRef(chunk), ", ", left, ")"), type=index.type)
    last = Binary("+", VarRef(first), turns, index.type)
    ending = Declare((Variable(end, f"const {spelled}", "", last, "="),))
    own = simd_where(loop.directive.is_simd)
    done = replace(loop, lower=VarRef(first), upper=VarRef(end), directive=own)
    body = block_of((ending, *inside, done))
    size = Declare((Variable(chunk, "constexpr int", "", _CHUNK, "="),))
    return size, CountedLoop(first, ZERO, loop.upper, body, step=VarRef(chunk))
