"""Loops over blocks and over the threads of a block, and what stands for launch indices."""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR, simd_where
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Expr,
    Form,
    Literal,
    Paren,
    VarRef,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Node,
    Stmt,
)
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import (
    LoweringContext,
    bound_for,
)
from g2o.lowering.indices import (
    IndexNames,
    block_of,
    substitute_indices,
    used_axes,
)

ZERO = Literal("0", 0, INT)


def with_launch_values(context: LoweringContext, names: IndexNames, body: Block) -> Block:
    """Put loop variables, constants and launch parameters in place of CUDA's builtin variables."""
    values: dict[tuple[Builtin, int], Expr] = {
        key: VarRef(symbol) for key, symbol in names.symbols.items()
    }
    for index, extent in (
        (Builtin.BLOCK_INDEX, Builtin.GRID_DIM),
        (Builtin.THREAD_INDEX, Builtin.BLOCK_DIM),
    ):
        for axis in used_axes(body, index):
            if (index, axis) not in values:
                values[index, axis] = ZERO  # the extent is 1 at every launch
                context.relied.add((extent, axis))
    dims = dimensions(context)
    constants = {
        (Builtin.BLOCK_DIM, axis): context.extent(Builtin.BLOCK_DIM, axis)
        for axis in used_axes(body, Builtin.BLOCK_DIM)
        if context.constant_extent(Builtin.BLOCK_DIM, axis) is not None
    }
    result = rewrite(substitute_indices(body, values, dims, constants), without_added_zero)
    assert isinstance(result, Block)
    return result


def without_added_zero(node: Node) -> Expr | None:
    """What the position of the only block, or thread, adds nothing to: the sum has the type of the
    other operand, integers of a smaller type apart."""
    match node:
        case Paren(inner=inner):
            bare = without_added_zero(inner)
            return bare if isinstance(bare, VarRef) else None
        case Binary(op="+", left=left, right=right):
            shorter = [without_added_zero(one) or one for one in (left, right)]
            kept = [one for one in shorter if not _is_placed(one)]
            if len(kept) == 1 and _is_wide(kept[0].type):
                return kept[0]
            if shorter == [left, right]:
                return None
            return replace(node, left=shorter[0], right=shorter[1], form=Form.BUILT)
        case _:
            return None


def _is_wide(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits >= INT.bits


def _is_placed(expr: Expr) -> bool:
    """Is it a zero that does not stand in the source?"""
    return expr == ZERO and isinstance(expr, Literal) and expr.form is Form.BUILT


def dimensions(context: LoweringContext) -> dict[tuple[Builtin, int], Expr]:
    """The launch parameters; -1 stands for the whole vector."""
    found: dict[tuple[Builtin, int], Expr] = {}
    for builtin, symbol in (
        (Builtin.BLOCK_DIM, context.block),
        (Builtin.GRID_DIM, context.grid),
    ):
        found[builtin, -1] = VarRef(symbol)
        for axis in range(3):
            found[builtin, axis] = context.dimension(builtin, axis)
    return found


def thread_loops(
    context: LoweringContext, names: IndexNames, body: tuple[Stmt, ...], simd: bool
) -> Stmt:
    """Loops over the used axes of threadIdx, x innermost."""
    nest: Stmt = block_of(body)
    for position, axis in enumerate(names.axes(Builtin.THREAD_INDEX)):
        index = names.symbols[Builtin.THREAD_INDEX, axis]
        upper = bound_for(index.type, context.extent(Builtin.BLOCK_DIM, axis))
        directive = simd_where(simd and position == 0)
        nest = CountedLoop(index, ZERO, upper, nest, directive)
    return nest


def block_loops(context: LoweringContext, names: IndexNames, body: tuple[Stmt, ...]) -> Block:
    """Parallel loops over the used axes of blockIdx, x innermost."""
    axes = names.axes(Builtin.BLOCK_INDEX)
    if not axes:
        return block_of(body)
    nest: Stmt = block_of(body)
    for position, axis in enumerate(axes):
        index = names.symbols[Builtin.BLOCK_INDEX, axis]
        upper = bound_for(index.type, context.extent(Builtin.GRID_DIM, axis))
        directive = NO_DIRECTIVE
        if position == len(axes) - 1:
            directive = replace(PARALLEL_FOR, collapse=len(axes))
            if context.kernel.in_block_order:  # of which each thread takes its own ascending
                directive = replace(directive, clauses=("schedule(static)",))
        nest = CountedLoop(index, ZERO, upper, nest, directive)
    return block_of((nest,))
