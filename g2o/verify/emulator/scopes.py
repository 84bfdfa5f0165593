"""Which function body a token stands in, from brackets alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from g2o.verify.emulator.tokens import Kind, Token, matching, matching_back

_TRANSPARENT = {"namespace", "struct", "class", "union", "extern"}
_AFTER_PARAMETERS = {"const", "noexcept", "override", "final", "volatile"}


@final
@dataclass(frozen=True, slots=True)
class FunctionBody:
    """`tokens[open]` is the `{` of the body; `tokens[head]` the first token of the declaration."""

    head: int
    open: int
    close: int


def function_bodies(tokens: Sequence[Token]) -> list[FunctionBody]:
    """The bodies of the functions that are not inside other functions, in order."""
    bodies: list[FunctionBody] = []
    head = at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in ";}" or (
            token.text == ":"
            and at > 0
            and tokens[at - 1].text in ("public", "private", "protected")
        ):
            head = at + 1
        elif token.text == "{":
            close = matching(tokens, at)
            if close < len(tokens) and _opens_function(tokens, head, at):
                bodies.append(FunctionBody(head, at, close))
                at = close
                head = at + 1
            elif tokens[at - 1].text != "=" and not _TRANSPARENT.isdisjoint(
                t.text for t in tokens[head:at]
            ):
                head = at + 1
            else:
                at = close
        at += 1
    return bodies


def _opens_function(tokens: Sequence[Token], head: int, at: int) -> bool:
    before = at - 1
    while before > head and tokens[before].text in _AFTER_PARAMETERS:
        before -= 1
    if before <= head:
        return False
    if tokens[before].text == ")":
        return matching_back(tokens, before) > head
    # A constructor's initialiser list may end in `}` or `)`; a trailing return type in a name.
    texts = [token.text for token in tokens[head:at]]
    return "->" in texts and ")" in texts


def parameter_names(tokens: Sequence[Token], body: FunctionBody) -> set[str]:
    """Every identifier between the declaration's start and its body: a superset of parameters."""
    return {t.text for t in tokens[body.head : body.open] if t.kind is Kind.IDENTIFIER}
