"""Data races of the CUDA source: threads of a block that meet with no barrier in between.

    s[t] = x[i];
    y[i] = s[t + 1];     // written by another thread

A race is certain where isl has a witness, nothing about the two accesses was left out, and it
happens in blocks of the size that the launches show. Where they show none, two threads along each
axis have to be enough: arrays may be meant for blocks of some size, and what needs more threads is
possible, told with the size. Possible is also where the two could not be told apart. Only accesses
through one array or pointer are compared: pointers that may overlap are no sign of a race.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.accesses import OUTPUT, OUTSIDE, Access, AccessKind, MemoryModel
from g2o.analysis.barrier_flow import Distance
from g2o.analysis.barriers import Ordered, unordered_pairs
from g2o.analysis.conflicts import Certainty, Conflicts
from g2o.analysis.functions import FunctionTable
from g2o.analysis.launch_names import THREAD_NAMES
from g2o.diagnostics.diagnostic import Diagnostic, Note, Outcome, remark, warning
from g2o.ir.expressions import Assign, Call, VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier, Declare, Exchange, ExprStatement, Scope, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.polyhedral.formula import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    conjunction,
    different,
    disjunction,
    less,
)
from g2o.polyhedral.polynomial import ZERO, Polynomial
from g2o.polyhedral.solver import Solver

_WARP: Final = 32
_SIZES: Final = (2, 8, 32, 64, 256, 1024)


@final
@dataclass(frozen=True, slots=True)
class Counter:
    """What a loop counts: its name, what it begins with, by how much it changes; None for what is
    no constant."""

    name: str
    first: int | None
    step: int | None

    def shown(self, iteration: int) -> str:
        if self.first is None or self.step is None:
            return f"iteration {iteration} of {self.name}"
        return f"{self.name} = {self.first + iteration * self.step}"


@final
@dataclass(frozen=True, slots=True)
class Iterations:
    """What is said of threads that are the iterations of a loop: `counters` are what counts along
    the axes of the block."""

    counters: tuple[Counter, ...]


def find_races(
    kernel: Kernel,
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
    thorough: bool,
    iterations: Iterations | None = None,
) -> tuple[Diagnostic, ...]:
    """Warnings of certain races and, if `thorough`, remarks on possible ones, of threads or of
    `iterations`."""
    kernel = replace(kernel, shape=kernel.shape.as_launched())
    try:
        model = memory_model(kernel, functions.for_node(kernel.body), assume_noalias)
    except NotAnalysable:
        return ()
    apart = _in_other_warps(kernel, model)
    found: list[Diagnostic] = []
    if apart != TRUE:
        in_step = _Sizes(model, solver, TRUE, iterations)
        together = _in_one_step(model, Conflicts(model, solver, race_free=False))
        found += _reported(together, in_step, lambda one: _in_one_step(model, one), thorough)
    sizes = _Sizes(model, solver, apart, iterations)
    conflicts = Conflicts(model, solver, apart=apart, race_free=False)
    races = _races(model, conflicts)
    if iterations is not None:
        races = _one_of_each(races)
    found += _reported(races, sizes, lambda one: _races(model, one), thorough)
    return tuple(found)


def _reported(
    races: list[Ordered],
    sizes: _Sizes,
    races_of: Callable[[Conflicts], list[Ordered]],
    thorough: bool,
) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for pair in races:
        certain = pair.meeting.certainty is Certainty.CERTAIN and not _by_protocol(pair)
        least = sizes.least(pair, races_of) if certain else None
        if least is not None and least.size > 2 and thorough:
            found.append(_described(least.pair, False, sizes.iterations, sizes.told(least)))
        elif certain and (least is None or least.size == 2):
            found.append(_described(pair if least is None else least.pair, True, sizes.iterations))
        elif thorough:
            found.append(_described(pair, False, sizes.iterations))
    return found


@final
@dataclass(frozen=True, slots=True)
class _Least:
    """A race as it happens in blocks with at most `size` threads along each unknown axis."""

    pair: Ordered
    size: int


@final
@dataclass(slots=True)
class _Sizes:
    """How large blocks have to be for a race, where no launch shows how large they are."""

    model: MemoryModel
    solver: Solver
    apart: Formula
    iterations: Iterations | None = None
    found: dict[int, list[Ordered]] = field(default_factory=dict[int, "list[Ordered]"])

    def least(self, race: Ordered, races_of: Callable[[Conflicts], list[Ordered]]) -> _Least | None:
        """None where the launches show the size."""
        unknown = self._unknown()
        if not unknown:
            return None
        for size in _SIZES:
            if size not in self.found:
                bound = Polynomial.constant(size)
                limits = (at_least(bound, self.model.extents[axis]) for axis in unknown)
                apart = conjunction((self.apart, *limits))
                self.found[size] = races_of(
                    Conflicts(self.model, self.solver, apart=apart, race_free=False)
                )
            for pair in self.found[size]:
                if _same(pair, race) and pair.meeting.certainty is Certainty.CERTAIN:
                    return _Least(pair, size)
        return _Least(race, _SIZES[-1])

    def told(self, least: _Least) -> str:
        """Which blocks have the threads of the witness."""
        meeting = least.pair.meeting
        known = dict(meeting.first), dict(meeting.second)
        axes = [THREAD_NAMES[axis] for axis in self._unknown()]
        needed = [
            f"{axis.replace('threadIdx', 'blockDim')} > {most}"
            for axis in axes
            if (most := max((one.get(axis, 0) for one in known), default=0)) > 0
        ]
        if self.iterations is not None:
            return ""  # the witness says it all
        return f", in blocks with {' and '.join(needed)}" if needed else ""

    def _unknown(self) -> list[int]:
        return [
            axis
            for axis, name in enumerate(THREAD_NAMES)
            if name in self.model.thread_axes and self.model.extents[axis].names
        ]


def _same(one: Ordered, other: Ordered) -> bool:
    return {one.first.id, one.second.id} == {other.first.id, other.second.id}


def _in_one_step(model: MemoryModel, conflicts: Conflicts) -> list[Ordered]:
    """Stores of lanes in step to one element, by one instruction: which one stays, nobody knows.

    Programs that try again until their own value is there declare the array volatile.
    """
    found: list[Ordered] = []
    for access in model.accesses:
        names = frozenset[str]() if access.index is None else access.index.names
        in_loop = any(model.space.infos[name].counts for name in model.space.closure(names))
        watched = access.element is not None and access.element.is_volatile
        if access.kind is not AccessKind.WRITE or watched or in_loop:
            continue
        if not _matters(access, access):
            continue
        meeting = conflicts.meeting(access, access, Distance())
        if meeting.certainty is Certainty.CERTAIN and not _same_value(access, model, conflicts):
            found.append(Ordered(access, access, Distance(), meeting))
    return found


def _races(model: MemoryModel, conflicts: Conflicts) -> list[Ordered]:
    """One for each pair of accesses, certain ones first where there are both."""
    found: dict[tuple[int, int], Ordered] = {}
    for pair in unordered_pairs(model, conflicts):
        if not _matters(pair.first, pair.second):
            continue
        alone = pair.first.id == pair.second.id and pair.distance == Distance()
        if alone and _same_value(pair.first, model, conflicts):
            continue
        low, high = sorted((pair.first.id, pair.second.id))
        known = found.get((low, high))
        if known is None or known.meeting.certainty is Certainty.POSSIBLE:
            found[low, high] = pair
    shown: dict[tuple[object, object], Ordered] = {}
    for key in sorted(found):
        pair = found[key]
        shown.setdefault((pair.first.span, pair.second.span), pair)
    return list(shown.values())


def _one_of_each(races: list[Ordered]) -> list[Ordered]:
    """A race for each variable, a certain one where there is one: more would say the same of it."""
    found: dict[object, Ordered] = {}
    for one in races:
        known = found.get(one.first.root)
        if known is None or known.meeting.certainty is Certainty.POSSIBLE:
            if known is None or one.meeting.certainty is Certainty.CERTAIN:
                found[one.first.root] = one
    return list(found.values())


def _matters(first: Access, second: Access) -> bool:
    if first.root != second.root or first.root in (None, OUTPUT, OUTSIDE):
        return False
    if first.kind is second.kind is AccessKind.ATOMIC:
        return False
    same = first.kind is second.kind is AccessKind.WRITE and first.id == second.id
    return not (same and not first.varying_value)  # all store the same value


def _same_value(access: Access, model: MemoryModel, conflicts: Conflicts) -> bool:
    """Do threads that write to one element store the same? `s[tx] = a[tx]` in all rows of a block.

    They do where what they store is a function of values in which they cannot differ.
    """
    if access.kind is not AccessKind.WRITE or access.value is None:
        return False
    space = model.space
    given: list[Polynomial] = []
    pending = sorted(access.value.names)
    while pending:
        name = pending.pop()
        info = space.infos[name]
        if info.loops or (info.counts and access.counters is None):
            return False  # the threads may be in different iterations
        if info.counts:
            given.extend(map(Polynomial.name, access.counters or ()))
            continue
        operands = space.operands.get(name) or space.in_block.get(name)
        if operands is not None:
            pending += sorted({one for each in operands for one in each.names})
        elif info.varying:
            given.append(Polynomial.name(name))
    other = {name: f"{name}'" for one in given for name in one.names}
    differ = disjunction(different(one, one.renamed(other)) for one in given)
    apart = conjunction((conflicts.apart, differ))
    asked = Conflicts(model, conflicts.solver, apart=apart, race_free=False)
    return asked.meeting(access, access, Distance()).certainty is Certainty.NEVER


def _by_protocol(pair: Ordered) -> bool:
    """An atomic access of global memory beside a plain one: flags and locks do that on purpose. So
    does the first look of a loop that compares and swaps: it only guesses."""
    root = pair.first.root
    looks = [one.statement for one in (pair.first, pair.second) if one.kind is AccessKind.READ]
    swaps = [one.statement for one in (pair.first, pair.second) if one.kind is AccessKind.ATOMIC]
    if len(looks) == len(swaps) == 1 and not _swapped(swaps[0]).isdisjoint(_set_by(looks[0])):
        return True
    atomic = AccessKind.ATOMIC in (pair.first.kind, pair.second.kind)
    shared = root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return atomic and not shared


def _set_by(statement: Stmt | None) -> set[Symbol]:
    """The variables that a statement gives a value, and nothing else."""
    match statement:
        case Declare(variables=variables):
            return {one.symbol for one in variables if one.initial is not None}
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol))):
            return {symbol}
        case _:
            return set()


def _swapped(statement: Stmt | None) -> set[Symbol]:
    """The variable that keeps what a compare-and-swap has found."""
    match statement:
        case ExprStatement(expr=Assign(value=Call(name="atomicCAS"))):
            return _set_by(statement)
        case _:
            return set()


def _in_other_warps(kernel: Kernel, model: MemoryModel) -> Formula:
    """Where the threads of a warp are kept in step, only threads of two warps can race."""
    in_step = any(
        isinstance(node, (Barrier, Exchange)) and node.scope is Scope.WARP
        for node in walk(kernel.body)
    )
    if not in_step:
        return TRUE
    thread = ZERO
    for axis in reversed(range(3)):
        name = THREAD_NAMES[axis]
        index = Polynomial.name(name) if name in model.thread_axes else ZERO
        thread = thread * model.extents[axis] + index
    if not thread.is_affine:
        return FALSE
    other = thread.renamed({name: f"{name}'" for name in model.thread_axes})
    one_warp, other_warp = Polynomial.name("warp"), Polynomial.name("warp'")
    return conjunction(
        (
            *_within(thread - one_warp.scaled(_WARP)),
            *_within(other - other_warp.scaled(_WARP)),
            different(one_warp, other_warp),
        )
    )


def _within(lane: Polynomial) -> tuple[Formula, Formula]:
    return at_least(lane, ZERO), less(lane, Polynomial.constant(_WARP))


def _described(
    pair: Ordered, certain: bool, iterations: Iterations | None, launch: str = ""
) -> Diagnostic:
    root = pair.first.root
    assert root is not None
    kinds = f"{pair.first.kind.value} and {pair.second.kind.value}"
    may = "" if certain else "may "
    if iterations is None:
        message = f"two threads {may}race in '{root.name}' ({kinds}, no barrier between)"
    else:
        message = f"two iterations {may}race in '{root.name}' ({kinds})"
    witness = _witness(pair, certain or launch != "", iterations)
    notes = [Note(witness + launch, pair.second.span)]
    if not certain:
        return remark(Outcome.ANALYSIS, "G2O0308", message, pair.first.span, *notes)
    return warning("G2O0308", message, pair.first.span, *notes)


def _witness(pair: Ordered, real: bool, iterations: Iterations | None) -> str:
    text = f"the other {pair.second.kind.value} is here"
    if pair.distance.loop is not None:
        text += ", in another iteration" if iterations is None else ", in another turn inside"
    if not real or not pair.meeting.first:
        return text
    one, other = (_shown(each, iterations) for each in (pair.meeting.first, pair.meeting.second))
    return f"{text}: {one} meets {other}"


def _shown(values: tuple[tuple[str, int], ...], iterations: Iterations | None) -> str:
    if iterations is not None:
        counters = dict(zip(THREAD_NAMES, iterations.counters, strict=False))
        return ", ".join(counters[name].shown(value) for name, value in values if name in counters)
    return ", ".join(f"{name} = {value}" for name, value in values[:3])
