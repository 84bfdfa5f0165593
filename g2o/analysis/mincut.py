"""Which values to keep and which to compute again: a minimum vertex cut.

Values that cannot be computed again are sources, values that are needed later are sinks, and an
edge leads from a value to each one computed from it. Cutting a vertex means keeping that value; the
cheapest cut keeps the least. (Moses et al., "Reverse-mode automatic differentiation and
optimization of GPU kernels via Enzyme", SC 2021, section 4.3; the same trade as in Polygeist.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from typing import TypeVar

V = TypeVar("V", bound=Hashable)
_INFINITE = 1 << 40


def minimum_vertex_cut(
    uses: Mapping[V, Iterable[V]], sources: Iterable[V], sinks: Iterable[V], cost: Mapping[V, int]
) -> set[V]:
    """The cheapest set of vertices that separates `sources` from `sinks`.

    `uses[v]` are the vertices that v is computed from; `cost[v]` is what keeping v costs. Sources
    and sinks may themselves be in the cut. Among cuts of equal cost the one nearest to the sources
    is taken.
    """
    order: dict[V, int] = {vertex: index for index, vertex in enumerate(cost)}
    count = len(order)
    start, goal = 2 * count, 2 * count + 1
    capacity: list[dict[int, int]] = [{} for _ in range(2 * count + 2)]

    def connect(tail: int, head: int, amount: int) -> None:
        capacity[tail][head] = capacity[tail].get(head, 0) + amount
        capacity[head].setdefault(tail, 0)

    for vertex, index in order.items():
        connect(2 * index, 2 * index + 1, cost[vertex])
        for used in uses.get(vertex, ()):
            if used in order:
                connect(2 * order[used] + 1, 2 * index, _INFINITE)
    for vertex in sources:
        connect(start, 2 * order[vertex], _INFINITE)
    for vertex in sinks:
        connect(2 * order[vertex] + 1, goal, _INFINITE)

    while (parents := _augmenting_path(capacity, start, goal)) is not None:
        path = [goal]
        while path[-1] != start:
            path.append(parents[path[-1]])
        path.reverse()
        amount = min(capacity[a][b] for a, b in pairwise(path))
        for tail, head in pairwise(path):
            capacity[tail][head] -= amount
            capacity[head][tail] += amount
    reached = _reachable(capacity, start)
    return {
        vertex
        for vertex, index in order.items()
        if 2 * index in reached and 2 * index + 1 not in reached
    }


def _augmenting_path(
    capacity: list[dict[int, int]], start: int, goal: int
) -> dict[int, int] | None:
    parents: dict[int, int] = {start: start}
    queue = deque([start])
    while queue:
        tail = queue.popleft()
        for head, amount in capacity[tail].items():
            if amount > 0 and head not in parents:
                parents[head] = tail
                if head == goal:
                    return parents
                queue.append(head)
    return None


def _reachable(capacity: list[dict[int, int]], start: int) -> set[int]:
    seen = {start}
    queue = deque([start])
    while queue:
        for head, amount in capacity[queue.popleft()].items():
            if amount > 0 and head not in seen:
                seen.add(head)
                queue.append(head)
    return seen
