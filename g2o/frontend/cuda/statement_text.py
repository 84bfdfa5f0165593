"""What only the text of a statement tells: its comments, how an initialiser is spelled."""

from __future__ import annotations

import re

from g2o.ir.statements import Trivia

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)", re.DOTALL)
_AFTER_ON_LINE = re.compile(r"[ \t]*(//[^\n]*|/\*[^\n]*?\*/(?=[ \t]*(?:\n|$)))")


def initial_style(text: str, name_end: int, initial: int, end: int) -> tuple[str, int]:
    """How an initialiser is attached, and where what belongs to the declarator ends."""
    depth = 0
    attributes = [one.span() for one in _ATTRIBUTE.finditer(text, name_end, end)]
    for position in range(name_end, end):
        if any(begin <= position < behind for begin, behind in attributes):
            continue
        character = text[position]
        if character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
        elif depth == 0 and character in "=({":
            return character, position
        if position >= initial:
            break
    return "", end


def header_semicolons(text: str, begin: int) -> tuple[int, int]:
    """Offsets of the two semicolons in the header of the `for` at `begin`."""
    position = text.find("(", begin) + 1
    depth = 1
    found: list[int] = []
    while position < len(text) and depth > 0 and len(found) < 2:
        character = text[position]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == ";" and depth == 1:
            found.append(position)
        elif text.startswith(("//", "/*"), position):
            match = _COMMENT.match(text, position)
            position = match.end() - 1 if match else position
        elif character in "\"'":
            closing = re.compile(rf"{character}(?:[^{character}\\]|\\.)*{character}")
            match = closing.match(text, position)
            position = match.end() - 1 if match else position
        position += 1
    while len(found) < 2:
        found.append(len(text))
    return found[0], found[1]


def read_trivia(text: str, begin: int, statement: int, end: int, first: bool = False) -> Trivia:
    """Comments between the end of the last statement and `statement`, and behind it on its line.

    A comment on the line where the last statement ended belongs to that one; what stands behind the
    brace belongs to the `first` statement.
    """
    gap = text[begin:statement] if begin <= statement else ""
    own_line = _AFTER_ON_LINE.match(text, begin) if begin > 0 else None
    if own_line and own_line.end() <= statement and not first:
        gap = text[own_line.end() : statement]
    before = tuple(match.group() for match in _COMMENT.finditer(gap))
    after = _AFTER_ON_LINE.match(text, end)
    lines_between = re.sub(_COMMENT, "", gap).count("\n")
    blank = bool(re.search(r"\n[ \t\r]*\n", gap)) and lines_between > 1
    return Trivia(before, after.group(1) if after else "", blank)
