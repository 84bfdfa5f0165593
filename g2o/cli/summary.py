"""What of a request's files translates, in numbers: what `g2o report` shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import final

from g2o.cli.html_report import ReportedFile
from g2o.cli.inputs import shown_path
from g2o.cli.session import FileResult, SessionResult
from g2o.diagnostics.codes import CODES
from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.diagnostics.place import in_order


class Extent(Enum):
    """How much of a file translates. Of a file in part: at least a kernel of it."""

    WHOLE = "yes"
    PART = "in part"
    NONE = "no"


@final
@dataclass(frozen=True, slots=True, eq=False)
class FileSummary:
    """A file: `translated` of its `kernels`, `missing` derivatives of those that were asked for,
    and the reasons. `reported` is what its page shows, where it could be read."""

    source: Path
    path: str
    extent: Extent
    kernels: int
    translated: int
    missing: int
    reasons: tuple[Diagnostic, ...]
    reported: ReportedFile | None


@final
@dataclass(frozen=True, slots=True)
class CodeCount:
    """How often a code is the reason, and in how many files."""

    code: str
    title: str
    severity: str
    times: int
    files: int


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """The files in the order of the request, the codes by how many files they concern."""

    files: tuple[FileSummary, ...]
    codes: tuple[CodeCount, ...]

    def count(self, extent: Extent) -> int:
        return sum(file.extent is extent for file in self.files)

    @property
    def kernels(self) -> int:
        return sum(file.kernels for file in self.files)

    @property
    def translated(self) -> int:
        return sum(file.translated for file in self.files)

    @property
    def missing(self) -> int:
        return sum(file.missing for file in self.files)

    def totals(self) -> str:
        """All in two sentences."""
        counts = (
            f"{self.count(Extent.WHOLE)} translate{'s' if self.count(Extent.WHOLE) == 1 else ''}",
            f"{self.count(Extent.PART)} in part",
            f"{self.count(Extent.NONE)} not",
        )
        files = f"{_counted(len(self.files), 'file')}: {', '.join(counts)}."
        kernels = f"{_counted(self.kernels, 'kernel')}: {self.translated} translate"
        kernels += "s" if self.translated == 1 else ""
        derived = f", {_counted(self.missing, 'derivative')} missing" if self.missing else ""
        return f"{files} {kernels}{derived}."


def summary_of(result: SessionResult) -> Summary:
    """What became of the files. A fault of a header counts once, but in every file that has it."""
    files = tuple(map(_file, result.files))
    faults = in_order(result.diagnostics)
    first = {fault.code: fault for fault in reversed(faults)}
    codes = [
        CodeCount(
            code,
            CODES[code].title if code in CODES else fault.message,
            fault.severity.value,
            sum(one.code == code for one in faults),
            sum(any(one.code == code for one in file.reasons) for file in files),
        )
        for code, fault in first.items()
    ]
    codes.sort(key=lambda one: (one.severity != Severity.ERROR.value, -one.files, one.code))
    return Summary(files, tuple(codes))


def _file(file: FileResult) -> FileSummary:
    translation = file.translation
    kernels = 0 if translation is None else len(translation.kernels)
    translated = 0 if translation is None else kernels - translation.refused
    missing = 0 if translation is None else translation.missing
    is_whole = translation is not None and translation.ok
    extent = Extent.WHOLE if is_whole else Extent.PART if translated else Extent.NONE
    source, reasons = file.destination.source, in_order(file.diagnostics)
    path = shown_path(source)
    return FileSummary(source, path, extent, kernels, translated, missing, reasons, file.reported)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
