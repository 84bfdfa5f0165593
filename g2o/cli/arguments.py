"""Command lines as compilers take them, brought into the form that click parses.

Click has no options with an optional value whose value may be followed by files, and keeps no
memory of `--`. Both are settled here, on the list of words, before click sees it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

OPTIONAL_VALUE: Final = ("--grad", "--jvp", "--hvp", "--estimate-error")
CLANG_FLAG: Final = "--clang-flag"

_SOURCE_SUFFIXES: Final = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc")
_NAME: Final = r"[A-Za-z_]\w*"
_NAMES: Final = rf"\(\s*(?:{_NAME}\s*(?:,\s*{_NAME}\s*)*)?\)"
_SPEC: Final = re.compile(
    rf"\s*{_NAME}(?:::{_NAME})*(?:\s*<[^()]*>)?\s*(?:{_NAMES}\s*/\s*{_NAMES}\s*)?"
)


def normalise(words: Sequence[str]) -> list[str]:
    """`words` with `--grad SPEC` as `--grad=SPEC`, `--grad` as `--grad=`, and what follows `--` as
    `--clang-flag=FLAG`.

        k.cu --grad k -- -w   ->   k.cu --grad=k --clang-flag=-w
        --grad k.cu           ->   --grad= k.cu
    """
    own, clang_flags = _split(words)
    result: list[str] = []
    position = 0
    while position < len(own):
        word = own[position]
        position += 1
        if word not in OPTIONAL_VALUE:
            result.append(word)
            continue
        spec = own[position] if position < len(own) else ""
        if _is_spec(spec):
            position += 1
        else:
            spec = ""
        result.append(f"{word}={spec}")
    return result + [f"{CLANG_FLAG}={flag}" for flag in clang_flags]


def is_well_formed_spec(spec: str) -> bool:
    """Whether `spec` is `kernel`, an instance `kernel<float>` of a template, or has parameters
    behind it, `kernel(y, ...)/(x, ...)`; "" stands for every kernel."""
    return not spec or _SPEC.fullmatch(spec) is not None


def _split(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    if "--" not in words:
        return words, ()
    end = list(words).index("--")
    return words[:end], words[end + 1 :]


def _is_spec(word: str) -> bool:
    """A word behind `--grad` is its SPEC unless it is an option or names a file."""
    if not word or word.startswith("-") or word.endswith(_SOURCE_SUFFIXES):
        return False
    return not Path(word).is_file()
