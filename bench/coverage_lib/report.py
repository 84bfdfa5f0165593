"""The table and the totals, as text."""

from collections import Counter
from collections.abc import Iterable, Sequence

from .results import Category, Outcome, ProgramResult, Stage

_MARKS = {
    Outcome.OK: "yes",
    Outcome.FAILED: "NO",
    Outcome.TIMED_OUT: "time",
    Outcome.NOT_RUN: "-",
    Outcome.UNKNOWN: "?",
}
_HEADINGS = ("program", "kernels", "translate", "build", "run", "agrees", "reason")


def table(results: Iterable[ProgramResult]) -> str:
    """One line a program: how far it got and the first reason that it got no further."""
    rows = [
        (
            result.name,
            str(result.kernels),
            *(_MARKS[result.stage(stage).outcome] for stage in Stage),
            result.reason(),
        )
        for result in results
    ]
    return _columns([_HEADINGS, *rows])


def totals(results: Sequence[ProgramResult]) -> str:
    """For each category and stage: programs that passed, of how many, in percent."""
    rows: list[Sequence[str]] = [("category", "programs", *Stage)]
    for category in (Category.PLAIN, Category.LIBRARY):
        members = [result for result in results if result.category is category]
        if not members:
            continue
        cells = [_share(members, stage) for stage in Stage]
        rows.append((category, str(len(members)), *cells))
    skipped = sum(result.category is Category.SKIPPED for result in results)
    if skipped:
        rows.append((Category.SKIPPED, str(skipped)))
    return _columns(rows)


def reasons(results: Iterable[ProgramResult]) -> str:
    """Diagnostic codes by the number of programs that they stop, most frequent first."""
    counts = Counter(code for result in results for code in set(result.translate.codes))
    return _columns([(code, str(count)) for code, count in counts.most_common()])


def _share(members: Sequence[ProgramResult], stage: Stage) -> str:
    passed = sum(result.stage(stage).outcome is Outcome.OK for result in members)
    return f"{passed} ({100 * passed / len(members):.1f} %)"


def _columns(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    widths = [
        max(len(row[column]) for row in rows if column < len(row))
        for column in range(max(len(row) for row in rows))
    ]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=False)] for row in rows)
    return "\n".join("  ".join(cells).rstrip() for cells in padded)
