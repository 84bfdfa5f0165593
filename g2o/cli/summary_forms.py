"""A summary as text, as JSON and as web pages.

file    translates   kernels
a.cu    yes           2 of 2
b.cu    in part       1 of 2

b.cu:10:5: error: inline PTX assembly [G2O0202]

code      what              times  files
G2O0202   inline assembly       1      1

2 files: 1 translates, 1 in part, 0 not. 4 kernels: 3 translate.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from g2o.cli.html_report import html_report, rendered
from g2o.cli.summary import Extent, FileSummary, Summary
from g2o.diagnostics.place import decode
from g2o.diagnostics.render import one_line
from g2o.diagnostics.to_json import diagnostic_object
from g2o.version import VERSION

SCHEMA_VERSION: Final = 1

_NUMERIC: Final = frozenset(("kernels", "missing derivatives", "times", "files"))


def as_text(summary: Summary) -> str:
    """The tables and the reasons, for a terminal."""
    head = ["file", "translates", "kernels", "missing derivatives"]
    rows = [
        [file.path, file.extent.value, _kernels(file), str(file.missing)] for file in summary.files
    ]
    shown = len(head) if summary.missing else -1
    parts = [_table([row[:shown] for row in (head, *rows)])]
    reasons = dict.fromkeys(one for file in summary.files for one in file.reasons)
    if reasons:
        parts.append("".join(f"{one_line(one)}\n" for one in reasons))
        codes = [[one.code, one.title, str(one.times), str(one.files)] for one in summary.codes]
        parts.append(_table([["code", "what", "times", "files"], *codes]))
    return "\n".join((*parts, f"{summary.totals()}\n"))


def as_document(summary: Summary, target: str) -> str:
    """The JSON document that docs/report.md describes, ending in a newline."""
    document = {
        "version": SCHEMA_VERSION,
        "tool": f"g2o {VERSION}",
        "target": target,
        "totals": {
            "files": len(summary.files),
            "translated": summary.count(Extent.WHOLE),
            "in_part": summary.count(Extent.PART),
            "refused": summary.count(Extent.NONE),
            "kernels": summary.kernels,
            "kernels_translated": summary.translated,
            "derivatives_missing": summary.missing,
        },
        "codes": [
            {
                "code": one.code,
                "title": one.title,
                "severity": one.severity,
                "times": one.times,
                "files": one.files,
            }
            for one in summary.codes
        ],
        "files": [
            {
                "path": file.path,
                "translates": file.extent.value,
                "kernels": file.kernels,
                "kernels_translated": file.translated,
                "derivatives_missing": file.missing,
                "diagnostics": [diagnostic_object(one) for one in file.reasons],
            }
            for file in summary.files
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def as_pages(summary: Summary, root: Path) -> dict[str, str]:
    """The index, and a page for every file that could be read, by names relative to the index;
    `root` is the directory whose tree they form."""
    names = {file: _page_of(file.source, root) for file in summary.files if file.reported}
    rows = [
        {
            "path": decode(file.path),
            "page": names.get(file, ""),
            "extent": file.extent,
            "kernels": _kernels(file),
            "missing": file.missing,
            "reasons": [one_line(one) for one in file.reasons],
        }
        for file in summary.files
    ]
    pages = {"index.html": rendered("index.html.jinja", rows=rows, summary=summary)}
    for file, name in names.items():
        if file.reported is not None:
            pages[name] = html_report([file.reported])
    return pages


def _page_of(source: Path, root: Path) -> str:
    parts = Path(os.path.relpath(source, root)).parts
    return "/".join((*(part for part in parts[:-1] if part != os.pardir), f"{parts[-1]}.html"))


def _kernels(file: FileSummary) -> str:
    return f"{file.translated} of {file.kernels}" if file.kernels else "-"


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns, the first being the head; numbers end alike."""
    shown = [[decode(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = (
        "   ".join(
            cell.rjust(width) if name in _NUMERIC else cell.ljust(width)
            for name, cell, width in zip(rows[0], row, widths, strict=True)
        )
        for row in shown
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)
