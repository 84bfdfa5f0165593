"""The page of `--report`: every source beside its translation, with what was done at each line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity
from g2o.diagnostics.place import decode, place_of
from g2o.diagnostics.source import SourceFile, lines_of
from g2o.lazy import loaded_on_use

if TYPE_CHECKING:
    import jinja2
else:
    jinja2 = loaded_on_use("jinja2")

_BARRIER_REMOVED: Final = "G2O0301"
_BARRIER_KEPT: Final = "G2O0302"
_MEMORY_REMOVED: Final = "G2O0303"
_RACE: Final = "G2O0308"


@final
@dataclass(frozen=True, slots=True)
class ReportedFile:
    """A source and what became of it. `kernels` are the bodies as (first line, last line)."""

    source: SourceFile
    code: str
    findings: tuple[Diagnostic, ...]
    kernels: tuple[tuple[int, int], ...]


@final
@dataclass(frozen=True, slots=True)
class _Note:
    """`place` is a line of another file; one of this file is `line`."""

    message: str
    line: int | None
    place: str


@final
@dataclass(frozen=True, slots=True)
class _Remark:
    outcome: str
    message: str
    code: str
    notes: tuple[_Note, ...]


@final
@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    barrier: str
    interval: int  # counts the intervals of a kernel from 1; 0 outside of kernels
    remarks: tuple[_Remark, ...]


@final
@dataclass(frozen=True, slots=True)
class _File:
    path: str
    anchor: str
    summary: str
    lines: tuple[_Line, ...]
    translated: tuple[str, ...]


def html_report(reported: Sequence[ReportedFile]) -> str:
    """One self-contained page."""
    return rendered(
        "report.html.jinja", files=[_file(number, one) for number, one in enumerate(reported)]
    )


def rendered(template: str, **values: object) -> str:
    """The page that a template of this folder makes of `values`."""
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_text_of),
    )
    return environment.get_template(template).render(**values)


def _text_of(template: str) -> str:
    return files("g2o.cli").joinpath(template).read_text(encoding="utf-8")


def _file(number: int, reported: ReportedFile) -> _File:
    by_line: dict[int, list[Diagnostic]] = {}
    for finding in reported.findings:
        if finding.span is not None and finding.span.file.path == reported.source.path:
            by_line.setdefault(place_of(finding.span).line, []).append(finding)
    intervals = _intervals(reported, by_line)
    texts = lines_of(reported.source.text)
    path = reported.source.path
    lines = [
        _Line(
            position,
            decode(text),
            _barrier(by_line.get(position, ())),
            intervals.get(position, 0),
            tuple(_remark(finding, path) for finding in by_line.get(position, ())),
        )
        for position, text in enumerate(texts, start=1)
    ]
    translated = tuple(decode(line) for line in lines_of(reported.code))
    summary = _summary(reported.findings)
    return _File(decode(path), f"f{number}", summary, tuple(lines), translated)


def _summary(findings: Sequence[Diagnostic]) -> str:
    """How much of each there is: "3 barriers kept, 2 removed; ..."."""
    codes = [finding.code for finding in findings]
    kept, removed = codes.count(_BARRIER_KEPT), codes.count(_BARRIER_REMOVED)
    memory, races = codes.count(_MEMORY_REMOVED), codes.count(_RACE)
    parts = (
        f"{_count(kept, 'barrier')} kept, {removed} removed" if kept or removed else "",
        f"{_count(memory, 'store or shared array', 'stores or shared arrays')} gone"
        if memory
        else "",
        f"{_count(races, 'race')}, certain or possible" if races else "",
    )
    return "; ".join(part for part in parts if part)


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _intervals(reported: ReportedFile, by_line: dict[int, list[Diagnostic]]) -> dict[int, int]:
    """Line -> the barrier interval that it is in, counted over the lines of its kernel."""
    found: dict[int, int] = {}
    for first, last in reported.kernels:
        interval = 1
        for line in range(first, last + 1):
            if _barrier(by_line.get(line, ())) == "kept":
                interval += 1
                continue
            found[line] = interval
    return found


def _barrier(findings: Iterable[Diagnostic]) -> str:
    codes = {finding.code for finding in findings}
    if _RACE in codes and any(finding.severity is Severity.WARNING for finding in findings):
        return "race"
    if _BARRIER_KEPT in codes:
        return "kept"
    return "removed" if _BARRIER_REMOVED in codes else ""


def _remark(finding: Diagnostic, path: str) -> _Remark:
    outcome, _, message = finding.message.partition(": ")
    if outcome not in ("passed", "missed", "analysis"):
        outcome, message = finding.severity.value, finding.message
    notes = tuple(_note(note, path) for note in finding.notes)
    return _Remark(outcome, decode(message), finding.code, notes)


def _note(note: Note, path: str) -> _Note:
    message = decode(note.message)
    if note.span is None:
        return _Note(message, None, "")
    line = place_of(note.span).line
    if note.span.file.path == path:
        return _Note(message, line, "")
    return _Note(message, None, f"{decode(note.span.file.path)}:{line}")
