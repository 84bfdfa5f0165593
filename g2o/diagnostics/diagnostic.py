"""What g2o says about a program: errors, warnings, notes and remarks."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import final

from g2o.diagnostics.source import SourceSpan


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    REMARK = "remark"


@final
@dataclass(frozen=True, slots=True)
class Note:
    """Further information on a diagnostic, with a place of its own where there is one."""

    message: str
    span: SourceSpan | None = None


@final
@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` is a stable key of `g2o.diagnostics.codes`, e.g. "G2O0203".

    `span` is None for findings about a whole file (`path` names it then) or about the command.
    """

    severity: Severity
    code: str
    message: str
    span: SourceSpan | None = None
    notes: tuple[Note, ...] = ()
    path: str | None = None

    def in_file(self, path: str, name: str) -> Diagnostic:
        """The same, with what stands in the file at `path` said to be in `name`."""
        return replace(
            self,
            span=self.span and self.span.in_file(path, name),
            notes=tuple(
                replace(note, span=note.span and note.span.in_file(path, name))
                for note in self.notes
            ),
            path=name if self.path == path else self.path,
        )


def error(code: str, message: str, span: SourceSpan | None = None, *notes: Note) -> Diagnostic:
    return Diagnostic(Severity.ERROR, code, message, span, notes)


def warning(code: str, message: str, span: SourceSpan | None = None, *notes: Note) -> Diagnostic:
    return Diagnostic(Severity.WARNING, code, message, span, notes)


class Outcome(Enum):
    """What a remark tells of, in LLVM's words."""

    PASSED = "passed"
    MISSED = "missed"
    ANALYSIS = "analysis"


def remark(
    outcome: Outcome, code: str, message: str, span: SourceSpan | None = None, *notes: Note
) -> Diagnostic:
    """What a pass has done, declined to do or found out."""
    return Diagnostic(Severity.REMARK, code, f"{outcome.value}: {message}", span, notes)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


class Refusal(Exception):
    """Raised where a construct cannot be translated rightly; carries what to tell the user."""

    def __init__(self, diagnostic: Diagnostic, *further: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.diagnostics = (diagnostic, *further)

    def with_note(self, text: str) -> Refusal:
        """The same with something added to the last thing that it tells."""
        *others, last = self.diagnostics
        return Refusal(*others, replace(last, notes=(*last.notes, Note(text))))


@contextmanager
def placed(span: SourceSpan | None) -> Generator[None]:
    """Refusals of the body that know no place of their own are of this one."""
    try:
        yield
    except Refusal as refusal:
        if span is None or all(one.span is not None for one in refusal.diagnostics):
            raise
        known = [one if one.span else replace(one, span=span) for one in refusal.diagnostics]
        raise Refusal(*known) from refusal


@final
class Refusals:
    """Collects refusals, so that all faults of a piece of code are found and not only the first.

    for statement in statements:
        with refusals.noted():
            ...
    refusals.raise_all()
    """

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    @contextmanager
    def noted(self) -> Generator[None]:
        """Refusals of the body end it, and no more."""
        try:
            yield
        except Refusal as refusal:
            self._found.extend(refusal.diagnostics)

    def found(self) -> list[Diagnostic]:
        """What was found, the same thing once; nothing of it is left."""
        first: dict[object, Diagnostic] = {}
        for one in self._found:
            first.setdefault((one.severity, one.code, one.message, one.span, one.path), one)
        self._found.clear()
        return list(first.values())

    def raise_all(self) -> None:
        """Raise what was found, if anything, as one Refusal."""
        found = self.found()
        if found:
            raise Refusal(*found)


def refuse(code: str, message: str, span: SourceSpan | None = None, *notes: Note) -> Refusal:
    return Refusal(error(code, message, span, *notes))
