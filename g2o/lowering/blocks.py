"""Kernels with shared memory or barriers: blocks in parallel, the threads of a block by fission."""

from __future__ import annotations

from typing import final

from g2o.ir.expressions import Builtin
from g2o.ir.statements import Block, LocalFunction, Stmt, Text
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.fission import Fission
from g2o.lowering.flat import block_loops, with_launch_values
from g2o.lowering.indices import (
    IndexNames,
    block_of,
    find_aliases,
    name_indices,
    remove_aliases,
    written_after_declaration,
)
from g2o.lowering.shared import hoist_shared
from g2o.lowering.shorten import Shortener
from g2o.lowering.single_declarations import split_declarations
from g2o.lowering.thread_group import BlockGroup
from g2o.lowering.warps import WarpLowering


def lower_blocks(context: LoweringContext, body: Block) -> Block:
    """Lower a kernel whose threads share memory or wait for each other."""
    shared, body = hoist_shared(context, split_declarations(body))
    return _Blocks(context, body, shared).lower()


@final
class _Blocks:
    def __init__(self, context: LoweringContext, body: Block, shared: list[Stmt]) -> None:
        self.context = context
        self.shared = shared
        aliases = find_aliases(body.statements, context.effects, body)
        self.names: IndexNames = name_indices(
            context.axes, aliases if context.optimisation else {}, context.symbols
        )
        statements = remove_aliases(body.statements, self.names)
        self.body = with_launch_values(context, self.names, block_of(statements))

    def lower(self) -> Block:
        context, names = self.context, self.names
        threads = {
            axis: names.symbols[Builtin.THREAD_INDEX, axis]
            for axis in names.axes(Builtin.THREAD_INDEX)
        }
        group = BlockGroup(context, threads)
        constant = self._constant_memory()
        warps = WarpLowering(context, group, constant)
        fission = Fission(context, group, constant, warps.lower, Shortener(group))
        result = fission.run(self.body.statements)
        whole = (*self.shared, *result.allocations, *result.statements)
        if not result.leaves_early:
            return block_loops(context, names, whole)
        name = context.symbols.fresh("run_block", INT, Storage.BLOCK).name
        indices = [names.symbols[Builtin.BLOCK_INDEX, a] for a in names.axes(Builtin.BLOCK_INDEX)]
        function = LocalFunction(name, tuple(indices), block_of(whole))
        call = Text((f"{name}({', '.join(index.name for index in indices)});",))
        return block_of((function, *block_loops(context, names, (call,)).statements))

    def _constant_memory(self) -> set[Symbol]:
        """Parameters behind which nothing is written while the kernel runs."""
        written = written_after_declaration(self.body, self.context.effects)
        found: set[Symbol] = set()
        for parameter in self.context.kernel.function.parameters:
            pointee = parameter.type.element
            if parameter.type.kind is not TypeKind.POINTER or pointee is None:
                continue
            if parameter.type.is_restrict and pointee.is_const and parameter not in written:
                found.add(parameter)
        return found
