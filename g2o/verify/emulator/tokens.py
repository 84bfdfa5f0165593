"""Tokens of C++ source text, with their places, and the edits made between them.

Deliberately not libclang: the emulated source must not inherit a misreading of the translator's
frontend. The text is Latin-1, one character for one byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import final


class Kind(Enum):
    IDENTIFIER = "identifier"
    NUMBER = "number"
    TEXT = "text"  # string and character literals
    PUNCTUATION = "punctuation"


@final
@dataclass(frozen=True, slots=True)
class Token:
    """`text` stands at `[begin, end)`."""

    kind: Kind
    text: str
    begin: int
    end: int


@final
@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of source that is tokenised on its own.

    `directive` is the name of a preprocessor directive ("define", "include", ...) or "" for what
    lies between directives. Of a `#define`, the tokens are those of the replacement list.
    """

    directive: str
    begin: int
    end: int
    tokens: tuple[Token, ...]


@final
@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `[begin, end)` by `text`."""

    begin: int
    end: int
    text: str


_TOKEN = re.compile(
    r"""
    (?P<skip>\s+ | \\\r?\n | //(?:[^\n\\]|\\.|\\\n)* | /\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)")
  | (?P<text>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | [uUL]?'(?:[^'\\\n]|\\.)*')
  | (?P<identifier>[A-Za-z_$][\w$]*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<punctuation><<\s*<|\#\#|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!]=|<=|\.\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w*)(?:[^\n\\]|\\\r?\n|\\.|\\)*", re.DOTALL)
_DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+\w+(\([^)]*\))?", re.DOTALL)


def tokenize(text: str, begin: int, end: int) -> tuple[Token, ...]:
    """The tokens of `text[begin:end]`; comments and white space are left out."""
    tokens: list[Token] = []
    position = begin
    while position < end:
        found = _TOKEN.match(text, position, end)
        if found is None:  # an unterminated comment or literal: let the compiler say so
            break
        position = found.end()
        match found.lastgroup:
            case "identifier":
                kind = Kind.IDENTIFIER
            case "number":
                kind = Kind.NUMBER
            case "text" | "raw" | "mark":
                kind = Kind.TEXT
            case "punctuation":
                kind = Kind.PUNCTUATION
                if found.group().startswith("<<") and len(found.group()) > 2:
                    tokens.append(Token(kind, "<<<", found.start(), found.end()))
                    continue
            case _:
                continue
        tokens.append(Token(kind, found.group(), found.start(), found.end()))
    return tuple(tokens)


def _line_begins(text: str) -> Iterable[tuple[int, bool]]:
    """Begin of each logical line and whether a block comment or raw string is open there."""
    position = 0
    length = len(text)
    yield 0, False
    while position < length:
        found = _TOKEN.match(text, position)
        if found is None:
            return
        if found.lastgroup == "skip" and found.group()[0] not in "/\\":
            for offset, character in enumerate(found.group()):
                if character == "\n":
                    yield found.start() + offset + 1, False
        position = found.end()


def split_regions(text: str) -> tuple[Region, ...]:
    """Cut `text` into directives and the code between them, in order."""
    regions: list[Region] = []
    code_begin = 0
    skip_until = 0
    for begin, _ in _line_begins(text):
        if begin < skip_until:
            continue
        found = _DIRECTIVE.match(text, begin)
        if found is None:
            continue
        if code_begin < begin:
            regions.append(Region("", code_begin, begin, tokenize(text, code_begin, begin)))
        end = _end_of_directive(text, begin, found.end())
        body = begin
        if head := _DEFINE.match(text, begin, end):
            body = head.end()
        regions.append(Region(found.group(1), begin, end, tokenize(text, body, end)))
        code_begin = skip_until = end
    if code_begin < len(text):
        regions.append(Region("", code_begin, len(text), tokenize(text, code_begin, len(text))))
    return tuple(regions)


def _end_of_directive(text: str, begin: int, line_end: int) -> int:
    """A block comment that starts on a directive's line may end lines later."""
    comment = text.rfind("/*", begin, line_end)
    if comment >= 0 and text.find("*/", comment, line_end) < 0:
        slashes = text.rfind("//", begin, comment)
        if slashes < 0:
            close = text.find("*/", comment)
            following = text.find("\n", close) if close >= 0 else -1
            return following if following >= 0 else len(text)
    return line_end


def matching(tokens: Sequence[Token], index: int) -> int:
    """Index of the bracket that closes the one at `index`; `len(tokens)` when none does."""
    opening = tokens[index].text
    closing = {"(": ")", "[": "]", "{": "}"}[opening]
    depth = 0
    for at in range(index, len(tokens)):
        if tokens[at].text == opening:
            depth += 1
        elif tokens[at].text == closing:
            depth -= 1
            if depth == 0:
                return at
    return len(tokens)


def matching_back(tokens: Sequence[Token], index: int) -> int:
    """Index of the bracket that opens the one closed at `index`; -1 when none does."""
    closing = tokens[index].text
    opening = {")": "(", "]": "[", "}": "{"}[closing]
    depth = 0
    for at in range(index, -1, -1):
        if tokens[at].text == closing:
            depth += 1
        elif tokens[at].text == opening:
            depth -= 1
            if depth == 0:
                return at
    return -1


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with all edits made; an edit inside the range of an earlier one is an error."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.begin, edit.end)):
        if edit.begin < position:
            raise ValueError(f"overlapping edits at offset {edit.begin}")
        pieces.append(text[position : edit.begin])
        pieces.append(edit.text)
        position = edit.end
    pieces.append(text[position:])
    return "".join(pieces)
