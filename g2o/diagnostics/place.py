"""Where a diagnostic stands, in the terms of its reader: lines, columns and visible text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity
from g2o.diagnostics.source import SourceSpan

TAB_STOP: Final = 8
BYTE_ORDER_MARK: Final = "\xef\xbb\xbf"  # U+FEFF in UTF-8, as Latin-1

_CLANG_RANGE: Final = "G2O01"  # clang may well say two things about one place

_SEVERITY_RANK: Final = {
    Severity.ERROR: 0,
    Severity.WARNING: 1,
    Severity.REMARK: 2,
    Severity.NOTE: 3,
}


@final
@dataclass(frozen=True, slots=True)
class Place:
    """1-based lines and byte columns of a span; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


def place_of(span: SourceSpan) -> Place:
    """The place of `span`. A byte order mark does not count as a column."""
    line, column = _line_and_column(span, span.begin)
    end_line, end_column = _line_and_column(span, max(span.begin, span.end))
    return Place(span.file.path, line, column, end_line, end_column)


def _line_and_column(span: SourceSpan, offset: int) -> tuple[int, int]:
    line, column = span.file.line_and_column(min(offset, len(span.file.text)))
    if line == 1 and span.file.text.startswith(BYTE_ORDER_MARK):
        column = max(1, column - len(BYTE_ORDER_MARK))
    return line, column


def visible_line(span: SourceSpan, line: int) -> str:
    """The Latin-1 text of `line` in the file of `span`, without a byte order mark."""
    return span.file.line_text(line).removeprefix(BYTE_ORDER_MARK if line == 1 else "")


def decode(text: str) -> str:
    """What the bytes held in the Latin-1 string `text` say: UTF-8 where they are, else Latin-1."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def expand(text: str) -> str:
    """`text` (decoded) as a terminal shows it: tabs become spaces, control characters `?`."""
    shown: list[str] = []
    width = 0
    for character in text:
        if character == "\t":
            shown.append(" " * (TAB_STOP - width % TAB_STOP))
            width += TAB_STOP - width % TAB_STOP
            continue
        shown.append("?" if unicodedata.category(character) == "Cc" else character)
        width += cell_width(character)
    return "".join(shown)


def cell_width(character: str) -> int:
    """Columns of a terminal that `character` takes: 0, 1 or 2."""
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def text_width(text: str) -> int:
    """Columns of a terminal that `text`, without tabs, takes."""
    return sum(cell_width(character) for character in text)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by file and position, those about the command or whole files first; no duplicates.

    Two diagnostics are duplicates when a reader could not tell them apart (a header that two inputs
    include is reported once), or when two stages found the same fault of g2o's own codes at the
    same place: the first of them stands.
    """
    unique: dict[_Key, Diagnostic] = {}
    places: set[tuple[str, int, int, str]] = set()
    for diagnostic in diagnostics:
        key = _sort_key(diagnostic)
        place = (*key[:3], diagnostic.code)
        if _is_own_error(diagnostic):
            if place in places:
                continue
            places.add(place)
        unique.setdefault(key, diagnostic)
    return tuple(unique[key] for key in sorted(unique))


def _is_own_error(diagnostic: Diagnostic) -> bool:
    is_error = diagnostic.severity is Severity.ERROR and diagnostic.span is not None
    return is_error and not diagnostic.code.startswith(_CLANG_RANGE)


_NoteKey = tuple[str, int, int, str]
_Key = tuple[str, int, int, int, int, str, str, tuple[_NoteKey, ...]]


def _sort_key(diagnostic: Diagnostic) -> _Key:
    rank = _SEVERITY_RANK[diagnostic.severity]
    text = (diagnostic.code, diagnostic.message)
    notes = tuple(_note_key(note) for note in diagnostic.notes)
    if diagnostic.span is None:
        return (diagnostic.path or "", 0, 0, rank, 0, *text, notes)
    place = place_of(diagnostic.span)
    return (place.path, place.line, place.column, rank, diagnostic.span.end, *text, notes)


def _note_key(note: Note) -> _NoteKey:
    if note.span is None:
        return ("", 0, 0, note.message)
    place = place_of(note.span)
    return (place.path, place.line, place.column, note.message)
