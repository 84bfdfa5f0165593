"""Expansion of macro invocations in the text of a file, as the preprocessor would do it.

#define SWAP(a, b) { int t = a; a = b; b = t; }
SWAP(x, y)                    ->  { int t = x; x = y; y = t; }

Only chosen macros are expanded, at chosen places; all other text stays, and so do line numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import final

from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, lex
from g2o.frontend.cuda.macros import Macro

DefinitionAt = Callable[[str, int], Macro | None]
"""The macro that a name stands for at an offset, where it is one of those to expand."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s+")
_VARIADIC = "__VA_ARGS__"


@final
@dataclass(frozen=True, slots=True)
class Expansion:
    """`[begin, end)` of the original text and what stands in its place."""

    begin: int
    end: int
    text: str


@final
class ExpandedText:
    """A text with expansions in it; offsets lead back to the original."""

    __slots__ = ("_begins", "_shifts", "expansions", "original", "text")

    def __init__(self, original: str, expansions: Iterable[Expansion]) -> None:
        self.original = original
        self.expansions = tuple(sorted(expansions, key=lambda each: each.begin))
        pieces: list[str] = []
        self._begins: list[int] = []  # of each expansion, in the new text
        self._shifts: list[int] = []  # length of the new text minus the original's, behind each
        position = length = 0
        for each in self.expansions:
            kept = original[position : each.begin]
            pieces += [kept, each.text]
            self._begins.append(length + len(kept))
            length += len(kept) + len(each.text)
            position = each.end
            self._shifts.append(length - position)
        self.text = "".join(pieces) + original[position:]

    def original_offset(self, offset: int, *, at_end: bool = False) -> int:
        """Where `offset` of the new text is in the original; of a place inside an expansion, where
        the invocation begins, or ends."""
        index = bisect_right(self._begins, offset) - 1
        if index < 0:
            return offset
        each = self.expansions[index]
        begin = self._begins[index]
        if begin == offset or (begin < offset < begin + len(each.text)):
            return each.end if at_end and offset > begin else each.begin
        return offset - self._shifts[index]


def expand_within(
    lexed: LexedFile,
    ranges: Sequence[tuple[int, int]],
    definition_at: DefinitionAt,
    within: Callable[[str], Macro | None] | None = None,
) -> list[Expansion]:
    """The expansions of all invocations in the byte ranges of the file. `within` has the macros to
    expand in what others stand for, where those are not the same."""
    found: list[Expansion] = []
    tokens = lexed.code
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind is not TokenKind.IDENTIFIER or not _inside(token.begin, ranges):
            index += 1
            continue
        macro = definition_at(token.text, token.begin)
        end = None if macro is None else _invocation_end(lexed, index, macro)
        if macro is None or end is None:
            index += 1
            continue
        invoked = lexed.text[token.begin : tokens[end - 1].end]
        arguments = _arguments(lexed, index, end, macro)
        body = expand(macro, arguments, within or _defined_at(definition_at, token.begin))
        lines = "\n" * invoked.count("\n")
        found.append(Expansion(token.begin, tokens[end - 1].end, body + lines))
        index = end
    return found


def _defined_at(definition_at: DefinitionAt, place: int) -> Callable[[str], Macro | None]:
    return lambda name: definition_at(name, place)


def expand(
    macro: Macro, arguments: Sequence[str], definition: Callable[[str], Macro | None]
) -> str:
    """The body of `macro` with `arguments` in it, and the macros that it invokes expanded."""
    return _rescanned(_substituted(macro, arguments), definition, frozenset((macro.name,)))


def _rescanned(text: str, definition: Callable[[str], Macro | None], hidden: frozenset[str]) -> str:
    lexed = lex(text)
    tokens = lexed.code
    pieces: list[str] = []
    position = index = 0
    while index < len(tokens):
        token = tokens[index]
        macro = None
        if token.kind is TokenKind.IDENTIFIER and token.text not in hidden:
            macro = definition(token.text)
        end = None if macro is None else _invocation_end(lexed, index, macro)
        if macro is None or end is None:
            index += 1
            continue
        arguments = _arguments(lexed, index, end, macro)
        body = _substituted(macro, arguments)
        pieces.append(text[position : token.begin])
        pieces.append(_rescanned(body, definition, hidden | {macro.name}))
        position = tokens[end - 1].end
        index = end
    return "".join(pieces) + text[position:]


def _inside(offset: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(begin <= offset < end for begin, end in ranges)


def _invocation_end(lexed: LexedFile, index: int, macro: Macro) -> int | None:
    """Index behind the invocation at `index`; None where it is none, or has directives inside."""
    if macro.parameters is None:
        return index + 1
    tokens = lexed.code
    if index + 1 >= len(tokens) or tokens[index + 1].text != "(":
        return None
    closing = closing_bracket(tokens, index + 1)
    if closing is None:
        return None
    if any(index < directive.code_index <= closing for directive in lexed.directives):
        return None
    return closing + 1


def _arguments(lexed: LexedFile, index: int, end: int, macro: Macro) -> list[str]:
    """The arguments as text on one line, one for each parameter."""
    if macro.parameters is None:
        return []
    tokens = lexed.code
    ranges = split_at_commas(tokens, index + 2, end - 1)
    named = len(macro.parameters)
    if macro.parameters and macro.parameters[-1] == "..." and len(ranges) > named:
        ranges = [*ranges[: named - 1], (ranges[named - 1][0], ranges[-1][1])]
    texts = [_text(lexed.text, tokens[begin:stop]) for begin, stop in ranges]
    return texts + [""] * (named - len(texts))


def _text(text: str, tokens: Sequence[Token]) -> str:
    if not tokens:
        return ""
    spelled = text[tokens[0].begin : tokens[-1].end]
    return _SPACE.sub(" ", _COMMENT.sub(" ", spelled)) if "\n" in spelled else spelled


def _substituted(macro: Macro, arguments: Sequence[str]) -> str:
    """The body with its parameters replaced, `#` and `##` carried out."""
    names = [_VARIADIC if name == "..." else name for name in macro.parameters or ()]
    values = dict(zip(names, arguments, strict=False))
    pieces: list[str] = []
    body = macro.body
    index = 0
    while index < len(body):
        token = body[index]
        if index and token.begin > body[index - 1].end:
            pieces.append(" ")
        if token.text == "#" and index + 1 < len(body) and body[index + 1].text in values:
            pieces.append(_quoted(values[body[index + 1].text]))
            index += 2
            continue
        if token.text == "##":
            while pieces and not pieces[-1].strip():
                pieces.pop()
            following = body[index + 1] if index + 1 < len(body) else None
            if following is not None:
                value = values.get(following.text, following.text)
                if following.text == _VARIADIC and not value and pieces and pieces[-1] == ",":
                    pieces.pop()
                pieces.append(value)
            index += 2
            continue
        pieces.append(values.get(token.text, token.text))
        index += 1
    return "".join(pieces)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
