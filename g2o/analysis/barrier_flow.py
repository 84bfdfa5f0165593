"""Which accesses can follow which without a barrier in between, and across how many iterations."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.accesses import Edge, FlowGraph

MOST_ARMS: Final = 6
"""So many arms of conditions are told apart on a way."""


@final
@dataclass(frozen=True, slots=True)
class Distance:
    """How often the outermost loop that starts again on the way does so: once, or more often.

    `loop` is None on a way that starts no iteration. `fresh` are loops whose first iteration the
    way ends in, as it came from outside of them.
    """

    loop: int | None = None
    repeated: bool = False
    fresh: tuple[int, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Way:
    """A way to `segment`. `ordered` says that it passes a barrier of the source; `arms` are the
    arms of conditions that it passes, and whether in a later iteration; `turned` the loops not
    around its start of which it starts another iteration."""

    segment: int
    distance: Distance
    ordered: bool
    arms: frozenset[tuple[int, bool]] = frozenset()
    turned: frozenset[int] = frozenset()

    def distance_to(self, loops: tuple[int, ...], enclosing: tuple[int, ...]) -> Distance:
        """With the loops that an access in `loops` is in the first iteration of."""
        fresh = (one for one in loops if one not in enclosing and one not in self.turned)
        return replace(self.distance, fresh=tuple(fresh))


def ways_from(
    graph: FlowGraph,
    segment: int,
    kept: Set[int],
    enclosing: tuple[int, ...],
    with_arms: bool = False,
) -> Iterator[Way]:
    """All ways from `segment`, which stands in the loops `enclosing`, that pass no kept barrier.

    `kept` are nodes of the graph. The segment itself comes first. `with_arms` tells ways apart by
    the arms they take.
    """
    start = Way(segment, Distance(), ordered=False)
    seen = {start}
    waiting = deque([start])
    while waiting:
        way = waiting.popleft()
        if way.segment in kept:
            continue
        if way.segment not in graph.barriers:
            yield way
        ordered = way.ordered or way.segment in graph.barriers
        for edge in graph.edges[way.segment]:
            distance = _further(way.distance, edge, enclosing)
            arms = way.arms
            is_arm = edge.target in graph.arms and not (edge.left and edge.left[-1] in enclosing)
            if with_arms and is_arm and len(arms) < MOST_ARMS:
                arms |= {(edge.target, distance.loop is not None)}
            turned = way.turned
            if edge.back is not None and edge.back not in enclosing:
                turned |= {edge.back}
            following = Way(edge.target, distance, ordered, arms, turned)
            if following not in seen:
                seen.add(following)
                waiting.append(following)


def _further(distance: Distance, edge: Edge, enclosing: tuple[int, ...]) -> Distance:
    if edge.back is not None and edge.back in enclosing:
        depth = enclosing.index(edge.back)
        if distance.loop is None or depth < enclosing.index(distance.loop):
            return Distance(edge.back)
        if edge.back == distance.loop:
            return Distance(edge.back, repeated=True)
    if distance.loop in edge.left:
        return Distance()
    return distance
