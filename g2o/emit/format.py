"""clang-format over the text that was rewritten, and only there.

LLVM style at 100 columns; indentation width and the place of a function's brace follow the file.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import clang_format

from g2o.emit.pragma_comments import indent_comments
from g2o.emit.pragma_macros import macros_as_code
from g2o.emit.pragma_products import spaced_products

_COLUMNS = 100
_BINARY = Path(clang_format.__file__).parent / "data" / "bin" / "clang-format"
_INDENTED = re.compile(r"^( +)\S", re.MULTILINE)
_BRACE_BELOW = re.compile(r"\)\s*\n\{")
_BRACE_BEHIND = re.compile(r"\)[ \t]*\{[ \t]*\n")


def format_ranges(text: str, ranges: list[tuple[int, int]], like: str) -> str:
    """`text` (Latin-1) with the character ranges formatted in the manner of the file `like`."""
    if not ranges:
        return text
    command = [str(_BINARY), "--assume-filename=x.cpp", f"--style={style_of(like)}"]
    for begin, end in ranges:
        first = text.count("\n", 0, begin) + 1
        last = text.count("\n", 0, max(begin, end - 1)) + 1
        command.append(f"--lines={first}:{last}")
    done = subprocess.run(command, input=text.encode("latin-1"), capture_output=True, check=True)
    return macros_as_code(spaced_products(indent_comments(done.stdout.decode("latin-1"), like)))


def overlong_places(
    text: str, places: Sequence[tuple[int, int]], before: Sequence[int]
) -> list[tuple[int, int]]:
    """Those of the edited `places` of `text` whose line is too long now and was not before.

    `before` are the lengths of the lines that the edits were made in. Directives stay as they are.
    """
    return [
        place
        for place, length in zip(places, before, strict=True)
        if length <= _COLUMNS and _is_overlong(text, *place)
    ]


def _is_overlong(text: str, begin: int, end: int) -> bool:
    first = text.rfind("\n", 0, begin) + 1
    last = text.find("\n", end)
    lines = text[first : len(text) if last < 0 else last].split("\n")
    continued = text[:first].rstrip("\r\n").endswith("\\") or lines[-1].rstrip().endswith("\\")
    if continued or lines[0].lstrip().startswith("#"):
        return False
    return any(len(line.rstrip("\r")) > _COLUMNS for line in lines)


def style_of(text: str) -> str:
    """A clang-format style for new text in a file."""
    width = 2 if _indentation(text) == 2 else 4
    braces = (
        "Linux"
        if len(_BRACE_BELOW.findall(text)) > len(_BRACE_BEHIND.findall(text)) / 4
        else "Attach"
    )
    return (
        f"{{BasedOnStyle: LLVM, ColumnLimit: {_COLUMNS}, IndentWidth: {width}, "
        f"BreakBeforeBraces: {braces}, SortIncludes: Never, "
        "AllowShortFunctionsOnASingleLine: Empty, FixNamespaceComments: false, "
        "StatementMacros: [G2O_TYPE_PUNNING]}"
    )


def _indentation(text: str) -> int:
    widths = [len(match) for match in _INDENTED.findall(text)]
    odd = sum(1 for width in widths if width % 4 == 2)
    return 2 if odd * 4 > len(widths) else 4
