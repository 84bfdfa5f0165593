"""Diagnostics as SARIF 2.1.0 (OASIS), which code hosts and editors read.

Columns count Unicode code points (`columnKind`), unlike the byte columns of the text form. URIs are
relative to `%SRCROOT%`, the directory g2o was started in.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from g2o.diagnostics.codes import CODES
from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.diagnostics.place import decode, in_order, place_of, visible_line
from g2o.diagnostics.source import SourceSpan

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
    Severity.REMARK: "note",
}


def render_sarif(diagnostics: Iterable[Diagnostic], tool_version: str) -> str:
    """One SARIF log with one run, ending in a newline."""
    ordered = in_order(diagnostics)
    keys = sorted({diagnostic.code for diagnostic in ordered})
    driver = {"name": "g2o", "version": tool_version, "rules": [_rule(key) for key in keys]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, keys.index(diagnostic.code)) for diagnostic in ordered],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(key: str) -> dict[str, object]:
    code = CODES.get(key)
    if code is None:
        return {"id": key}
    return {
        "id": key,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.meaning},
        "help": {"text": code.remedy},
    }


def _result(diagnostic: Diagnostic, rule_index: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": decode(diagnostic.message)},
    }
    location = _location(diagnostic.span, diagnostic.path)
    if location is not None:
        result["locations"] = [location]
    related: list[dict[str, object]] = []
    for note in diagnostic.notes:
        message = {"text": decode(note.message)}
        related.append({**(_location(note.span, None) or {}), "message": message})
    if related:
        result["relatedLocations"] = related
    return result


def _location(span: SourceSpan | None, path: str | None) -> dict[str, object] | None:
    if span is None:
        if path is None:
            return None
        return {"physicalLocation": {"artifactLocation": _artifact(path)}}
    place = place_of(span)
    region = {
        "startLine": place.line,
        "startColumn": _code_points(span, place.line, place.column),
        "endLine": place.end_line,
        "endColumn": _code_points(span, place.end_line, place.end_column),
    }
    return {"physicalLocation": {"artifactLocation": _artifact(place.path), "region": region}}


def _artifact(path: str) -> dict[str, str]:
    if path.startswith("/"):
        return {"uri": f"file://{quote(os.fsencode(path))}"}
    return {"uri": quote(os.fsencode(path.removeprefix("./"))), "uriBaseId": "%SRCROOT%"}


def _code_points(span: SourceSpan, line: int, byte_column: int) -> int:
    return len(decode(visible_line(span, line)[: byte_column - 1])) + 1
