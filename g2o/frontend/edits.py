"""Replacements of byte ranges of a source file, and slices of the file with them applied."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """Replace `[begin, end)` of the original text; `begin == end` inserts."""

    begin: int
    end: int
    replacement: str


@final
class EditedText:
    """The text of a file with a set of non-overlapping edits laid over it."""

    __slots__ = ("_begins", "_edits", "text")

    def __init__(self, text: str, edits: Iterable[TextEdit] = ()) -> None:
        self.text = text
        self._edits: list[TextEdit] = []
        last_end = 0
        for edit in sorted(set(edits)):
            if edit.begin < last_end:
                raise ValueError(f"overlapping edits at offset {edit.begin}")
            self._edits.append(edit)
            last_end = edit.end
        self._begins = [edit.begin for edit in self._edits]

    def with_edits(self, edits: Iterable[TextEdit]) -> EditedText:
        """The same with further edits; they win where they meet those that are there."""
        new = list(edits)
        kept = [
            old
            for old in self._edits
            if not any(old.begin < one.end and one.begin < old.end for one in new)
        ]
        return EditedText(self.text, [*kept, *new])

    def slice(self, begin: int, end: int) -> str:
        """`text[begin:end]` with every edit that lies wholly inside applied.

        An insertion belongs to the text behind it: one at `begin` counts, one at `end` does not.
        """
        pieces: list[str] = []
        position = begin
        index = bisect_left(self._begins, begin)
        while index < len(self._edits) and self._edits[index].end <= end:
            edit = self._edits[index]
            if edit.begin >= end:
                break
            pieces.append(self.text[position : edit.begin])
            pieces.append(edit.replacement)
            position = edit.end
            index += 1
        pieces.append(self.text[position:end])
        return "".join(pieces)

    def inserted_at(self, offset: int) -> str:
        """What is inserted in front of the text that is there."""
        begin, end = bisect_left(self._begins, offset), bisect_right(self._begins, offset)
        edits = self._edits[begin:end]
        return "".join(edit.replacement for edit in edits if edit.begin == edit.end)

    def apply(self, watched: set[TextEdit]) -> tuple[str, list[tuple[int, int]]]:
        """The whole edited text, and where in it the replacements of `watched` edits stand."""
        pieces: list[str] = []
        ranges: list[tuple[int, int]] = []
        position = length = 0
        for edit in self._edits:
            kept = self.text[position : edit.begin]
            pieces.extend((kept, edit.replacement))
            length += len(kept)
            if edit in watched:
                ranges.append((length, length + len(edit.replacement)))
            length += len(edit.replacement)
            position = edit.end
        pieces.append(self.text[position:])
        return "".join(pieces), ranges
