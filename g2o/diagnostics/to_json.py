"""Diagnostics as one JSON document for a whole command.

    {
      "version": 1,                  raised when a field changes its meaning or goes
      "tool": "g2o 0.1.0",
      "diagnostics": [
        {
          "path": "reduce.cu",       as named on the command line; null: about the command
          "line": 41, "column": 18,  1-based, columns in bytes; null: about the whole file
          "end_line": 41, "end_column": 34,   exclusive
          "severity": "error",       error | warning | remark
          "code": "G2O0203",
          "message": "barrier under thread-dependent control flow",
          "notes": [{"path": ..., "line": ..., "column": ..., "end_line": ..., "end_column": ...,
                     "message": "condition depends on threadIdx.x"}]
        }
      ],
      "errors": 1,
      "warnings": 0
    }

The order is that of the text form: by path and position.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity
from g2o.diagnostics.place import decode, in_order, place_of
from g2o.diagnostics.source import SourceSpan

SCHEMA_VERSION = 1


def render_json(diagnostics: Iterable[Diagnostic], tool_version: str) -> str:
    """The document described above, ending in a newline."""
    ordered = in_order(diagnostics)
    document = {
        "version": SCHEMA_VERSION,
        "tool": f"g2o {tool_version}",
        "diagnostics": [diagnostic_object(diagnostic) for diagnostic in ordered],
        "errors": sum(d.severity is Severity.ERROR for d in ordered),
        "warnings": sum(d.severity is Severity.WARNING for d in ordered),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def diagnostic_object(diagnostic: Diagnostic) -> dict[str, object]:
    """One of the `diagnostics` above."""
    return {
        **_place_object(diagnostic.span, diagnostic.path),
        "severity": diagnostic.severity.value,
        "code": diagnostic.code,
        "message": decode(diagnostic.message),
        "notes": [_note_object(note) for note in diagnostic.notes],
    }


def _note_object(note: Note) -> dict[str, object]:
    return {**_place_object(note.span, None), "message": decode(note.message)}


def _place_object(span: SourceSpan | None, path: str | None) -> dict[str, object]:
    if span is None:
        unknown = ("line", "column", "end_line", "end_column")
        return {"path": path, **dict.fromkeys(unknown)}
    place = place_of(span)
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }
