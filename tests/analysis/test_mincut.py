"""The cheapest vertex cut, against trying every set of vertices."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from g2o.analysis.mincut import minimum_vertex_cut

_COUNT = 6


def _separates(
    cut: set[int], uses: dict[int, set[int]], sources: set[int], sinks: set[int]
) -> bool:
    pending = [v for v in sinks if v not in cut]
    seen = set(pending)
    while pending:
        vertex = pending.pop()
        if vertex in sources:
            return False
        for used in uses[vertex] - cut - seen:
            seen.add(used)
            pending.append(used)
    return True


@st.composite
def _graphs(draw: st.DrawFn) -> tuple[dict[int, set[int]], set[int], set[int], dict[int, int]]:
    uses = {
        vertex: draw(st.sets(st.integers(0, vertex - 1))) if vertex else set[int]()
        for vertex in range(_COUNT)
    }
    vertices = st.sets(st.integers(0, _COUNT - 1), max_size=3)
    cost = {vertex: draw(st.integers(1, 5)) for vertex in range(_COUNT)}
    return uses, draw(vertices), draw(vertices), cost


@given(_graphs())
def test_the_cut_is_the_cheapest(
    graph: tuple[dict[int, set[int]], set[int], set[int], dict[int, int]],
) -> None:
    uses, sources, sinks, cost = graph
    cut = minimum_vertex_cut(uses, sources, sinks, cost)
    assert _separates(cut, uses, sources, sinks)
    cheapest = min(
        sum(cost[vertex] for vertex in chosen)
        for size in range(_COUNT + 1)
        for chosen in combinations(range(_COUNT), size)
        if _separates(set(chosen), uses, sources, sinks)
    )
    assert sum(cost[vertex] for vertex in cut) == cheapest
