"""Kernels with shared memory or barriers: blocks in parallel, the threads of a block by fission."""

from __future__ import annotations

from g2o.ir.expressions import Builtin
from g2o.ir.single_declarations import split_declarations
from g2o.ir.statements import (
    Block,
    CountedLoop,
    DoWhile,
    For,
    Jump,
    JumpKind,
    LocalFunction,
    Node,
    Return,
    Scope,
    Stmt,
    Text,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.fission import Fission
from g2o.lowering.flat import block_loops, with_launch_values
from g2o.lowering.grid_group import GridGroup
from g2o.lowering.indices import (
    IndexNames,
    block_of,
    find_aliases,
    name_indices,
    remove_aliases,
    written_after_declaration,
)
from g2o.lowering.intervals import waits
from g2o.lowering.rows import RowLowering
from g2o.lowering.shared import hoist_shared, share_across_grid
from g2o.lowering.shorten import Shortener
from g2o.lowering.thread_group import BlockGroup
from g2o.lowering.warps import WarpLowering


def lower_blocks(context: LoweringContext, body: Block) -> Block:
    """Lower a kernel whose threads share memory or wait for each other."""
    body = split_declarations(body)
    names = _names(context, body)
    body = block_of(remove_aliases(body.statements, names))
    if waits(body, Scope.GRID):
        body = with_launch_values(context, names, body)
        group = GridGroup(context, names, lambda part: _blocks(context, names, part, []))
        shared, body = share_across_grid(context, body, group.block_rank(), group.blocks())
        constant = _constant_memory(context, body)
        result = Fission(context, group, constant, group.lower).run(body.statements)
        statements = (*shared, *result.allocations, *result.statements)
        if result.leaves_early:
            function = LocalFunction("run_grid", (), block_of(_ending(statements)))
            return block_of((function, Text(("run_grid();",))))
        return block_of(statements)
    shared, body = hoist_shared(context, body)
    return _blocks(context, names, with_launch_values(context, names, body), shared)


def _names(context: LoweringContext, body: Block) -> IndexNames:
    aliases = find_aliases(body.statements, context.effects, body)
    return name_indices(context.axes, aliases if context.optimisation else {}, context.symbols)


def _blocks(context: LoweringContext, names: IndexNames, body: Block, shared: list[Stmt]) -> Block:
    """A parallel loop over blocks around the intervals of `body`, which has its indices named."""
    threads = {
        axis: names.symbols[Builtin.THREAD_INDEX, axis] for axis in names.axes(Builtin.THREAD_INDEX)
    }
    group = BlockGroup(context, threads)
    constant = _constant_memory(context, body)
    warps = WarpLowering(context, group, constant)
    rows = RowLowering(context, group, constant)
    interchange = None if context.device else rows.lower
    fission = Fission(context, group, constant, warps.lower, Shortener(group), interchange)
    result = fission.run(body.statements)
    whole = (*shared, *result.allocations, *result.statements)
    if result.leaves_early or not names.axes(Builtin.BLOCK_INDEX):
        whole = _ending(whole)
    if not result.leaves_early:
        return block_loops(context, names, whole)
    name = context.symbols.fresh("run_block", INT, Storage.BLOCK).name
    indices = [names.symbols[Builtin.BLOCK_INDEX, a] for a in names.axes(Builtin.BLOCK_INDEX)]
    function = LocalFunction(name, tuple(indices), block_of(whole))
    call = Text((f"{name}({', '.join(index.name for index in indices)});",))
    return block_of((function, *block_loops(context, names, (call,)).statements))


def _ending(whole: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """A block that leaves goes on with the next one: where no loop over blocks is around the
    statements, because there is one block or they are a function, that is the end."""
    return tuple(rewrite(statement, _end_of_block) for statement in whole)


def _end_of_block(node: Node) -> Node | None:
    if isinstance(node, (For, While, DoWhile, CountedLoop, LocalFunction)):
        return node
    if isinstance(node, Jump) and node.kind is JumpKind.CONTINUE:
        return Return(trivia=node.trivia)
    return None


def _constant_memory(context: LoweringContext, body: Block) -> set[Symbol]:
    """Parameters behind which nothing is written while the kernel runs."""
    written = written_after_declaration(body, context.effects)
    found: set[Symbol] = set()
    for parameter in context.kernel.function.parameters:
        pointee = parameter.type.element
        if parameter.type.kind is not TypeKind.POINTER or pointee is None:
            continue
        if parameter.type.is_restrict and pointee.is_const and parameter not in written:
            found.add(parameter)
    return found
