"""The page of `--report`: every source beside its translation, with what was done at each line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Note
from g2o.diagnostics.place import decode, place_of
from g2o.diagnostics.source import SourceFile
from g2o.lazy import loaded_on_use

if TYPE_CHECKING:
    import jinja2
else:
    jinja2 = loaded_on_use("jinja2")

_BARRIER_REMOVED: Final = "G2O0301"
_BARRIER_KEPT: Final = "G2O0302"


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
    message: str
    line: int | None


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
    lines: tuple[_Line, ...]
    translated: tuple[str, ...]


def html_report(reported: Sequence[ReportedFile]) -> str:
    """One self-contained page."""
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    text = files("g2o.cli").joinpath("report.html.jinja").read_text(encoding="utf-8")
    shown = [_file(number, one) for number, one in enumerate(reported)]
    return environment.from_string(text).render(files=shown)


def _file(number: int, reported: ReportedFile) -> _File:
    by_line: dict[int, list[Diagnostic]] = {}
    for finding in reported.findings:
        if finding.span is not None and finding.span.file.path == reported.source.path:
            by_line.setdefault(place_of(finding.span).line, []).append(finding)
    intervals = _intervals(reported, by_line)
    texts = reported.source.text.splitlines()
    lines = [
        _Line(
            position,
            decode(text),
            _barrier(by_line.get(position, ())),
            intervals.get(position, 0),
            tuple(_remark(finding) for finding in by_line.get(position, ())),
        )
        for position, text in enumerate(texts, start=1)
    ]
    translated = tuple(decode(line) for line in reported.code.splitlines())
    return _File(decode(reported.source.path), f"f{number}", tuple(lines), translated)


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
    if _BARRIER_KEPT in codes:
        return "kept"
    return "removed" if _BARRIER_REMOVED in codes else ""


def _remark(finding: Diagnostic) -> _Remark:
    outcome, _, message = finding.message.partition(": ")
    if outcome not in ("passed", "missed", "analysis"):
        outcome, message = finding.severity.value, finding.message
    notes = tuple(_note(note) for note in finding.notes)
    return _Remark(outcome, decode(message), finding.code, notes)


def _note(note: Note) -> _Note:
    return _Note(decode(note.message), None if note.span is None else place_of(note.span).line)
