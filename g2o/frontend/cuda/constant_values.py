"""Values of the simple integer constants that a file names: `#define BLOCK 256`."""

from __future__ import annotations

import re

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?[ \t]*(\d+)[uUlL]*[ \t]*\)?[ \t\r]*(?://.*|/\*.*\*/[ \t\r]*)?$", re.M)  # fmt: skip  # noqa: E501
_CONSTANT = re.compile(
    r"\b(?:constexpr|const)\b[\w\s:]*?\b(\w+)\s*=\s*(\d+)[uUlL]*\s*;"
    r"|\benum\b[^;{]*\{\s*(\w+)\s*=\s*(\d+)\s*\}"
)


def integer_constants(text: str) -> dict[str, int]:
    """Names defined exactly once, by a decimal number."""
    found: dict[str, list[int]] = {}
    for name, value in _DEFINE.findall(text):
        found.setdefault(name, []).append(int(value))
    for name, value, enumerator, enumerated in _CONSTANT.findall(text):
        found.setdefault(name or enumerator, []).append(int(value or enumerated))
    single = {name: values[0] for name, values in found.items() if len(values) == 1}
    definitions = re.findall(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", text, re.M)
    return {name: value for name, value in single.items() if definitions.count(name) <= 1}
