"""OpenMP's constructs as far as they say what runs at the same time: for the analysis of races.

    target teams distribute parallel for map(...)   ->   parallel for
    teams                                           ->   parallel

Where memory is, and on which device something runs, changes nothing. What is not understood may
have an order of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.frontend.openmp_c.directives import Clause, Pragma

UNKNOWN: Final = "unknown"
_ALONE: Final = frozenset(
    (
        *("barrier", "flush", "taskwait", "taskyield", "target update"),
        *("target enter data", "target exit data"),
    )
)
_DEVICE: Final = ("target", "teams", "distribute")
_OF_MEMORY: Final = frozenset(
    (
        *("map", "device", "is_device_ptr", "use_device_ptr", "use_device_addr", "defaultmap"),
        *("has_device_addr", "allocate", "uses_allocators", "num_teams", "thread_limit", "to"),
        *("dist_schedule", "copyin", "copyprivate", "from", "linear"),
    )
)
_KNOWN: Final = frozenset(
    (
        *("for", "for simd", "loop", "parallel for", "parallel for simd", "parallel loop", "simd"),
        *("parallel", "critical", "atomic", "single", "master", "masked", "section", "sections"),
        *("parallel sections", "parallel single"),
    )
)


@final
@dataclass(frozen=True, slots=True)
class ThreadPragmas:
    """The `pragmas` of a function as constructs of threads, and those that are `unknown`."""

    pragmas: list[Pragma]
    unknown: list[Pragma]


def thread_pragmas(
    pragmas: Iterable[Pragma], known_clauses: Collection[str], own: Collection[str]
) -> ThreadPragmas:
    """What pragmas say of threads, which have variables of the file of their own with the names
    `own`."""
    found = ThreadPragmas([], [])
    for one in pragmas:
        if one.construct in _ALONE:
            continue
        construct = construct_of_threads(one.construct)
        if not construct:
            continue
        clauses = tuple(each for each in one.clauses if each.name not in _OF_MEMORY - {"linear"})
        understood = {*known_clauses, "linear"}
        is_known = construct in _KNOWN and all(each.name in understood for each in clauses)
        if not is_known or _is_alone(one):
            found.unknown.append(one)
            found.pragmas.append(replace(one, construct=UNKNOWN, clauses=()))
            continue
        if own:
            clauses = (*clauses, Clause("private", ", ".join(sorted(own)), one.span))
        found.pragmas.append(replace(one, construct=construct, clauses=clauses))
    return found


def construct_of_threads(construct: str) -> str:
    """A construct without what says where it runs."""
    words = construct.split()
    kept = [one for one in words if one not in _DEVICE]
    if kept == ["data"]:
        return ""
    if "distribute" in words and "for" not in words:
        kept.insert(0, "for")
    if "teams" in words and "parallel" not in words:
        kept.insert(0, "parallel")
    return " ".join(kept)


def _is_alone(pragma: Pragma) -> bool:
    """Does one thread, or one team, run what stands under the pragma?"""
    counts = (one for one in pragma.clauses if one.name in ("num_threads", "num_teams"))
    return any((one.text or "").strip() == "1" for one in counts)
