"""Kernels in which threads never wait for each other: one parallel loop nest.

Where threads are only told apart by `blockIdx.x * blockDim.x + threadIdx.x`, the loop runs over
that index; otherwise blocks are the parallel loop and the threads of a block the loop inside.
"""

from __future__ import annotations

from typing import final

from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.directives import simd_where
from g2o.ir.expressions import Binary, Builtin, Literal, VarRef
from g2o.ir.statements import Block, CountedLoop, Declare, If, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, TypeKind
from g2o.lowering.beside_strides import lower_beside_strides
from g2o.lowering.context import (
    LoweringContext,
    UnboundedThreads,
    is_invariant,
)
from g2o.lowering.indices import (
    block_of,
    find_aliases,
    name_indices,
    remove_aliases,
    without_index_variables,
    written_after_declaration,
)
from g2o.lowering.launch_loops import block_loops, thread_loops, with_launch_values
from g2o.lowering.linear import LinearLowering, find_linear_axes
from g2o.lowering.named_extents import with_block_sizes
from g2o.lowering.returns import without_returns
from g2o.lowering.simd import may_vectorise


def lower_flat(context: LoweringContext, body: Block) -> Block:
    """The loops of a kernel without barriers. Raises UnboundedThreads where nothing says how many
    threads there are."""
    statements = body.statements
    if context.optimisation >= 2:
        if not (context.device or context.kernel.is_unbounded or context.kernel.in_block_order):
            for plain in (body, without_index_variables(body, context.effects)):
                strided = lower_beside_strides(context, plain)
                if strided is not None:
                    return strided
        kernel = context.kernel
        apart = context.device or kernel.is_unbounded or kernel.in_block_order
        looped = None if apart else context.axes
        for plain in (body, without_index_variables(body, context.effects)):
            for whole, relied in ((plain, set[int]()), with_block_sizes(context, plain)):
                linear = find_linear_axes(whole, looped)
                if linear is not None and all(axes <= linear.all for axes in context.axes.values()):
                    context.relied |= {(Builtin.BLOCK_DIM, axis) for axis in relied}
                    bare = linear.bare
                    return LinearLowering(context, whole, linear.linear, bare=bare).lower()
    if context.kernel.is_unbounded and (context.kernel.of_loops or context.device):
        raise UnboundedThreads
    return _Blocks(context, statements).lower()


@final
class _Blocks:
    """A parallel loop over blocks around a loop over the threads of a block."""

    def __init__(self, context: LoweringContext, statements: tuple[Stmt, ...]) -> None:
        self.context = context
        self.statements = statements

    def lower(self) -> Block:
        context = self.context
        whole = block_of(self.statements)
        aliases = find_aliases(self.statements, context.effects, whole)
        if context.optimisation == 0:
            aliases = {}
        names = name_indices(context.axes, aliases, context.symbols)
        statements = remove_aliases(self.statements, names)
        statements = with_launch_values(context, names, block_of(statements)).statements
        written = written_after_declaration(whole, context.effects)
        threads = {names.symbols[key] for key in names.symbols if key[0] is Builtin.THREAD_INDEX}
        outer: list[Stmt] = []
        rest = list(statements)
        if threads and context.optimisation >= 1 and not context.device:
            outer, rest = self._block_level(rest, written, threads)
        body, returns = tuple(rest), list[Stmt]()
        if names.symbols:  # else there is one thread, and no loop
            body, returns = without_returns(context, body, list(names.symbols.values()))
        simd = not returns and may_vectorise(block_of(body))
        inner: Stmt = block_of(body)
        if context.kernel.is_unbounded:
            if returns or not names.axes(Builtin.BLOCK_INDEX):
                raise UnboundedThreads
            inner = self._as_guarded(body, threads)
        elif threads:
            inner = thread_loops(context, names, body, simd)
        if returns and threads:
            outer.extend(returns)
        nest: Stmt = block_of((*outer, inner)) if outer or not threads else inner
        if returns and not threads:
            nest = block_of((*returns, *statements_of(nest)))
        return block_loops(context, names, statements_of(nest))

    def _as_guarded(self, body: tuple[Stmt, ...], threads: set[Symbol]) -> Stmt:
        """The loop over as many threads as the guard lets through in which all they do stands.
        Raises UnboundedThreads where there is no such guard."""
        match [*threads], body:
            case [thread], (
                If(
                    condition=Binary(op="<", left=VarRef(symbol=guarded), right=upper), then=then
                ) as only,
            ) if guarded == thread and only.otherwise is None:
                simd = may_vectorise(then)
            case _:
                raise UnboundedThreads
        if symbols_in(upper) & (declared_in(then) | self.context.effects.of(then).writes):
            raise UnboundedThreads
        directive = simd_where(simd)
        return CountedLoop(thread, Literal("0", 0, INT), upper, then, directive)

    def _block_level(
        self, statements: list[Stmt], written: set[Symbol], threads: set[Symbol]
    ) -> tuple[list[Stmt], list[Stmt]]:
        """Leading declarations that are the same for all threads of a block."""
        varying = declared_in(block_of(statements)) | threads | written
        outer: list[Stmt] = []
        rest: list[Stmt] = []
        movable = True
        for statement in statements:
            constant = (
                movable
                and isinstance(statement, Declare)
                and all(
                    v.initial is not None
                    and v.symbol not in written
                    and v.symbol.type.kind is not TypeKind.ARRAY
                    and is_invariant(v.initial, self.context.effects, varying)
                    for v in statement.variables
                )
            )
            if constant and isinstance(statement, Declare):
                varying -= {v.symbol for v in statement.variables}
                outer.append(statement)
                continue
            if not isinstance(statement, Declare):
                movable = False
            rest.append(statement)
        return outer, rest
