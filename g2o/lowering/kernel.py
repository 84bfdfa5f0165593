"""From a kernel with barriers to loops over blocks and threads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import statements_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.lane_masks import lane_masks
from g2o.diagnostics.diagnostic import Diagnostic, Refusal
from g2o.ir.expressions import AXES, Builtin, Expr, Form, VarRef
from g2o.ir.kernel import Kernel, LoweredKernel
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    Exchange,
    Scope,
    Stmt,
    Text,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.watch import Pass, PassWatch
from g2o.lowering.array_layout import lay_out_arrays
from g2o.lowering.blocks import lower_blocks
from g2o.lowering.bounded_loops import bound_loops
from g2o.lowering.common_steps import in_step, with_block_steps
from g2o.lowering.context import DIM3, SIZE, Apart, LoweringContext, UnboundedThreads
from g2o.lowering.decided_conditions import without_decided_conditions
from g2o.lowering.delinearise import delinearise
from g2o.lowering.first_values import with_first_values
from g2o.lowering.flat import lower_flat
from g2o.lowering.gathered_windows import gather_windows
from g2o.lowering.guards import counters_from_zero, counters_with_a_next
from g2o.lowering.index_comments import with_comments_of_indices
from g2o.lowering.indices import used_axes
from g2o.lowering.intervals import waits_below
from g2o.lowering.joined_guards import join_guards
from g2o.lowering.local_types import hoist_local_types
from g2o.lowering.narrow_scopes import declared_at_their_values
from g2o.lowering.offload.directives import check_constructs
from g2o.lowering.offload.regions import put_on_device
from g2o.lowering.offload.unsupported import check_for_device
from g2o.lowering.own_parameters import own_parameters
from g2o.lowering.register_tiles import with_register_tiles
from g2o.lowering.remarks import remarks_on_launch, remarks_on_vectors
from g2o.lowering.row_choices import with_row_choices
from g2o.lowering.scattered import without_scattered_vectors
from g2o.lowering.selected_values import with_selected_values
from g2o.lowering.separate_edges import separate_edges
from g2o.lowering.signed_places import with_signed_places
from g2o.lowering.signedness import with_equal_signs
from g2o.lowering.single_axes import without_single_axes
from g2o.lowering.split_index_sets import split_index_sets
from g2o.lowering.starts import with_starts
from g2o.lowering.stride_loops import merge_stride_loops
from g2o.lowering.strip_mine import strip_mine
from g2o.lowering.sweeps_apart import with_sweeps_apart
from g2o.lowering.turn_arrays import declare_in_turns
from g2o.lowering.uniform_exchanges import take_own_values
from g2o.lowering.unused import drop_unused
from g2o.lowering.vector_loops import with_vector_loops
from g2o.lowering.whole_warps import without_whole_masks
from g2o.lowering.wide_places import with_wide_places

Statements = tuple[Stmt, ...]

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_APART = "G2O0203"  # threads may come to a barrier apart


@final
@dataclass(frozen=True, slots=True)
class ForDevice:
    """What is asked of the loops of a kernel for an offload device: to serve CPUs as well, and what
    is done to them before they become target constructs."""

    portable: bool
    improve: Callable[[LoweredKernel], LoweredKernel]


@final
@dataclass(frozen=True, slots=True)
class LoopPass:
    """A row of the table of passes on loops, which all only improve them, for CPUs."""

    name: str
    run: Callable[[LoweringContext, Statements], Statements]

    def on(self, context: LoweringContext) -> Pass[LoweredKernel]:
        """The pass on the loops of one kernel."""

        def run(lowered: LoweredKernel) -> LoweredKernel:
            made = self.run(context, lowered.body)
            if made is lowered.body:
                return lowered
            symbols = lowered.function.symbols.behind(context.symbols.last_id)
            return replace(lowered, body=made, function=replace(lowered.function, symbols=symbols))

        return Pass(self.name, run, 2, improves=True)


LOOP_PASSES: Final = (
    LoopPass("coalesce-strides", lambda c, s: merge_stride_loops(s, c.effects, c.symbols)),
    LoopPass("delinearise", delinearise),
    LoopPass("join-guards", lambda c, s: join_guards(s, c.effects)),
    LoopPass("bounds", lambda c, s: bound_loops(s, c)),
    LoopPass("coalesce-strides", lambda c, s: merge_stride_loops(s, c.effects, c.symbols)),
    LoopPass("sweeps-apart", with_sweeps_apart),
    LoopPass("gather-windows", gather_windows),
    LoopPass("array-layout", lay_out_arrays),
    LoopPass("strip-mine", strip_mine),
    LoopPass("register-tiles", with_register_tiles),
    LoopPass("narrow-arrays", lambda _, s: declare_in_turns(s)),
    LoopPass("row-choices", with_row_choices),
    LoopPass("split-index-sets", split_index_sets),
    LoopPass("vector-loops", with_vector_loops),
    LoopPass("scattered", lambda _, s: without_scattered_vectors(s)),
    LoopPass("join-guards", lambda c, s: join_guards(s, c.effects)),
    LoopPass("selects", with_selected_values),
    LoopPass("signed-places", with_signed_places),
    LoopPass("wide-places", with_wide_places),
    LoopPass("separate", separate_edges),
)


def lower_kernel(
    kernel: Kernel,
    functions: FunctionTable,
    takes_shared_bytes: bool,
    optimisation: int,
    device: ForDevice | None = None,
    watch: PassWatch | None = None,
    *,
    associative: bool = False,
) -> LoweredKernel:
    """Lower a kernel for the CPU, or for a `device`. The `watch` runs the passes on loops.
    `associative`: sums of real numbers may be added up in any order.

    Raises Refusal for what has no right translation, UnboundedThreads for a kernel that has no
    number of threads of its own and whose guards do not say one.
    """
    given = (kernel, functions, takes_shared_bytes, optimisation, device, watch or PassWatch())
    if optimisation >= 2:
        return _lowered(*given, steps=True, associative=associative)
    try:
        return _lowered(*given, steps=False, associative=associative)
    except Refusal as refusal:
        if refusal.diagnostic.code != _APART:
            raise
    return _lowered(*given, steps=True, associative=associative)


def _lowered(
    kernel: Kernel,
    functions: FunctionTable,
    takes_shared_bytes: bool,
    optimisation: int,
    device: ForDevice | None,
    watch: PassWatch,
    *,
    steps: bool,
    associative: bool,
) -> LoweredKernel:
    """`steps`: what all threads step by is taken apart. That tells of some barriers that all come
    to them."""
    if device is not None:
        check_for_device(kernel)
    if optimisation >= 2:
        kernel = without_single_axes(_without_unused(kernel, functions))
    function = kernel.function
    symbols = SymbolTable(_names_in_text(function.span.text), function.symbols)
    grid = symbols.fresh("grid", DIM3, Storage.PARAMETER)
    block = symbols.fresh("block", DIM3, Storage.PARAMETER)
    shared_bytes = (
        symbols.fresh("shared_bytes", SIZE, Storage.PARAMETER) if takes_shared_bytes else None
    )
    effects = functions.for_node(kernel.body)
    if optimisation >= 2:
        early = declared_at_their_values(kernel.body, effects, symbols)
        kernel = replace(kernel, function=replace(function, body=early))
        effects = functions.for_node(early)
    context = LoweringContext(
        kernel, symbols, effects, grid, block, shared_bytes, optimisation, {}, set(kernel.relied)
    )
    context.associative = associative
    context.counters = counters_with_a_next(kernel.body, effects)
    context.from_zero = counters_from_zero(kernel.body, effects, kernel.shape.extents)
    context.masks = lane_masks(kernel.body, effects)
    if device is not None:
        context.device, context.portable = True, device.portable
    blocks = _needs_blocks(kernel.body)
    if blocks and kernel.is_unbounded:
        raise UnboundedThreads
    types, body = hoist_local_types(kernel.body, function.parameters, constants=blocks)
    body = own_parameters(function, body, effects, symbols)
    if steps:
        body = with_starts(body, effects)
        body = in_step(with_block_steps(body, effects, symbols), effects) if blocks else body
    for index, extent in (
        (Builtin.BLOCK_INDEX, Builtin.GRID_DIM),
        (Builtin.THREAD_INDEX, Builtin.BLOCK_DIM),
    ):
        context.axes[index] = looped_axes(context, body, index, extent)
    loops = statements_of(lower_blocks(context, body) if blocks else lower_flat(context, body))
    loops = without_whole_masks(take_own_values(loops), effects)
    if device is not None:
        function = replace(function, symbols=function.symbols.behind(symbols.last_id))
        found = LoweredKernel(function, loops, grid, block, shared_bytes)
        loops = put_on_device(context, device.improve(found).body)
    checks = launch_checks(context)
    statements = (*types, *checks, *loops)
    behind = replace(function, symbols=function.symbols.behind(symbols.last_id))
    lowered = LoweredKernel(behind, statements, grid, block, shared_bytes)
    for one in LOOP_PASSES if device is None else ():
        lowered = watch.run(one.on(context), lowered, optimisation, checks=False)
    statements = lowered.body
    if optimisation >= 2:
        statements = without_decided_conditions(statements)
    statements = with_equal_signs(drop_unused(statements, effects), grid, block)
    statements = with_comments_of_indices(statements, function.body.statements)
    if device is None:
        statements = with_first_values(statements, function.template_parameters)
    else:
        check_constructs(statements)
    remarks = (*context.remarks, *_remarks(context, statements))
    function = replace(function, symbols=function.symbols.behind(symbols.last_id))
    return LoweredKernel(function, statements, grid, block, shared_bytes, remarks)


def _remarks(context: LoweringContext, statements: tuple[Stmt, ...]) -> Iterator[Diagnostic]:
    function = context.kernel.function
    values = {place: context.constant_extent(*place) or "1" for place in context.relied}
    apart = context.kernel.shape.apart
    yield from remarks_on_launch(function, context.relied, values, apart)
    if context.optimisation >= 2:
        loops = (node for s in statements for node in walk(s) if isinstance(node, CountedLoop))
        yield from remarks_on_vectors(function, statements, {loop.index for loop in loops})


def _without_unused(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """What nobody reads should not decide which indices the threads are told apart by."""
    statements = drop_unused(kernel.body.statements, functions.for_node(kernel.body))
    if statements is kernel.body.statements:
        return kernel
    body = replace(kernel.body, statements=statements, form=Form.BUILT)
    return replace(kernel, function=replace(kernel.function, body=body))


def looped_axes(context: LoweringContext, body: Block, index: Builtin, extent: Builtin) -> set[int]:
    """Axes of an index over which threads that do `body` have to be enumerated.

    An index that the kernel does not look at makes threads that do all the same. Without races
    such threads store the same values, so one of them is enough, unless they do something that
    counts (atomics, output), or are lanes of a warp that works together: then the extent has to
    be 1, and the emitted code says so, unless launches tell that it may be more.
    """
    axes = used_axes(body, index)
    single = {axis for axis in range(3) if context.constant_extent(extent, axis) == "1"}
    axes -= single
    are_lanes = extent is Builtin.BLOCK_DIM and waits_below(body, Scope.BLOCK)
    if are_lanes or context.effects.of(body).side_effects:
        if context.optimisation == 0:
            return {0, 1, 2}
        measured = (used_axes(body, extent) | _axes_of_launches(context, extent)) - single
        axes |= measured or ({0} - single if not axes else set())
        context.relied |= {(extent, axis) for axis in {0, 1, 2} - axes}
    return axes


def _axes_of_launches(context: LoweringContext, extent: Builtin) -> set[int]:
    """Axes that launches give more than one index, or may."""
    shape = context.kernel.shape
    spelled = shape.block if extent is Builtin.BLOCK_DIM else shape.grid
    if all(text is None for text in spelled):
        return set()  # nothing is known of the launches
    return {axis for axis in range(3) if spelled[axis] != "1"}


def _names_in_text(text: str) -> frozenset[str]:
    """Every identifier in the kernel: a new name must not capture any of them."""
    return frozenset(_IDENTIFIER.findall(_COMMENT.sub("", text)))


def _needs_blocks(body: Block) -> bool:
    for node in walk(body):
        match node:
            case Barrier() | Exchange():
                return True
            case Declare(variables=variables):
                shared = (Storage.SHARED, Storage.DYNAMIC_SHARED)
                if any(variable.symbol.storage in shared for variable in variables):
                    return True
            case VarRef(symbol=symbol) if symbol.storage is Storage.DYNAMIC_SHARED:
                return True
            case _:
                pass
    return False


def _checks_of_arrays(apart: Iterable[Apart]) -> Iterator[Text]:
    """Assertions that arrays begin at one place, or where others have no elements."""
    groups: dict[tuple[Symbol, int, Expr], dict[Symbol, None]] = {}
    for one in sorted(
        apart, key=lambda one: (one.one.id, one.other.id, one.scale, repr(one.count))
    ):
        if one.one not in groups.get((one.other, one.scale, one.count), ()):
            groups.setdefault((one.one, one.scale, one.count), {})[one.other] = None
    for (array, scale, count), others in groups.items():
        items: tuple[str | Expr, ...] = (count,)
        if scale > 1:
            items = (f"{scale} * std::ptrdiff_t(", count, ")")
        names = (part for one in (array, *others) for part in (", ", VarRef(one)))
        yield Text(("assert(g2o::apart(", *items, *names, "));"))


def launch_checks(context: LoweringContext) -> tuple[Stmt, ...]:
    """An assertion of the launch dimensions that the translation relies on."""
    terms: list[str] = []
    for extent, symbol in ((Builtin.GRID_DIM, context.grid), (Builtin.BLOCK_DIM, context.block)):
        for axis in range(3):
            if (extent, axis) in context.relied:
                shape = context.kernel.shape  # optimisations of derivatives rely on it at any level
                sizes = shape.block if extent is Builtin.BLOCK_DIM else shape.grid
                spelled = sizes[axis]
                terms.append(f"{symbol.name}.{AXES[axis]} == {spelled or '1'}")
    checks = [Text((f"assert({' && '.join(terms)});",))] if terms else []
    checks += _checks_of_arrays(context.apart)
    match context.kernel.relied_arguments:
        case (only,):
            checks += [Text((f"static_assert({name} == {value});",)) for name, value in only]
        case several if several:
            each = [" && ".join(f"{name} == {value}" for name, value in one) for one in several]
            each = [f"({text})" if "&&" in text else text for text in each]
            checks.append(Text((f"static_assert({' || '.join(each)});",)))
        case _:
            pass
    for number, factor in context.multiples.items():
        checks.append(Text((f"static_assert({number} % {factor} == 0);",)))
    return tuple(checks)
