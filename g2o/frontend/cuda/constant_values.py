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
_NUMERIC_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([\w \t()+*/%<>-]+)(?://.*)?$", re.M
)
_UNSIGNED_NUMBER = re.compile(r"(?<![\w.])(?:\d+|0[xX][\da-fA-F]+)[lL]*[uU]|\bsizeof\b")
_UNSIGNED_PARAMETER = re.compile(
    r"[<,]\s*(?:const\s+)?(?:unsigned(?:\s+(?:int|long|short|char))*|(?:std::)?size_t|(?:std::)?uint\w*)"
    r"\s+(\w+)"
)
_WORD = re.compile(r"\b[A-Za-z_]\w*")
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
    """Names of constants that a program's files declare with an unsigned type, or define by such
    numbers: `#define THREADS (WARPS * 32U)`, and what is defined by those."""
    found: set[str] = set()
    macros: list[tuple[str, set[str]]] = []
    for text in texts:
        found.update(a or b for a, b in _UNSIGNED.findall(text))
        for name, body in _NUMERIC_MACRO.findall(text):
            macros.append((name, set(_WORD.findall(body))))
            if _UNSIGNED_NUMBER.search(body):
                found.add(name)
    while further := {name for name, words in macros if name not in found and words & found}:
        found |= further
    return frozenset(found)


def unsigned_parameters(head: str) -> frozenset[str]:
    """The parameters of a template with an unsigned type, of the text in front of its name."""
    return frozenset(_UNSIGNED_PARAMETER.findall(head))


def _constants_of(text: str) -> dict[str, int]:
    found: dict[str, list[int]] = {}
    for name, value in _DEFINE.findall(text):
        found.setdefault(name, []).append(int(value))
    for name, value, enumerator, enumerated in _CONSTANT.findall(text):
        found.setdefault(name or enumerator, []).append(int(value or enumerated))
    single = {name: values[0] for name, values in found.items() if len(values) == 1}
    definitions = re.findall(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", text, re.M)
    return {name: value for name, value in single.items() if definitions.count(name) <= 1}
