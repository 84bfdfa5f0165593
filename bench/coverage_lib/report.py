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
_SAVED = "saved"
"""The mark of a translation that g2o's own check has made plainer: else it did not compile."""
_HEADINGS = ("program", "kernels", "translate", "build", "run", "agrees", "reason")


def table(results: Iterable[ProgramResult]) -> str:
    """One line a program: how far it got and the first reason that it got no further."""
    rows = [
        (
            result.name,
            str(result.kernels),
            *(_mark(result, stage) for stage in Stage),
            result.reason(),
        )
        for result in results
    ]
    return _columns([_HEADINGS, *rows])


def totals(results: Sequence[ProgramResult]) -> str:
    """For each category and stage: programs that passed, of how many, in percent; then how many
    of them passed only because g2o's own check made them plainer."""
    rows: list[Sequence[str]] = [("category", "programs", *Stage, _SAVED)]
    for category in (Category.PLAIN, Category.LIBRARY):
        members = [result for result in results if result.category is category]
        if not members:
            continue
        cells = [_share(members, stage) for stage in Stage]
        saved = sum(result.more_plainly() for result in members)
        rows.append((category, str(len(members)), *cells, str(saved)))
    skipped = sum(result.category is Category.SKIPPED for result in results)
    if skipped:
        rows.append((Category.SKIPPED, str(skipped)))
    return _columns(rows)


def reasons(results: Iterable[ProgramResult]) -> str:
    """Diagnostic codes by the number of programs that they stop, most frequent first."""
    counts = Counter(code for result in results for code in set(result.translate.codes))
    return _columns([(code, str(count)) for code, count in counts.most_common()])


def warnings(results: Iterable[ProgramResult]) -> str:
    """Diagnostic codes by the number of programs with such warnings, most frequent first."""
    counts = Counter(code for result in results for code in result.translate.warnings)
    return _columns([(code, str(count)) for code, count in counts.most_common()])


def _mark(result: ProgramResult, stage: Stage) -> str:
    outcome = result.stage(stage).outcome
    if stage is Stage.TRANSLATE and outcome is Outcome.OK and result.more_plainly():
        return _SAVED
    return _MARKS[outcome]


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
