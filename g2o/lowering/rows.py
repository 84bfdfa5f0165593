"""Intervals in which a sequential loop stands outside of the loop over a row of threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from g2o.analysis.positions import Positions
from g2o.ir.expressions import Builtin, Expr, LaunchRef
from g2o.ir.statements import CountedLoop, Declare, Node, Return, Scope, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.chunks import ChunkLoop
from g2o.lowering.context import LoweringContext, bound_for
from g2o.lowering.fission import Fission
from g2o.lowering.indices import block_of
from g2o.lowering.interchange import split_rows
from g2o.lowering.joint_ranges import Counter, share_of
from g2o.lowering.thread_group import ZERO, BlockGroup, WarpGroup

_LEAST_THREADS = 8
_MOST_THREADS = 1024


@final
@dataclass(frozen=True, slots=True)
class RowLowering:
    """Lowers intervals of a block; rows of unknown length are taken to be long enough."""

    context: LoweringContext
    block: BlockGroup
    constant_memory: set[Symbol]

    def lower(self, statements: list[Stmt], once: set[Symbol]) -> list[Stmt] | None:
        """The interval with its loops interchanged, or None where that does not pay."""
        context = self.context
        if context.optimisation < 2 or 0 not in self.block.threads:
            return None
        extent = context.constant_extent(Builtin.BLOCK_DIM, 0)
        threads = context.constant_value(Builtin.BLOCK_DIM, 0)
        if threads is not None and not _LEAST_THREADS <= threads <= _MOST_THREADS:
            return None
        x = self.block.threads[0]
        if any(isinstance(node, Return) for s in statements for node in walk(s)):
            return None
        length = self.block.extent(0)
        rows = split_rows(
            statements, x, once, context.effects, context.symbols, None, length, self._by_all
        )
        if rows is None:
            return None
        group = WarpGroup(
            x,
            bound_for(x.type, self.block.extent(0)),
            (),
            {x: "threadIdx.x"},
            {x: ZERO},
            Scope.ROW,
            extent or "",
        )
        shorten = ChunkLoop(x, self.block.extent(0))
        result = Fission(context, group, self.constant_memory, shorten=shorten).run(tuple(rows))
        nest: Stmt = block_of((*result.allocations, *result.statements))
        for axis in self.block.axes[1:]:
            index = self.block.threads[axis]
            nest = CountedLoop(index, ZERO, bound_for(index.type, self.block.extent(axis)), nest)
        if len(self.block.axes) > 1:
            return [nest]
        declares = any(isinstance(s, Declare) for s in result.statements)
        if result.allocations or declares:
            return [nest]
        return list(result.statements)

    def _by_all(self, start: Expr, step: Expr) -> bool:
        """Do all threads of the block go through one range, which is one loop then?"""
        threads = [
            Counter(self.block.threads[axis], self.block.extent(axis)) for axis in self.block.axes
        ]
        begun, by = (rewrite(one, self._extent) for one in (start, step))
        shares = share_of(begun, by, threads, Positions({}))
        return shares is not None and len(shares) == len(threads) > 1

    def _extent(self, node: Node) -> Node | None:
        match node:
            case LaunchRef(builtin=Builtin.BLOCK_DIM, axis=int() as axis):
                return self.block.extent(axis)
            case _:
                return None
