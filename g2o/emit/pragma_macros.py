"""Pragmas that a macro makes, or leaves out: code, which stands where the code stands.

    #pragma G2O_DEVICE_PRAGMA(omp parallel for)
        for (int t = 0; t < n; ++t)
->
        G2O_DEVICE_PRAGMA(omp parallel for)
        for (int t = 0; t < n; ++t)

clang-format knows what a line is that begins with `#pragma`, and takes such a macro for a part of
the statement behind it.
"""

from __future__ import annotations

import re

_COLUMNS = 100
_MACRO = re.compile(
    r"^#pragma (?P<macro>G2O_(?:CPU|DEVICE|SCAN)_PRAGMA)\((?P<words>(?:[^\n]*\\\n)*[^\n]*)\)\n"
    r"(?=(?:#pragma [^\n]*\n)*(?P<indentation>[ \t]*)\S)",
    re.MULTILINE,
)
_CLAUSE = re.compile(r"[^\s()]*\((?:[^()]|\([^()]*\))*\)|[^\s()]+")


def macros_as_code(text: str) -> str:
    """`text` with such macros as what they are, above the statement that they are for."""
    return _MACRO.sub(_as_code, text)


def _as_code(match: re.Match[str]) -> str:
    lines = [f"{match['indentation']}{match['macro']}("]
    behind = " " * len(lines[0])
    words = " ".join(match["words"].replace("\\\n", " ").split()).replace("( ", "(")
    separator = ""
    for clause in _CLAUSE.findall(words):
        if separator and len(lines[-1]) + 1 + len(clause) >= _COLUMNS:
            lines.append(behind)
            separator = ""
        lines[-1] += separator + clause
        separator = " "
    return "\n".join(lines) + ")\n"
