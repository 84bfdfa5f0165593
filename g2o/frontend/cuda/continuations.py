r"""Backslashes at the ends of lines keep their column when the text in front of them changes.

#define CHECK(e)            \          #define CHECK(e)            \
    if ((e) != cudaSuccess) \    ->        if ((e) != g2o::Success) \
        abort()                                abort()
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.frontend.cuda.lexer import lex
from g2o.frontend.edits import TextEdit

_COLUMNS: Final = 99  # before the backslash
_CONTINUED: Final = re.compile(r"([ \t]*)\\\r?$", re.MULTILINE)


def continuation_edits(text: str, edits: Sequence[TextEdit]) -> list[TextEdit]:
    """Edits of the white space in front of backslashes in lines that `edits` change.

    Where a line grows beyond the room that there is, all backslashes of the macro move, if 100
    columns suffice. Backslashes that are not aligned follow their text.
    """
    found: list[TextEdit] = []
    for directive in lex(text).directives:
        if directive.name == "define" and "\n" in text[directive.begin : directive.line_end]:
            inside = [
                e for e in edits if directive.begin <= e.begin and e.end <= directive.line_end
            ]
            if inside:
                found.extend(_padding(text, directive.begin, directive.line_end, inside))
    return found


def _padding(text: str, begin: int, end: int, edits: Sequence[TextEdit]) -> Iterator[TextEdit]:
    lines = [_line(text, match, edits) for match in _CONTINUED.finditer(text, begin, end)]
    aligned = len({line.column for line in lines}) == 1 and any(line.room > 1 for line in lines)
    needed = max((line.growth - line.room + 1 for line in lines), default=0)
    shift = needed if aligned and lines[0].column + needed <= _COLUMNS else 0
    for line in lines:
        alone = [line.column for line in lines].count(line.column) == 1
        if not line.is_simple or (alone and line.room == 1):
            continue
        wanted = max(line.room - line.growth + max(shift, 0), 1)
        if wanted != line.room:
            yield TextEdit(line.begin, line.begin + line.room, " " * wanted)


@final
@dataclass(frozen=True, slots=True)
class _Line:
    """A continued line: where the white space in front of its backslash begins and how much there
    is, the column of the backslash, and by how much the text grows."""

    begin: int
    room: int
    column: int
    growth: int
    is_simple: bool


def _line(text: str, match: re.Match[str], edits: Sequence[TextEdit]) -> _Line:
    first = _line_begin(text, match.start())
    here = [edit for edit in edits if first <= edit.begin <= match.end()]
    is_simple = "\t" not in text[first : match.end()] and not any(
        edit.end > match.start(1) or "\n" in edit.replacement for edit in here
    )
    growth = sum(len(edit.replacement) - (edit.end - edit.begin) for edit in here)
    column = match.end(1) - first
    return _Line(match.start(1), len(match.group(1)), column, growth, is_simple)


def _line_begin(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1
