"""Literals in the bodies of macros, which libclang places at the call of the macro.

    #define HEIGHT 16              x * HEIGHT    the literal is spelled HEIGHT
    #define HALF (1.0f / 2.0f)     x * HALF      its literals are spelled 1.0f and 2.0f
    #define AREA(r) (M_PI * (r))   AREA(x)       its literal is spelled 3.141592653589793

What an expression in a macro is made of may be printed without the rest of the macro, so a literal
has the name of a macro only where the macro stands for nothing but the literal.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import Final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.macros import Macro
from g2o.frontend.cuda.unit import SourceUnit

_NUMBER: Final = re.compile(r"\.?\d(?:[eEpP][+-]|[\w.'])*")
_CHARACTER: Final = re.compile(r"(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_BOOLEANS: Final = ("true", "false")
_VALUES: Final = frozenset(
    {"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR"}
)
# Macros of the C library that are more than a literal.
_LOWEST: Final = re.compile(r"(?:SCHAR|CHAR|SHRT|INT|LONG|LLONG|INT(?:MAX|PTR|_\w+)?\d*)_MIN")
_FLOAT_DIGITS: Final = range(6, 10)  # 9 say which float it is


def text_in_macro(unit: SourceUnit, cursor: Cursor, text: str) -> str:
    """How a literal is spelled in a macro, where `text` stands in the place that it has; `text`
    for all that is no literal of a macro."""
    if cursor.kind not in _VALUES or _is_literal(text):
        return text
    token = cursor.first_token
    if _NAME.fullmatch(text) and not _is_called(unit, cursor):
        whole = _is_alone(unit, text, token)
        if whole or (whole is None and not _LOWEST.fullmatch(text)):
            return text
    if _is_literal(token):
        return token
    value = _evaluated(cursor)
    return text if value is None else value


def _is_literal(text: str) -> bool:
    found = _NUMBER.fullmatch(text) or _CHARACTER.fullmatch(text)
    return found is not None or text in _BOOLEANS


def _is_called(unit: SourceUnit, cursor: Cursor) -> bool:
    """Does the place of the literal name a macro with arguments?"""
    text = unit.file_of(cursor).text
    found = _NAME.match(text, cursor.begin)
    return found is not None and text[found.end() :].lstrip()[:1] == "("


def _is_alone(unit: SourceUnit, name: str, token: str) -> bool | None:
    """Is the macro `name` nothing but the literal? None for macros of no file of the program."""
    seen: set[str] = set()
    while name not in seen and (found := unit.macros_named(name)):
        seen.add(name)
        bodies = {_bare(macro) for macro in found}
        if (token,) in bodies:
            return all(len(body) <= 1 for body in bodies)
        others = {body[0] for body in bodies if len(body) == 1}
        if len(others) != 1 or len(bodies) != 1:
            return False
        name = others.pop()
    if name in seen:
        return False
    body = _defined_by_flags(unit.parsed.arguments, name)
    return None if body is None else _is_literal(body.strip("() "))


def _defined_by_flags(arguments: Sequence[str], name: str) -> str | None:
    """The body of a macro that the command line defines."""
    for before, argument in zip(("", *arguments), arguments, strict=False):
        found = argument if before == "-D" else argument.removeprefix("-D")
        if found.startswith(f"{name}=") and (before == "-D" or argument.startswith("-D")):
            return found.removeprefix(f"{name}=")
    return None


def _bare(macro: Macro) -> tuple[str, ...]:
    """The body without the parentheses around it."""
    body = tuple(token.text for token in macro.body)
    while len(body) > 2 and body[0] == "(" and body[-1] == ")" and "(" not in body[1:-1]:
        body = body[1:-1]
    return body


def _evaluated(cursor: Cursor) -> str | None:
    """The value of a literal whose text is in no file of the program."""
    if cursor.kind == "FLOATING_LITERAL":
        value = cursor.evaluate_floating()
        if value is None:
            return None
        return f"{_shortest(value)}f" if cursor.type.spelling == "float" else repr(value)
    whole = cursor.evaluate_integer()
    if whole is None:
        return None
    if cursor.kind == "CXX_BOOL_LITERAL_EXPR":
        return _BOOLEANS[0] if whole else _BOOLEANS[1]
    suffixes = {"unsigned int": "u", "long": "l", "unsigned long": "ul", "long long": "ll"}
    return f"{whole}{suffixes.get(cursor.type.spelling, '')}"


def _shortest(value: float) -> str:
    """The fewest digits that say which float it is."""
    texts = [f"{value:.{digits}g}" for digits in _FLOAT_DIGITS]
    text = next((one for one in texts if _as_float(one) == value), texts[-1])
    return text if re.search(r"[.en]", text) else f"{text}.0"


def _as_float(text: str) -> float:
    return float(struct.unpack("f", struct.pack("f", float(text)))[0])
