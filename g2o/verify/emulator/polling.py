"""Loops that wait for a `volatile` variable have to let other CUDA threads run.

    while (flags[b] == 0);   ->   while (g2o_emulator::polled() && (flags[b] == 0));

`polled()` is true and now and then switches to another thread. Every loop of a function is treated
so when its file says `volatile` anywhere; loops over atomics need nothing, atomics switch. Those
of a directive of OpenMP are the host's, and keep the form that it asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from g2o.verify.emulator.scopes import function_bodies
from g2o.verify.emulator.tokens import Edit, Kind, Token, matching

_TYPES = {"auto", "bool", "const", "double", "float", "int", "long", "short", "size_t", "unsigned"}
_POLLED = "g2o_emulator::polled()"
_DIRECTIVE: Final = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b", re.MULTILINE)


def rewrite_polling(text: str, tokens: Sequence[Token]) -> Iterator[Edit]:
    """The edits for all loop conditions, if there is something volatile."""
    if not any(token.text == "volatile" for token in tokens):
        return
    for body in function_bodies(tokens):
        if any(token.text == "constexpr" for token in tokens[body.head : body.open]):
            continue
        for at in range(body.open, min(body.close, len(tokens) - 1)):
            if tokens[at + 1].text != "(":
                continue
            close = matching(tokens, at + 1)
            if close >= len(tokens):
                continue
            if tokens[at].text == "while":
                yield from _condition(tokens, at + 2, close)
            elif tokens[at].text == "for" and not _DIRECTIVE.search(
                text, tokens[at - 1].end, tokens[at].begin
            ):
                yield from _for_condition(tokens, at + 2, close)


def _condition(tokens: Sequence[Token], first: int, end: int) -> Iterator[Edit]:
    """Guard the condition `tokens[first:end]`, unless it declares a variable or is a literal 0."""
    if first == end:
        return
    declares = tokens[first].text in _TYPES or (
        first + 1 < end and tokens[first].kind is tokens[first + 1].kind is Kind.IDENTIFIER
    )
    if declares or tokens[first].text in ("0", "false"):
        return
    yield Edit(tokens[first].begin, tokens[first].begin, f"{_POLLED} && (")
    yield Edit(tokens[end - 1].end, tokens[end - 1].end, ")")


def _for_condition(tokens: Sequence[Token], first: int, end: int) -> Iterator[Edit]:
    semicolons: list[int] = []
    at = first
    while at < end:
        if tokens[at].text in ("(", "[", "{"):
            at = matching(tokens, at)
        elif tokens[at].text == ";":
            semicolons.append(at)
        at += 1
    if len(semicolons) != 2:
        return
    begin, stop = semicolons
    if begin + 1 == stop:
        yield Edit(tokens[stop].begin, tokens[stop].begin, f" {_POLLED}")
    else:
        yield from _condition(tokens, begin + 1, stop)
