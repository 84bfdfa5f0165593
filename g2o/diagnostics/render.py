"""Diagnostics as text, in the form that compilers have taught people to read.

    reduce.cu:41:18: error: barrier under thread-dependent control flow [G2O0203]
       41 |     if (tid < s) __syncthreads();
          |                  ^~~~~~~~~~~~~~~~
    reduce.cu:41:9: note: condition depends on threadIdx.x

A note shows its line of source unless it is the line that was shown last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.diagnostics.place import (
    Place,
    decode,
    expand,
    in_order,
    place_of,
    text_width,
    visible_line,
)
from g2o.diagnostics.source import SourceSpan

MAX_SNIPPET: Final = 140  # columns; a longer line is cut around the caret
_LEAD: Final = 40  # columns kept in front of the caret of a line that is cut

_BOLD: Final = "\x1b[1m"
_PLAIN: Final = "\x1b[0m"
_COLOURS: Final = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;35m",
    Severity.NOTE: "\x1b[1;36m",
    Severity.REMARK: "\x1b[1;34m",
}
_CARET_COLOUR: Final = "\x1b[1;32m"


@final
@dataclass(frozen=True, slots=True)
class _Palette:
    """Terminal colours, or none."""

    on: bool

    def paint(self, colour: str, text: str) -> str:
        return f"{colour}{text}{_PLAIN}" if self.on and text else text


def render_text(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """All `diagnostics` in order of position, then the summary line; "" where there are none."""
    ordered = in_order(diagnostics)
    palette = _Palette(colour)
    lines = [line for diagnostic in ordered for line in _lines_of(diagnostic, palette)]
    summary = summarise(ordered)
    if summary:
        lines.append(summary)
    return "".join(f"{line}\n" for line in lines)


def one_line(diagnostic: Diagnostic) -> str:
    """The first line of a diagnostic: place, message and code."""
    return _lines_of(diagnostic, _Palette(on=False))[0]


def summarise(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning.`; "" where there is neither."""
    counts = (
        (sum(d.severity is Severity.ERROR for d in diagnostics), "error"),
        (sum(d.severity is Severity.WARNING for d in diagnostics), "warning"),
    )
    parts = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in counts if count]
    return f"{', '.join(parts)}." if parts else ""


def _lines_of(diagnostic: Diagnostic, palette: _Palette) -> list[str]:
    message = f"{decode(diagnostic.message)} [{diagnostic.code}]"
    lines = [_headline(diagnostic.span, diagnostic.path, diagnostic.severity, message, palette)]
    shown: tuple[str, int] | None = None
    if diagnostic.span is not None:
        place = place_of(diagnostic.span)
        lines += _snippet(diagnostic.span, place, palette)
        shown = (place.path, place.line)
    for note in diagnostic.notes:
        lines.append(_headline(note.span, None, Severity.NOTE, decode(note.message), palette))
        if note.span is None:
            continue
        place = place_of(note.span)
        if shown != (place.path, place.line):
            lines += _snippet(note.span, place, palette)
            shown = (place.path, place.line)
    return lines


def _headline(
    span: SourceSpan | None, path: str | None, severity: Severity, message: str, palette: _Palette
) -> str:
    word = palette.paint(_COLOURS[severity], f"{severity.value}:")
    text = message if severity is Severity.NOTE else palette.paint(_BOLD, message)
    where = _where(span, path)
    if not where and severity is not Severity.NOTE:
        where = "g2o:"
    return f"{palette.paint(_BOLD, where)} {word} {text}" if where else f"{word} {text}"


def _where(span: SourceSpan | None, path: str | None) -> str:
    if span is not None:
        place = place_of(span)
        return f"{place.path}:{place.line}:{place.column}:"
    return f"{path}:" if path else ""


def _snippet(span: SourceSpan, place: Place, palette: _Palette) -> list[str]:
    """The line of source where `span` begins, and the caret line under it."""
    line = visible_line(span, place.line)
    if not line.strip():
        return []
    begin = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    head, marked = decode(line[:begin]), decode(line[:end])
    shown = expand(decode(line)).rstrip()
    indent = text_width(expand(head))
    length = max(1, text_width(expand(marked)) - indent)
    shown, indent, length = _cut(shown, indent, length)
    underline = palette.paint(_CARET_COLOUR, "^" + "~" * (length - 1))
    gutter = f"{place.line:>5} | "
    return [f"{gutter}{shown}".rstrip(), f"{' ' * (len(gutter) - 2)}| {' ' * indent}{underline}"]


def _cut(shown: str, indent: int, length: int) -> tuple[str, int, int]:
    """A window of `MAX_SNIPPET` columns around the caret, with `...` where text is left out."""
    if len(shown) <= MAX_SNIPPET:
        return shown, indent, length
    first = max(0, min(indent - _LEAD, len(shown) - MAX_SNIPPET))
    window = shown[first : first + MAX_SNIPPET]
    if first:
        window = "..." + window[3:]
    if first + MAX_SNIPPET < len(shown):
        window = window[:-3] + "..."
    indent -= first
    return window, indent, max(1, min(length, len(window) - indent))
