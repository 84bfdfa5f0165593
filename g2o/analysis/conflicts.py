"""Whether two threads of a block can meet at one location.

The question of barrier elimination, of races and of forwarding, asked of isl: is there a thread
that makes the first access and another one that makes the second, at the same location? No meeting
is missed: what is not understood may meet. (`meetings` steps through a kernel instead and finds
only what surely meets, in the order of a warp in step; `independence` asks about loops that are
lowered already.)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import islice
from typing import final

from g2o.analysis.accesses import OUTPUT, OUTSIDE, Access, AccessKind, MemoryModel
from g2o.analysis.addresses import ANY_MEMBER
from g2o.analysis.barrier_flow import Distance
from g2o.analysis.reached_values import is_reached, only_reached
from g2o.ir.expressions import Builtin
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import CType, TypeKind, may_share_memory
from g2o.polyhedral.formula import (
    TRUE,
    Formula,
    at_least,
    conjunction,
    different,
    disjunction,
    equal,
    fixed_values,
    names_of,
    negation,
    renamed,
    substituted,
)
from g2o.polyhedral.polynomial import ZERO, Polynomial
from g2o.polyhedral.solver import NoSolution, Solution, Solver
from g2o.polyhedral.strides import vanishes

_EASILY_PICTURED = 31
_OF_THREADS = (Builtin.THREAD_INDEX.value, Builtin.BLOCK_INDEX.value)


class Certainty(Enum):
    NEVER = "never"
    POSSIBLE = "possible"  # not excluded
    CERTAIN = "certain"  # there is a launch in which it happens


@final
@dataclass(frozen=True, slots=True)
class Meeting:
    """Whether two threads meet. The values are those of a witness, by name; empty without one."""

    certainty: Certainty
    reason: str = ""
    first: tuple[tuple[str, int], ...] = ()
    second: tuple[tuple[str, int], ...] = ()


NEVER = Meeting(Certainty.NEVER)


@final
@dataclass(slots=True)
class Conflicts:
    """Answers for the accesses of one kernel, remembered. `proves`: would threads that make the
    write to one element have a race?"""

    model: MemoryModel
    solver: Solver
    apart: Formula = TRUE  # holds of the two threads besides
    race_free: bool = True  # the source has no races
    proves: Callable[[Access], bool] = field(default=lambda _: False)
    answers: dict[tuple[int, int, Distance], Meeting] = field(
        default_factory=dict[tuple[int, int, Distance], Meeting]
    )
    first_like: dict[int, int] = field(default_factory=dict[int, int])
    by_form: dict[Access, int] = field(default_factory=dict[Access, int])
    limits: dict[int, tuple[Formula, ...]] = field(default_factory=dict[int, "tuple[Formula, ...]"])
    of_threads: list[str] = field(default_factory=list[str])  # among the first `looked_at` names
    looked_at: int = 0

    def meeting(self, first: Access, second: Access, distance: Distance) -> Meeting:
        """Can one thread make `first`, and another one `second` that far behind, at one place?"""
        key = (self._like(first), self._like(second), distance)
        known = self.answers.get(key)
        if known is None:
            known = self.answers[key] = self._decide(first, second, distance)
        return known

    def _like(self, access: Access) -> int:
        """The first access of which the answers hold for this one as well: unrolled code makes the
        same ones many times."""
        known = self.first_like.get(access.id)
        if known is None:
            same = replace(access, id=0, segment=0, varying_value=True)
            known = self.first_like[access.id] = self.by_form.setdefault(same, access.id)
        return known

    def _decide(self, first: Access, second: Access, distance: Distance) -> Meeting:
        if first.kind is AccessKind.READ and second.kind is AccessKind.READ:
            return NEVER
        if not self.may_alias(first, second):
            return NEVER
        if not self.model.thread_axes:
            return NEVER  # one thread does it all
        if self._by_race_freedom(first, second, distance):
            return NEVER
        return self._ask(first, second, distance)

    # -- memory ---------------------------------------------------------------------------------

    def may_alias(self, first: Access, second: Access) -> bool:
        """May the two go to the same memory at all?"""
        one, other = first.root, second.root
        if OUTPUT in (one, other):
            return one == other
        if one is None or other is None:
            return True
        if one == other:
            comparable = same_unit(first.element, second.element)
            return not (comparable and _apart(first.path, second.path))
        inside, beside = _in_block(one), _in_block(other)
        if inside or beside:
            both = one.storage is other.storage is Storage.DYNAMIC_SHARED
            return inside and beside and both
        if OUTSIDE in (one, other):
            return True
        if one.type.is_restrict or other.type.is_restrict or self.model.assume_noalias:
            return False
        if not _is_pointer(one) and not _is_pointer(other):
            if one.storage is Storage.GLOBAL and other.storage is Storage.GLOBAL:
                return False
        return may_share_memory(first.element, second.element)

    # -- knowledge from the absence of races ----------------------------------------------------

    def _by_race_freedom(self, first: Access, second: Access, distance: Distance) -> bool:
        """Does a write of the source prove that threads have elements of their own?

        Threads that write `a[e]` in one interval without a race have different values of e, so
        they do not meet at `a[e]` later either: those that do write, that is, whose guard leaves
        nothing out, and in the same iteration; and what they write has to differ, too.
        (Hückelheim and Hascoët, "Source-to-source automatic differentiation of OpenMP parallel
        loops", 2022: FormAD.) Only asked where the values of e are not plain enough to be compared.
        """
        index = first.index
        if not self.race_free or index is None:
            return False
        if second.index != index or first.root != second.root:
            return False
        names = self.model.space.closure(index.names)
        infos = [self.model.space.infos[name] for name in names]
        if any(info.counts for info in infos):
            return False
        if distance.loop is not None and any(distance.loop in info.loops for info in infos):
            return False
        plain = index.is_affine and all(info.exact for info in infos)
        unit = first.element
        return not plain and any(
            proof.kind is AccessKind.WRITE
            and proof.exact
            and proof.root == first.root
            and proof.index == index
            and same_unit(proof.element, unit)
            and same_unit(proof.element, second.element)
            and set(proof.guard) <= set(first.guard)
            and set(proof.guard) <= set(second.guard)
            and all(self._holds_for_both(guard, distance) for guard in proof.guard)
            and self.proves(proof)
            for proof in self.model.accesses
        )

    def _holds_for_both(self, guard: Formula, distance: Distance) -> bool:
        """If one thread passes the guard in its iteration and another one in its own, do both in
        the same one?"""
        if distance.loop is None:
            return True
        space = self.model.space
        infos = [space.infos[name] for name in space.closure(names_of(guard))]
        repeated = any(distance.loop in info.loops for info in infos)
        return not (repeated and any(info.varying for info in infos))

    # -- isl ------------------------------------------------------------------------------------

    def can_pass(
        self,
        first: Access,
        second: Access,
        distance: Distance,
        passed: Sequence[tuple[Formula, bool]],
    ) -> bool:
        """Can the two meet when conditions hold, in the iteration of the first access or of the
        second one?"""
        meeting = self._ask(first, second, distance, passed)
        return meeting.certainty is Certainty.CERTAIN

    def _ask(
        self,
        first: Access,
        second: Access,
        distance: Distance,
        passed: Sequence[tuple[Formula, bool]] = (),
    ) -> Meeting:
        space = self.model.space
        involved = first.names | second.names | set(self.model.thread_axes)
        conditions = [condition for condition, _ in passed]
        inside: tuple[Formula, ...] = ()
        beside: tuple[Formula, ...] = ()
        if not self.race_free:
            inside, beside = self._inside(first), self._inside(second)
            conditions += [*inside, *beside]
        for condition in conditions:
            involved |= names_of(condition)
        closed = space.closure(involved)
        started = self._started(closed, distance)
        closed |= space.closure(names_of(conjunction(started)))
        other = {name: f"{name}'" for name in closed if self._differs(name, distance)}
        facts = space.facts(closed)
        parts: list[Formula] = [
            *(renamed(one, other) for one in started),
            facts,
            renamed(facts, other),
            *first.guard,
            *(renamed(guard, other) for guard in second.guard),
            disjunction(
                different(Polynomial.name(axis), Polynomial.name(f"{axis}'"))
                for axis in self.model.thread_axes
            ),
            *self._successions(closed, distance),
            *(renamed(one, other) if later else one for one, later in passed),
            self.apart,
        ]
        if not self.race_free:  # beyond the end of an array is another fault than a race
            parts += [*inside, *(renamed(one, other) for one in beside)]
        context = conjunction(parts)
        located = first.root == second.root and same_unit(first.element, second.element)
        if located and first.index is not None and second.index is not None:
            fixed = fixed_values(context)
            difference = (first.index - second.index.renamed(other)).substituted(fixed)
            uniform = space.uniform_names(closed)
            context = conjunction((context, *self._signs(difference)))
            same = vanishes(difference, uniform, context, self.solver)
            whole = ANY_MEMBER not in (*first.path, *second.path)
            understood = whole and self._is_understood(difference)
        else:
            same, understood = TRUE, False
        asked = conjunction((context, same))
        usual = {name: Polynomial.constant(space.usual[name]) for name in closed & {*space.usual}}
        exact = first.exact and second.exact and understood and self._is_exact(closed)
        if usual:
            built = self.solver.solve(substituted(asked, usual))
            if isinstance(built, Solution):
                values = {**built.values, **{name: space.usual[name] for name in usual}}
                exact = exact and built.multiplies and is_reached(space, values, other)
                return self._met(values, other, exact)
        verdict = self.solver.solve(asked)
        match verdict:
            case NoSolution():
                return NEVER
            case Solution(values=values, multiplies=multiplies):
                if exact and not is_reached(space, values, other):
                    asked = conjunction((asked, *only_reached(space, values, other)))
                    found = self.solver.solve(asked)
                    if isinstance(found, NoSolution):
                        return NEVER
                    exact = isinstance(found, Solution) and is_reached(space, found.values, other)
                    values = found.values if isinstance(found, Solution) else values
                values = self._small(asked, values)
                exact = exact and is_reached(space, values, other)
                return self._met(values, other, exact and multiplies and not usual)
            case _:
                return Meeting(Certainty.POSSIBLE, "too hard to decide")

    def _small(self, asked: Formula, values: Mapping[str, int]) -> Mapping[str, int]:
        """Threads that a reader can picture, if some of them meet, too."""
        axes = [f"{axis}{mark}" for axis in self.model.thread_axes for mark in ("", "'")]
        if all(values.get(axis, 0) <= _EASILY_PICTURED for axis in axes):
            return values
        limit = Polynomial.constant(_EASILY_PICTURED)
        near = [at_least(limit, Polynomial.name(axis)) for axis in axes if axis in values]
        found = self.solver.solve(conjunction((asked, *near)))
        return found.values if isinstance(found, Solution) else values

    def _met(self, values: Mapping[str, int], other: dict[str, str], certain: bool) -> Meeting:
        certainty = Certainty.CERTAIN if certain else Certainty.POSSIBLE
        return Meeting(certainty, "", *self._witness(values, other))

    # -- one thread, and the threads of one element ---------------------------------------------

    def own_meeting(self, first: Access, second: Access) -> bool:
        """May one thread make both accesses at the same place, `second` after `first` and in the
        same iteration of the loops around both?"""
        if not self.may_alias(first, second):
            return False
        located = first.root == second.root and same_unit(first.element, second.element)
        if not located or first.index is None or second.index is None:
            return True
        space = self.model.space
        closed = space.closure(first.names | second.names)
        inner = [loop for loop in (*first.loops, *second.loops) if loop not in first.loops]
        other = {
            name: f"{name}'"
            for name in closed
            if space.infos[name].counts or set(space.infos[name].loops) & set(inner)
        }
        facts = space.facts(closed)
        context = conjunction(
            (
                facts,
                renamed(facts, other),
                *first.guard,
                *(renamed(guard, other) for guard in second.guard),
            )
        )
        difference = first.index - second.index.renamed(other)
        same = vanishes(difference, space.uniform_names(closed), context, self.solver)
        return not self.solver.excludes(conjunction((context, same)))

    def tells_apart(self, index: Polynomial, axes: Collection[str]) -> bool:
        """Do threads that differ in one of the axes have different values of the index?"""
        space = self.model.space
        closed = space.closure({*index.names, *axes})
        other = {name: f"{name}'" for name in closed if space.infos[name].varying}
        facts = space.facts(closed)
        differ = disjunction(
            different(Polynomial.name(axis), Polynomial.name(f"{axis}'")) for axis in axes
        )
        context = conjunction((facts, renamed(facts, other), differ))
        difference = index - index.renamed(other)
        same = vanishes(difference, space.uniform_names(closed), context, self.solver)
        return self.solver.excludes(conjunction((context, same)))

    def holds_for_first(self, guard: Formula, axes: Collection[str]) -> bool:
        """Does the guard hold wherever the threads' indices along the axes are 0?"""
        space = self.model.space
        closed = space.closure(names_of(guard))
        if any(space.infos[name].varying and name not in self.model.thread_axes for name in closed):
            return False
        zero = (equal(Polynomial.name(axis), ZERO) for axis in axes)
        refuted = conjunction((space.facts(closed), *zero, negation(guard)))
        return self.solver.excludes(refuted)

    def _differs(self, name: str, distance: Distance) -> bool:
        """Has the name another value where the second access is made?"""
        info = self.model.space.infos[name]
        return info.varying or (distance.loop is not None and distance.loop in info.loops)

    def _successions(self, names: frozenset[str], distance: Distance) -> list[Formula]:
        """How values that change from iteration to iteration follow from each other."""
        if distance.loop is None:
            return []
        found: list[Formula] = []
        for name in sorted(names):
            successor = self.model.space.successors.get((name, distance.loop))
            if successor is not None and not self.model.space.infos[name].varying:
                found.append(successor.later if distance.repeated else successor.step)
        return found

    def _inside(self, access: Access) -> tuple[Formula, ...]:
        """What holds of the thread that makes the access, as this or another access that it makes
        besides would leave its array else."""
        key = self._like(access)
        if key not in self.limits:
            infos, guard = self.model.space.infos, set(access.guard)
            besides = (
                condition
                for other in self.model.accesses
                if other.exact and other.inside and guard.issuperset(other.guard)
                if other.loops == access.loops[: len(other.loops)]
                for condition in other.inside
                if all(
                    name in self.model.thread_axes or not (infos[name].varying or infos[name].loops)
                    for name in names_of(condition)
                )
            )
            self.limits[key] = tuple(dict.fromkeys((*access.inside, *besides)))
        return self.limits[key]

    def _started(self, names: frozenset[str], distance: Distance) -> list[Formula]:
        """What holds where the second access is made, in the first iteration of loops."""
        starts = self.model.space.starts
        found = (starts.get((name, loop)) for name in sorted(names) for loop in distance.fresh)
        return [one for one in found if one is not None]

    def _signs(self, difference: Polynomial) -> list[Formula]:
        """What isl does not know of products, which are names to it: they are not negative where
        their factors are not."""
        infos = self.model.space.infos
        return [
            at_least(Polynomial.of({product: 1}), ZERO)
            for product, _ in difference.terms
            if len(product) > 1
            if all(infos[name.removesuffix("'")].not_negative for name in product)
        ]

    def _is_understood(self, difference: Polynomial) -> bool:
        usual = self.model.space.usual
        built = difference.substituted({name: Polynomial.constant(usual[name]) for name in usual})
        return built.is_affine and not self._given(built)

    def _given(self, difference: Polynomial) -> bool:
        """Does the distance of the two places depend on what the launch gives? A value that lets
        them meet may never be given: that `n` is 1, say."""
        infos = self.model.space.infos
        names = (name for name in difference.names if name in infos)
        return any(not infos[name].varying and not infos[name].loops for name in names)

    def _is_exact(self, names: frozenset[str]) -> bool:
        return all(self.model.space.infos[name].exact for name in names)

    def _witness(
        self, known: Mapping[str, int], other: dict[str, str]
    ) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
        infos = self.model.space.infos
        if len(infos) > self.looked_at:
            new = islice(infos, self.looked_at, None)
            self.of_threads += [name for name in new if name.partition(".")[0] in _OF_THREADS]
            self.looked_at = len(infos)
        shown = [name for name in self.of_threads if name in known]
        first = tuple((name, known[name]) for name in shown)
        second = tuple((name, known.get(other.get(name, name), known[name])) for name in shown)
        return first, second


def _is_pointer(symbol: Symbol) -> bool:
    return symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE)


def _in_block(symbol: Symbol) -> bool:
    return symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)


def _apart(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Are these different members?"""
    for left, right in zip(one, other, strict=False):
        if ANY_MEMBER in (left, right):
            return False
        if left != right:
            return True
    return False


def same_unit(one: CType | None, other: CType | None) -> bool:
    """Do indices of elements of the two types count the same?"""
    if one is None or other is None:
        return False
    if one.is_arithmetic and other.is_arithmetic:
        return one.bits == other.bits
    return one.spelling.removeprefix("const ") == other.spelling.removeprefix("const ")
