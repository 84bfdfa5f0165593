"""Lambdas that name shared memory. It is static in CUDA, so that no lambda captures it, and
what stands for it in the emulation is captured by reference:

    [=](int i) { return x + tile[i]; }   ->   [=, &tile](int i) { return x + tile[i]; }
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from g2o.verify.emulator.scopes import FunctionBody
from g2o.verify.emulator.tokens import Edit, Kind, Token, matching

_BEFORE_AN_OPERAND = {"return", "co_return", "co_yield", "case", "else", "do"}
_NOT_IN_HEADS = {"{", "}", ";", ")", "]", "=", ":"}  # of lambdas, apart from parameters
_BEFORE_A_MEMBER = {".", "->", "::"}


def block_around(tokens: Sequence[Token], at: int) -> range:
    """The indices in the braces around `tokens[at]`."""
    depth = 0
    for index in range(at - 1, -1, -1):
        if tokens[index].text == "}":
            depth += 1
        elif tokens[index].text == "{":
            if depth == 0:
                return range(index, matching(tokens, index))
            depth -= 1
    return range(len(tokens))


def capture_by_reference(
    tokens: Sequence[Token], body: FunctionBody, places: Mapping[str, Sequence[range]]
) -> Iterator[Edit]:
    """The edits of the lambdas in a function: `places` are those where a name is shared memory."""
    for at in range(body.open, body.close):
        if not _begins_lambda(tokens, at):
            continue
        end = matching(tokens, at)
        listed = tokens[at + 1 : end]
        opening = _opening(tokens, end, body.close)
        if opening is None or _captures_all_by_reference(listed):
            continue
        used = _names(tokens[opening : matching(tokens, opening)])
        there = {token.text for token in tokens[at:opening]}
        wanted = [
            name
            for name, known in places.items()
            if name in used
            and name not in there
            and any(at in place for place in known)
            and not _is_hidden(tokens, name, at, known)
        ]
        if wanted:
            place = tokens[end].begin
            before = ", " if listed else ""
            yield Edit(place, place, before + ", ".join(f"&{name}" for name in wanted))


def _is_hidden(tokens: Sequence[Token], name: str, at: int, known: Sequence[range]) -> bool:
    """Does a declaration in a block around `tokens[at]`, `int s = 5;`, hide the shared `name`,
    which is known at these places?"""
    first = max(place.start for place in known if at in place)
    return any(
        tokens[index].text == name
        and _is_declared(tokens, index)
        and at in block_around(tokens, index)
        for index in range(first + 1, at)
    )


def _is_declared(tokens: Sequence[Token], index: int) -> bool:
    before, behind = tokens[index - 1], tokens[index + 1].text
    typed = before.kind is Kind.IDENTIFIER and before.text not in _BEFORE_AN_OPERAND
    return typed and behind in ("=", ";", "{", "[", ",")


def _begins_lambda(tokens: Sequence[Token], at: int) -> bool:
    """Is it a `[` that no operand stands in front of, and no attribute?"""
    if tokens[at].text != "[" or tokens[at + 1].text == "[" or tokens[at - 1].text == "[":
        return False
    before = tokens[at - 1]
    if before.kind is Kind.PUNCTUATION:
        return before.text not in (")", "]")
    return before.text in _BEFORE_AN_OPERAND


def _opening(tokens: Sequence[Token], end: int, last: int) -> int | None:
    """The `{` of the body of a lambda whose captures end there."""
    at = end + 1
    while at < last and tokens[at].text not in _NOT_IN_HEADS:
        at = matching(tokens, at) + 1 if tokens[at].text == "(" else at + 1
    return at if at < last and tokens[at].text == "{" else None


def _captures_all_by_reference(listed: Sequence[Token]) -> bool:
    texts = [token.text for token in listed[:2]]
    return texts == ["&"] or texts == ["&", ","]


def _names(tokens: Sequence[Token]) -> set[str]:
    """The identifiers that are no members."""
    return {
        token.text
        for before, token in zip(tokens, tokens[1:], strict=False)
        if token.kind is Kind.IDENTIFIER and before.text not in _BEFORE_A_MEMBER
    }
