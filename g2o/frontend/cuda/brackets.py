"""Matching brackets and argument lists in a row of tokens.

All functions take the tokens and an index into them and scan from there, so that an imbalance
elsewhere in the file (the two branches of an `#if` each with its own `{`) does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2o.frontend.cuda.lexer import Token, TokenKind

_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {closing: opening for opening, closing in _OPENING.items()}
_ENDS_TEMPLATE_ARGUMENTS = frozenset((";", "{", "}", "&&", "||", "<<<", "?"))
_FOLLOWS_TEMPLATE_ARGUMENTS = frozenset(("(", "::", "{", ",", ")", ">", "[", "..."))


def closing_bracket(tokens: Sequence[Token], index: int) -> int | None:
    """Index of the bracket that closes the one at `index`."""
    depth = 0
    for position in range(index, len(tokens)):
        text = tokens[position].text
        if text in _OPENING:
            depth += 1
        elif text in _CLOSING:
            depth -= 1
            if depth == 0:
                return position
    return None


def opening_bracket(tokens: Sequence[Token], index: int) -> int | None:
    """Index of the bracket that opens what the one at `index` closes."""
    depth = 0
    for position in range(index, -1, -1):
        text = tokens[position].text
        if text in _CLOSING:
            depth += 1
        elif text in _OPENING:
            depth -= 1
            if depth == 0:
                return position
    return None


def closing_angle(tokens: Sequence[Token], index: int) -> int | None:
    """Index of the `>` that ends the template argument list opened by the `<` at `index`."""
    depth, position = 0, index
    while position < len(tokens):
        text = tokens[position].text
        if text in ("(", "["):
            closing = closing_bracket(tokens, position)
            if closing is None:
                return None
            position = closing
        elif text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
            if depth == 0:
                return position
        elif text in (")", "]") or text in _ENDS_TEMPLATE_ARGUMENTS:
            return None
        position += 1
    return None


def opening_angle(tokens: Sequence[Token], index: int) -> int | None:
    """Index of the `<` whose template argument list the `>` at `index` ends."""
    depth, position = 0, index
    while position >= 0:
        text = tokens[position].text
        if text in (")", "]"):
            opening = opening_bracket(tokens, position)
            if opening is None:
                return None
            position = opening
        elif text == ">":
            depth += 1
        elif text == "<":
            depth -= 1
            if depth == 0:
                return position
        elif text in ("(", "[") or text in _ENDS_TEMPLATE_ARGUMENTS:
            return None
        position -= 1
    return None


def split_at_commas(tokens: Sequence[Token], begin: int, end: int) -> list[tuple[int, int]]:
    """The arguments in `tokens[begin:end]` as index ranges; none when the range is empty.

    `name<a, b>(c)` is one argument: a `<` behind a name opens template arguments when a `>` closes
    it in front of something that can follow a template-id.
    """
    if begin == end:
        return []
    arguments: list[tuple[int, int]] = []
    start = position = begin
    while position < end:
        text = tokens[position].text
        if text in _OPENING:
            closing = closing_bracket(tokens, position)
            position = end if closing is None else min(closing, end)
        elif text == "<" and position > begin:
            position = _end_of_template_id(tokens, position, end)
        elif text == ",":
            arguments.append((start, position))
            start = position + 1
        position += 1
    arguments.append((start, end))
    return arguments


def _end_of_template_id(tokens: Sequence[Token], index: int, end: int) -> int:
    """Index of the closing `>` when the `<` at `index` opens template arguments, else `index`."""
    if tokens[index - 1].kind is not TokenKind.IDENTIFIER:
        return index
    closing = closing_angle(tokens, index)
    if closing is None or closing >= end:
        return index
    if closing + 1 == end or tokens[closing + 1].text in _FOLLOWS_TEMPLATE_ARGUMENTS:
        return closing
    return index
