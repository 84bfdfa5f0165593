"""A unit in which macros that device code cannot keep are expanded, and the way back from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.device_macros import DeviceMacros
from g2o.frontend.cuda.unit import SourceUnit, parsed_again


class TracedText(Protocol):
    """A text whose offsets lead back to the one that it was made from."""

    text: str

    def original_offset(self, offset: int, *, at_end: bool = False) -> int: ...


@final
@dataclass(frozen=True, slots=True)
class Original:
    """The file that an expanded one was made from."""

    file: SourceFile
    expanded: TracedText

    def span(self, span: SourceSpan) -> SourceSpan:
        """Where `span` of the expanded file comes from."""
        begin = self.expanded.original_offset(span.begin)
        end = self.expanded.original_offset(span.end, at_end=True)
        return SourceSpan(self.file, begin, max(begin, end))


@final
@dataclass(frozen=True, slots=True)
class ExpandedUnit:
    """`unit` has device code without such macros; `originals` are by the path of the file."""

    unit: SourceUnit
    originals: Mapping[str, Original]

    def in_source(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic with all places in the files as the user knows them."""
        if not self.originals:
            return diagnostic
        notes = tuple(replace(note, span=self.span(note.span)) for note in diagnostic.notes)
        return replace(diagnostic, span=self.span(diagnostic.span), notes=notes)

    def original_range(self, begin: int, end: int) -> tuple[int, int]:
        """The byte range of the main file that `[begin, end)` of its expanded text comes from."""
        span = self.span(SourceSpan(self.unit.main, begin, end))
        assert span is not None
        return span.begin, span.end

    def span(self, span: SourceSpan | None) -> SourceSpan | None:
        """The place in the files as the user knows them."""
        if span is None:
            return None
        original = self.originals.get(span.file.path)
        if original is None or span.file.text != original.expanded.text:
            return span
        return original.span(span)


def expand_device_code(
    unit: SourceUnit, functions: Sequence[Cursor], *, passing_stay: bool = False
) -> ExpandedUnit:
    """The unit with macros expanded in the bodies of `functions`; the unit itself where there are
    none, or where the result could not be parsed. `passing_stay`: those that are undefined, or mean
    something else, behind a function stay as well."""
    by_file: dict[str, list[Cursor]] = {}
    for function in functions:
        by_file.setdefault(function.file, []).append(function)
    known = DeviceMacros(
        unit.files_with_macros(), unit.root, unit.skipped, passing_stay=passing_stay
    )
    originals: dict[str, Original] = {}
    texts: dict[str, str] = {}
    for name, cursors in by_file.items():
        file = unit.source_file(name)
        expanded = known.expand(file, cursors)
        if expanded is not None:
            originals[file.path] = Original(file, expanded)
            texts[name] = expanded.text
    again = parsed_again(unit, texts) if texts else None
    return ExpandedUnit(unit, {}) if again is None else ExpandedUnit(again, originals)
