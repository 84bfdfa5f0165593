"""Which barriers of a kernel order anything, and the cheapest ones that are enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import final

from g2o.analysis.accesses import Access, BarrierSite, MemoryModel
from g2o.analysis.barrier_flow import MOST_ARMS, Distance, Way, ways_from
from g2o.analysis.conflicts import Certainty, Conflicts, Meeting
from g2o.analysis.signals import Signals

_MOST_CHOICES = 8
"""So many barriers that could replace each other are chosen from exhaustively."""

_ITERATIONS = 10
"""What a barrier in a loop costs more than one outside."""


_SIGNAL = Meeting(Certainty.POSSIBLE, "another block may be told that it is done")


@final
@dataclass(frozen=True, slots=True)
class Ordered:
    """Two accesses that only a barrier keeps apart."""

    first: Access
    second: Access
    distance: Distance
    meeting: Meeting


@final
@dataclass(frozen=True, slots=True)
class BarrierVerdict:
    """`needed_for` is what would go wrong without the barrier, given the other kept ones; None
    where it is not needed."""

    site: BarrierSite
    needed_for: Ordered | None


def judge_barriers(model: MemoryModel, conflicts: Conflicts) -> tuple[BarrierVerdict, ...]:
    """A verdict on every barrier that could be removed, in the order of the source.

    The barriers that stay order every pair of conflicting accesses of different threads that the
    barriers of the source order, on every way between the two; and no cheaper choice does. Where
    the choice is free, a later barrier stays.
    """
    asked = _Question(model, conflicts)
    nodes = [node for node, site in model.graph.barriers.items() if site.position is not None]
    every = frozenset(model.graph.barriers)
    free = [node for node in nodes if asked.violation(every - {node}) is None]
    gone = _best(asked, every, free)
    kept = every - gone
    return tuple(
        BarrierVerdict(
            model.graph.barriers[node],
            None if node in gone else asked.reason(kept - {node}),
        )
        for node in nodes
    )


def _best(asked: _Question, every: frozenset[int], free: list[int]) -> frozenset[int]:
    """The most costly set of barriers that can go together."""
    if len(free) > _MOST_CHOICES:
        return _greedy(asked, every, free)
    for chosen in _by_cost(asked.model, free):
        if asked.violation(every - chosen) is None:
            return chosen
    return frozenset()


def _greedy(asked: _Question, every: frozenset[int], free: list[int]) -> frozenset[int]:
    gone: frozenset[int] = frozenset()
    for node in sorted(free, key=lambda one: -asked.model.graph.barriers[one].depth):
        if asked.violation(every - gone - {node}) is None:
            gone |= {node}
    return gone


def _by_cost(model: MemoryModel, free: list[int]) -> list[frozenset[int]]:
    subsets = [subset for size in range(len(free), 0, -1) for subset in combinations(free, size)]
    return [frozenset(subset) for subset in sorted(subsets, key=lambda one: _cost(model, one))]


def _cost(model: MemoryModel, subset: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    saved = sum(_ITERATIONS ** model.graph.barriers[node].depth for node in subset)
    return -saved, subset


@final
class _Question:
    """Whether a choice of barriers is enough."""

    def __init__(self, model: MemoryModel, conflicts: Conflicts) -> None:
        self.model = model
        self.conflicts = conflicts
        self.signals = Signals.of(model, conflicts)
        self.by_segment: dict[int, list[Access]] = {}
        for access in model.accesses:
            self.by_segment.setdefault(access.segment, []).append(access)

    def violation(self, kept: frozenset[int]) -> Ordered | None:
        """Two accesses that the source orders and the kept barriers do not."""
        for pair in self.unordered(kept, ordered=True):
            return pair
        return None

    def reason(self, kept: frozenset[int]) -> Ordered | None:
        """The pair of `violation` that says most: at one array, with a witness."""

        def weight(pair: Ordered) -> tuple[bool, bool]:
            certain = pair.meeting.certainty is Certainty.CERTAIN
            return pair.first.root != pair.second.root, not certain

        found: Ordered | None = None
        for pair in self.unordered(kept, ordered=True):
            if found is None or weight(pair) < weight(found):
                found = pair
            if weight(found) == (False, False):
                break  # none says more
        return found

    def unordered(self, kept: frozenset[int], ordered: bool) -> Iterator[Ordered]:
        """Conflicting accesses between which no kept barrier stands, on ways that pass a barrier
        of the source, or pass none."""
        for segment, accesses in self.by_segment.items():
            enclosing = accesses[0].loops
            ways = ways_from(self.model.graph, segment, kept, enclosing, with_arms=not ordered)
            for way in ways:
                if way.ordered is ordered:
                    yield from self._meetings(accesses, way, ordered)

    def _meetings(self, accesses: list[Access], way: Way, ordered: bool) -> Iterator[Ordered]:
        for first in accesses:
            for second in self.by_segment.get(way.segment, ()):
                distance = way.distance_to(second.loops, first.loops)
                meeting = self.conflicts.meeting(first, second, distance)
                if meeting.certainty is not Certainty.NEVER:
                    on_way = self._on(way, first, second, distance, meeting)
                    yield Ordered(first, second, distance, on_way)
                elif ordered and self.model.thread_axes and self.signals.orders(first, second):
                    yield Ordered(first, second, distance, _SIGNAL)

    def _on(
        self, way: Way, first: Access, second: Access, distance: Distance, meeting: Meeting
    ) -> Meeting:
        """A meeting is only certain where the conditions on the way can hold as well."""
        if meeting.certainty is not Certainty.CERTAIN or not way.arms:
            return meeting
        conditions = [(self.model.graph.arms[arm], later) for arm, later in sorted(way.arms)]
        passed = [(condition, later) for condition, later in conditions if condition is not None]
        known = len(passed) == len(conditions) < MOST_ARMS and not distance.repeated
        if known and self.conflicts.can_pass(first, second, distance, passed):
            return meeting
        return Meeting(Certainty.POSSIBLE, "the conditions on the way")


def meetings_within(model: MemoryModel, conflicts: Conflicts, access: Access) -> Iterator[Ordered]:
    """Where the access and another one of the same memory, or of memory that is not known, may meet
    in different threads with no barrier in between."""
    barriers = frozenset(model.graph.barriers)
    for first in model.accesses:
        if first.root is not None and first.root != access.root:
            continue
        for way in ways_from(model.graph, first.segment, barriers, first.loops):
            if way.ordered:
                continue
            for second in model.accesses:
                if second.segment != way.segment or access.id not in (first.id, second.id):
                    continue
                meeting = conflicts.meeting(first, second, way.distance)
                if meeting.certainty is not Certainty.NEVER:
                    yield Ordered(first, second, way.distance, meeting)


def unordered_pairs(model: MemoryModel, conflicts: Conflicts) -> Iterator[Ordered]:
    """Conflicting accesses of different threads that no barrier of the source orders."""
    asked = _Question(model, conflicts)
    return asked.unordered(frozenset(model.graph.barriers), ordered=False)
