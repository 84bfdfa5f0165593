"""Values of integer constants that a file names: `#define BLOCK 256`, `#define N (BLOCK / 2)`"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from g2o.ir.constant_text import number_of

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
_DEFINED_BY_OTHERS = re.compile(
    r"\b(?:constexpr|const)\b[\w\s:]*?\b(\w+)\s*=\s*([\w \t()+*/%<>-]+?)\s*;"
)
_DEFINITION = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.M)
_ANY_CONSTANT = re.compile(r"\b(?:constexpr|const)\b[\w\s:]*?\b(\w+)\s*=(?!=)")
_SUFFIX = re.compile(r"\b(\d+)[uUlL]+\b")
_SEVERAL = re.compile(
    r"\b((?:constexpr|const)\b[\w\s:]*?\s)(\w+\s*=[^,;{}=]+(?:,\s*\w+\s*=[^,;{}=]+)+);"
)
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_CONDITION = re.compile(r"\b(?:ifn?def[ \t]+|defined[ \t]*\(?[ \t]*)(\w+)")


def integer_constants(texts: Iterable[str]) -> dict[str, int]:
    """Names defined exactly once in a program's files, by a decimal number or by such names.

    A name that a condition asks for (`#ifndef BLOCK`) has none: the build may define it otherwise.
    """
    found: dict[str, set[int | None]] = {}
    spelled: dict[str, set[str]] = {}
    for text in map(_each_alone, texts):
        for name, value in _constants_of(text).items():
            found.setdefault(name, set()).add(value)
        defined = Counter((*_DEFINITION.findall(text), *_ANY_CONSTANT.findall(text)))
        several = [name for name, count in defined.items() if count > 1]
        for name in (*_CONDITION.findall(text), *several):
            found.setdefault(name, set()).add(None)
        for name, body in _NUMERIC_MACRO.findall(text):
            bare = body.split("//")[0].split("/*")[0].strip()
            spelled.setdefault(name, set()).add(bare if _is_one_term(bare) else "")
        for name, body in _DEFINED_BY_OTHERS.findall(text):
            spelled.setdefault(name, set()).add(body)
    known = {
        name: value for name, (value, *others) in found.items() if value is not None and not others
    }
    by_others = {
        name: body for name, (body, *more) in spelled.items() if not more and name not in found
    }
    while further := _evaluated(by_others, known):
        known |= further
    return known


def _each_alone(text: str) -> str:
    """The text with a declaration for each of several constants: `const int a = 1; const int b`."""

    def apart(found: re.Match[str]) -> str:
        return "; ".join(f"{found[1]}{one.strip()}" for one in found[2].split(",")) + ";"

    return _SEVERAL.sub(apart, text)


def _is_one_term(body: str) -> bool:
    """Does it mean the same wherever a macro stands for it?"""
    if re.fullmatch(r"\w+", body):
        return True
    depth = 0
    for place, character in enumerate(body):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return character == ")" and place == len(body) - 1
    return False


def _evaluated(spelled: Mapping[str, str], known: Mapping[str, int]) -> dict[str, int]:
    """The values of those that are made of numbers and of known names only."""
    found: dict[str, int] = {}
    for name, body in spelled.items():
        if name in known or any(word not in known for word in _WORD.findall(_bare(body))):
            continue
        value = number_of(_bare(body), known.get)
        if value is not None:
            found[name] = value
    return found


def _bare(body: str) -> str:
    return _SUFFIX.sub(r"\1", body)


def unsigned_constants(texts: Iterable[str]) -> frozenset[str]:
    """Names of constants that a program's files declare with an unsigned type, or define by such
    numbers: `#define THREADS (WARPS * 32U)`, and what is defined by those."""
    found: set[str] = set()
    macros: list[tuple[str, set[str]]] = []
    for text in map(_each_alone, texts):
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
    definitions = _DEFINITION.findall(text)
    return {name: value for name, value in single.items() if definitions.count(name) <= 1}
