"""Threads that surely meet in a shadow with no barrier in between: nothing that a source without
races has an adjoint for.

Every pass that moves, merges or removes accesses of an adjoint, or its barriers, asks for itself
whether it may. This looks at what has come of all of them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.accesses import Access, AccessKind
from g2o.analysis.barriers import Ordered, unordered_pairs
from g2o.analysis.conflicts import Certainty, Conflicts
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.polyhedral.formula import TRUE, Formula, conjunction, names_of, renamed
from g2o.polyhedral.solver import Solution, Solver


def refuse_new_races(
    kernel: Kernel,
    primal: Kernel,
    shadows: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> None:
    """Raise Refusal where two threads surely meet in one of the `shadows`, and the threads of the
    `primal`, with barriers, do not meet in anything."""
    if not any(isinstance(node, Barrier) for node in walk(primal.body)):
        return  # what is plain has been judged alone
    inside = _inside_arrays(primal, functions, assume_noalias, solver)
    race = certain_race(kernel, shadows, functions, assume_noalias, solver, inside)
    if race is None or certain_race(primal, None, functions, assume_noalias, solver) is not None:
        return
    if race.first.root is not None:
        one = ", ".join(f"{name} = {value}" for name, value in race.meeting.first[:3])
        other = ", ".join(f"{name} = {value}" for name, value in race.meeting.second[:3])
        message = (
            f"two threads of the adjoint meet in '{race.first.root.name}' with no barrier in "
            f"between ({one} and {other}): this is a bug in g2o"
        )
        raise refuse("G2O0407", message, kernel.function.span)


def certain_race(
    kernel: Kernel,
    shadows: Collection[Symbol] | None,
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
    apart: Formula = TRUE,
) -> Ordered | None:
    """Two accesses of one of the `shadows`, None: of any memory, that surely race, of threads of
    which `apart` holds."""
    kernel = replace(kernel, shape=kernel.shape.as_launched())
    try:
        model = memory_model(kernel, functions.for_node(kernel.body), assume_noalias)
    except NotAnalysable:
        return None
    own = model.accesses
    if shadows is not None:
        own = tuple(one for one in own if one.root in shadows)
    if not any(one.kind is not AccessKind.ATOMIC for one in own):
        return None
    conflicts = Conflicts(model, solver, apart=apart, race_free=False)
    for pair in unordered_pairs(replace(model, accesses=own), conflicts):
        certain = pair.meeting.certainty is Certainty.CERTAIN
        if certain and _matters(pair.first, pair.second):
            return pair
    return None


def _inside_arrays(
    kernel: Kernel, functions: FunctionTable, assume_noalias: bool, solver: Solver
) -> Formula:
    """What holds of two threads, as they would leave an array else: of what all threads access,
    whatever they are to the launch, be it in a loop of so many iterations. `s[threadIdx.y]
    [threadIdx.x]` of an `s[4][64]` says that no `threadIdx.x` is 64, which the adjoint may say
    nowhere."""
    kernel = replace(kernel, shape=kernel.shape.as_launched())
    try:
        model = memory_model(kernel, functions.for_node(kernel.body), assume_noalias)
    except NotAnalysable:
        return TRUE
    known = {*model.thread_axes, *(name for one in model.extents for name in one.names)}

    def happens(access: Access) -> bool:
        names = model.space.closure(name for one in access.guard for name in names_of(one))
        if not access.exact or not names <= model.space.counters:
            return False
        entered = conjunction((*access.guard, model.space.facts(names)))
        return isinstance(solver.solve(entered), Solution)

    held = dict.fromkeys(
        condition
        for access in model.accesses
        if happens(access)
        for condition in access.inside
        if names_of(condition) <= known
    )
    other = {name: f"{name}'" for name in model.thread_axes}
    return conjunction((*held, *(renamed(one, other) for one in held)))


def _matters(first: Access, second: Access) -> bool:
    if first.root is None or first.root != second.root:
        return False
    if first.kind is second.kind is AccessKind.ATOMIC:
        return False
    same = first.kind is second.kind is AccessKind.WRITE and first.id == second.id
    return not (same and not first.varying_value)  # all store the same value
