"""Remarks as one self-contained web page, for `--report`."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic, Note
from g2o.diagnostics.place import decode, in_order, place_of, visible_line
from g2o.diagnostics.source import SourceSpan

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>g2o: what the passes did</title>
<style>
body {{ font-family: sans-serif; max-width: 60em; margin: 2em auto; }}
pre {{ background: #f4f4f4; padding: 0.4em 0.8em; overflow-x: auto; }}
mark {{ background: #ffe08a; }}
.code {{ color: #777; }}
</style>
<h1>What the passes did</h1>
{body}
</html>
"""


def render_html(remarks: Iterable[Diagnostic]) -> str:
    """A page with a section for each file and an entry for each remark, in order of position."""
    sections = [
        f"<h2>{escape(path) or 'Command'}</h2>\n" + "\n".join(_entry(remark) for remark in group)
        for path, group in groupby(in_order(remarks), key=_path)
    ]
    return _PAGE.format(body="\n".join(sections) or "<p>Nothing to report.</p>")


def _path(remark: Diagnostic) -> str:
    return remark.span.file.path if remark.span is not None else remark.path or ""


def _entry(remark: Diagnostic) -> str:
    line = f"line {remark.span.line}: " if remark.span is not None else ""
    code = f'<span class="code">{escape(remark.code)}</span>'
    parts = [f"<p>{line}{escape(decode(remark.message))} {code}</p>", _source(remark.span)]
    parts += [_note(note) for note in remark.notes]
    return "\n".join(part for part in parts if part)


def _note(note: Note) -> str:
    line = f"line {note.span.line}: " if note.span is not None else ""
    return f"<p>{line}{escape(decode(note.message))}</p>\n{_source(note.span)}"


def _source(span: SourceSpan | None) -> str:
    if span is None:
        return ""
    place = place_of(span)
    line = visible_line(span, place.line)
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    before, inside, after = line[: place.column - 1], line[place.column - 1 : end], line[end:]
    marked = f"{escape(decode(before))}<mark>{escape(decode(inside))}</mark>{escape(decode(after))}"
    return f"<pre>{place.line:>5} | {marked}</pre>"
