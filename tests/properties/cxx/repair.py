"""Barriers where a random kernel lacks them: in front of each access that would be a race."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.properties.cxx.tree import (
    Block,
    Does,
    Race,
    Simple,
    Statement,
    Unit,
    check_races,
    functions_of,
)

_BARRIER: Final = Simple("__syncthreads();", (), Does.BARRIER)
_MOST: Final = 60


def repaired(unit: Unit) -> Unit | None:
    """`unit` with barriers added to its kernels until they have no race; None where none helps."""
    for _ in range(_MOST):
        functions = functions_of(unit.items)
        for number, item in enumerate(unit.items):
            if not isinstance(item, Block) or "__global__" not in item.arms[0].head:
                continue
            try:
                check_races(item.arms[0].body, functions)
            except Race as race:
                body = _with_barrier(item.arms[0].body, race.path)
                changed = replace(item, arms=(replace(item.arms[0], body=body),))
                unit = replace(
                    unit, items=(*unit.items[:number], changed, *unit.items[number + 1 :])
                )
                break
        else:
            return unit
    return None


def _with_barrier(body: tuple[Statement, ...], path: list[int]) -> tuple[Statement, ...]:
    """A barrier in front of the innermost statement of `path` that all threads run together."""
    here = path[0]
    inner = body[here]
    if isinstance(inner, Block) and inner.together and len(path) > 2:
        arm = inner.arms[path[1]]
        if "switch" in arm.head:
            case = arm.body[path[2]]
            assert isinstance(case, Block)
            case = replace(case, together=True)
            arm = replace(arm, body=(*arm.body[: path[2]], case, *arm.body[path[2] + 1 :]))
            if len(path) <= 4:
                return (*body[:here], _BARRIER, *body[here:])
        arm = replace(arm, body=_with_barrier(arm.body, path[2:]))
        arms = (*inner.arms[: path[1]], arm, *inner.arms[path[1] + 1 :])
        return (*body[:here], replace(inner, arms=arms), *body[here + 1 :])
    return (*body[:here], _BARRIER, *body[here:])
