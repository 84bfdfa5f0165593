"""Source files and the spans that point into them.

Text is held as Latin-1 so that one character is one byte: libclang's byte offsets index it
directly and any byte sequence survives a round trip. Only rendering decodes it for a terminal.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

_read: set[str] = set()


def note_read(name: str) -> None:
    """Remember that what becomes of a command depends on the file, be it there or not."""
    _read.add(name)


def files_read() -> frozenset[str]:
    """All such files of this process."""
    return frozenset(_read)


def name_as_text(name: str) -> str:
    """A file's name as it stands in text, byte for byte, whatever the locale."""
    return os.fsencode(name).decode("latin-1")


def text_as_name(text: str) -> str:
    """The name of a file as Python knows it, from how it is spelled in text."""
    return os.fsdecode(text.encode("latin-1"))


def lines_of(text: str, *, keepends: bool = False) -> list[str]:
    """The lines of such text, which `splitlines` does not know: it ends them within letters, as
    `\\x85` is one of the bytes of some."""
    lines = text.split("\n")
    last = lines.pop()
    ended = [f"{line}\n" for line in lines] if keepends else lines
    return [*ended, last] if last else ended


@final
@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """One file as the user named it (`path`, used in messages) and its bytes as Latin-1 text.

    `replaced` makes it a view of the file in which other text stands at some places, each as
    (begin, end, text): a template whose arguments are put in. Offsets are those of `text`.
    `lines` has, for each line of `text`, its number in the file, where those are not 1, 2, ...
    """

    path: str
    text: str = field(repr=False)
    replaced: tuple[tuple[int, int, str], ...] = field(default=(), repr=False)
    lines: tuple[int, ...] = field(default=(), repr=False)
    has_mark: bool = field(default=False, repr=False)  # of the byte order, in front of the text
    line_starts: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        object.__setattr__(self, "line_starts", tuple(starts))

    @staticmethod
    def read(path: Path, shown_as: str | None = None) -> SourceFile:
        """Read `path`; raises OSError as `Path.read_bytes` does."""
        note_read(str(path))
        return SourceFile(shown_as or str(path), path.read_bytes().decode("latin-1"))

    def with_replaced(self, places: Iterable[tuple[int, int, str]]) -> SourceFile:
        """A view of the file with other text at `places`."""
        return SourceFile(self.path, self.text, tuple(places), self.lines)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """1-based line and byte column of `offset`."""
        line = bisect_right(self.line_starts, offset)
        number = self.lines[line - 1] if self.lines else line
        return number, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """Text of the 1-based `line` without its line end, still Latin-1."""
        begin = self.line_starts[bisect_left(self.lines, line) if self.lines else line - 1]
        end = self.text.find("\n", begin)
        return self.text[begin : end if end >= 0 else len(self.text)].rstrip("\r")


@final
@dataclass(frozen=True, slots=True)
class SourceSpan:
    """Half-open byte range `[begin, end)` of a file. In the text there `is_expanded` things are
    but a part, or none: that is the use of a macro, which adds them."""

    file: SourceFile = field(repr=False)
    begin: int
    end: int
    is_expanded: bool = field(default=False, compare=False, repr=False)

    @property
    def text(self) -> str:
        return self.file.text[self.begin : self.end]

    @property
    def line(self) -> int:
        return self.file.line_and_column(self.begin)[0]

    def in_file(self, path: str, name: str) -> SourceSpan:
        """The same, of a file called `name` where it is of the one at `path`."""
        if self.file.path != path:
            return self
        return replace(self, file=replace(self.file, path=name))

    def to(self, other: SourceSpan) -> SourceSpan:
        """The span from the start of this one to the end of `other`."""
        return SourceSpan(self.file, self.begin, max(self.end, other.end))
