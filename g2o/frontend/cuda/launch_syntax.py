"""Launches as tokens: where each begins and ends, and what it launches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import (
    closing_bracket,
    opening_angle,
    opening_bracket,
    split_at_commas,
)
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, adjacent, lex
from g2o.frontend.cuda.macros import TokenStream, streams

_NOT_CALLEES = frozenset(
    ("return", "else", "do", "case", "throw", "co_return", "if", "while", "for", "switch")
)


@final
@dataclass(frozen=True, slots=True)
class Launch:
    """A launch as token indices: what `LaunchSite` is made from and edits are computed from.

    `opening` is the `<<<`, `closing` the first `>` of `>>>`; `configuration` and `arguments` are
    index ranges. The argument list opens at `closing + 3` and ends at `end`.
    """

    stream: TokenStream
    callee: int
    opening: int
    configuration: tuple[tuple[int, int], ...]
    closing: int
    arguments: tuple[tuple[int, int], ...]
    end: int

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.stream.tokens

    @property
    def name_index(self) -> int | None:
        """Index of the callee's unqualified name, where it is a plain or qualified name."""
        last = self.opening - 1
        if self.tokens[last].text == ">":
            angle = opening_angle(self.tokens, last)
            last = -1 if angle is None else angle - 1
        if last < self.callee or self.tokens[last].kind is not TokenKind.IDENTIFIER:
            return None
        before = self.tokens[last - 1].text if last > self.callee else ""
        return last if before in ("", "::", "template") else None


@lru_cache(maxsize=8)
def parse_launches(source: SourceFile) -> tuple[tuple[Launch, ...], tuple[Diagnostic, ...]]:
    """Every launch of the file in order, and an error for each `<<<` that is not understood."""
    found: list[Launch] = []
    faults: list[Diagnostic] = []
    lexed = lex(source.text)
    for stream in streams(lexed):
        for index, token in enumerate(stream.tokens):
            if token.text != "<<<":
                continue
            launch = launch_at(stream, index)
            if launch is None or _has_directives(lexed, launch):
                span = SourceSpan(source, token.begin, token.end)
                faults.append(error("G2O0201", "this kernel launch is not understood", span))
            else:
                found.append(launch)
    found.sort(key=lambda launch: launch.tokens[launch.opening].begin)
    return tuple(found), tuple(faults)


def _has_directives(lexed: LexedFile, launch: Launch) -> bool:
    """Does it depend on conditions of the preprocessor where it begins or ends?"""
    if launch.stream.macro is not None:
        return False
    begin, end = launch.tokens[launch.callee].begin, launch.tokens[launch.closing + 3].end
    return any(begin < one.begin < end for one in lexed.directives)


def launch_at(stream: TokenStream, opening: int) -> Launch | None:
    """The launch of which the `<<<` is the token at `opening`; None where it is not understood."""
    tokens = stream.tokens
    callee = _callee_begin(tokens, opening)
    closing = _launch_closing(tokens, opening + 1)
    if callee is None or closing is None:
        return None
    end = closing_bracket(tokens, closing + 3)
    if end is None:
        return None
    return Launch(
        stream,
        callee,
        opening,
        tuple(split_at_commas(tokens, opening + 1, closing)),
        closing,
        tuple(split_at_commas(tokens, closing + 4, end)),
        end,
    )


def _launch_closing(tokens: Sequence[Token], index: int) -> int | None:
    """Index of the first `>` of the `>>>` that closes a launch configuration."""
    opening = tokens[index - 1]
    is_spaced = opening.end - opening.begin > len(opening.text)
    position = index
    while position < len(tokens):
        text = tokens[position].text
        if text in ("(", "[", "{"):
            closing = closing_bracket(tokens, position)
            if closing is None:
                return None
            position = closing
        elif text in (")", "]", "}", ";"):
            return None
        elif text == ">" and _closes_here(tokens, position, is_spaced):
            return position
        position += 1
    return None


def _closes_here(tokens: Sequence[Token], index: int, is_spaced: bool) -> bool:
    """Whether `tokens[index:]` starts with `>>>(`, or with `>> >(` when the launch `is_spaced`."""
    return (
        index + 3 < len(tokens)
        and [token.text for token in tokens[index : index + 4]] == [">", ">", ">", "("]
        and adjacent(tokens[index], tokens[index + 1])
        and (is_spaced or adjacent(tokens[index + 1], tokens[index + 2]))
    )


def _callee_begin(tokens: Sequence[Token], opening: int) -> int | None:
    """Index of the first token of the postfix expression that ends in front of `opening`."""
    last = opening - 1
    while last >= 0:
        token = tokens[last]
        if token.text == ">":
            angle = opening_angle(tokens, last)
            if angle is None:
                return None
            last = angle - 1
            continue
        if token.text in (")", "]"):
            bracket = opening_bracket(tokens, last)
            if bracket is None:
                return None
            if bracket == 0 or not _ends_operand(tokens[bracket - 1]):
                return bracket if token.text == ")" else None
            last = bracket - 1
            continue
        if token.kind is not TokenKind.IDENTIFIER or token.text in _NOT_CALLEES:
            return None
        if last > 0 and tokens[last - 1].text == "template":
            last -= 1
        before = tokens[last - 1].text if last > 0 else ""
        if before == "::" and (last < 2 or not _ends_operand(tokens[last - 2])):
            return last - 1
        if before not in ("::", ".", "->", "##"):
            return last
        last -= 2
    return None


def _ends_operand(token: Token) -> bool:
    if token.kind is TokenKind.IDENTIFIER:
        return token.text not in _NOT_CALLEES
    return token.text in (">", "]")
