"""Two threads of a block that are of two warps."""

from __future__ import annotations

from typing import Final

from g2o.analysis.accesses import MemoryModel
from g2o.analysis.launch_names import THREAD_NAMES
from g2o.polyhedral.formula import Formula, at_least, conjunction, different, less
from g2o.polyhedral.polynomial import ZERO, Polynomial

_WARP: Final = 32


def in_other_warps(model: MemoryModel) -> Formula | None:
    """What holds of them: 32 threads of a block make a warp, x first. None where the extents of
    the block are not known well enough to say so."""
    thread = ZERO
    for axis in reversed(range(3)):
        name = THREAD_NAMES[axis]
        index = Polynomial.name(name) if name in model.thread_axes else ZERO
        thread = thread * model.extents[axis] + index
    if not thread.is_affine:
        return None
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
