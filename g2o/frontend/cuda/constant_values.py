"""Values of the simple integer constants that a file names: `#define BLOCK 256`."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?[ \t]*(\d+)[uUlL]*[ \t]*\)?[ \t\r]*(?://.*|/\*.*\*/[ \t\r]*)?$", re.M)  # fmt: skip  # noqa: E501
_CONSTANT = re.compile(
    r"\b(?:constexpr|const)\b[\w\s:]*?\b(\w+)\s*=\s*(\d+)[uUlL]*\s*;"
    r"|\benum\b[^;{]*\{\s*(\w+)\s*=\s*(\d+)\s*\}"
)

_UNSIGNED = re.compile(
    r"\b(?:constexpr|const)\b(?=[\w\s:]*\b(?:unsigned|(?:std::)?size_t|uint\w*)\b)[\w\s:]*?\b(\w+)\s*="
    r"|^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?[ \t]*\d+[lL]*[uU]",
    re.M,
)
_CONDITION = re.compile(r"\b(?:ifn?def[ \t]+|defined[ \t]*\(?[ \t]*)(\w+)")


def integer_constants(texts: Iterable[str]) -> dict[str, int]:
    """Names defined exactly once in a program's files, by a decimal number.

    A name that a condition asks for (`#ifndef BLOCK`) has none: the build may define it otherwise.
    """
    found: dict[str, set[int | None]] = {}
    for text in texts:
        for name, value in _constants_of(text).items():
            found.setdefault(name, set()).add(value)
        for name in _CONDITION.findall(text):
            found.setdefault(name, set()).add(None)
    return {
        name: value for name, (value, *others) in found.items() if value is not None and not others
    }


def unsigned_constants(texts: Iterable[str]) -> frozenset[str]:
    """Names of constants that a program's files declare with an unsigned type."""
    return frozenset(a or b for text in texts for a, b in _UNSIGNED.findall(text))


def _constants_of(text: str) -> dict[str, int]:
    found: dict[str, list[int]] = {}
    for name, value in _DEFINE.findall(text):
        found.setdefault(name, []).append(int(value))
    for name, value, enumerator, enumerated in _CONSTANT.findall(text):
        found.setdefault(name or enumerator, []).append(int(value or enumerated))
    single = {name: values[0] for name, values in found.items() if len(values) == 1}
    definitions = re.findall(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", text, re.M)
    return {name: value for name, value in single.items() if definitions.count(name) <= 1}
