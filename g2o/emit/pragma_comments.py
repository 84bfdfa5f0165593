"""Comments in front of a pragma, which clang-format puts to the left margin with it.

// Neighbours first.                        // Neighbours first.
#pragma omp simd                    ->  #pragma omp simd
    for (int t = 0; t < n; ++t)             for (int t = 0; t < n; ++t)
"""

from __future__ import annotations

import re

from g2o.diagnostics.source import lines_of

_COLUMNS = 100
_ABOVE_PRAGMA = re.compile(
    r"^(?P<comments>(?:(?://[^\n]*|/\*[^\n]*\*/)\n)+)"
    r"(?P<pragmas>(?:#pragma (?:omp|GCC|G2O)[^\n]*\n)+)"
    r"(?P<indentation>[ \t]+)(?=\S)",
    re.MULTILINE,
)


def indent_comments(text: str, source: str) -> str:
    """`text` with such comments above the code that the pragma is for; those that stand like that
    in the source file stay."""

    def indented(match: re.Match[str]) -> str:
        comments, pragmas = match["comments"], match["pragmas"]
        indentation = match["indentation"]
        lines = [indentation + line for line in lines_of(comments)]
        if comments + pragmas in source or any(len(line) > _COLUMNS for line in lines):
            return match.group()
        return "\n".join(lines) + "\n" + pragmas + indentation

    return _ABOVE_PRAGMA.sub(indented, text)
