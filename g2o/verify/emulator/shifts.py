"""Shifts in device code by what is not a literal: counts of the width or more shift everything out.

    word << (32 - bit)   ->   word << g2o_emulator::shift_count((32 - bit))

That is what a GPU does. `>>` may as well close template arguments, and a macro may be for the
preprocessor: only counts that begin as above are taken there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.verify.emulator.scopes import function_bodies
from g2o.verify.emulator.tokens import Edit, Kind, Token, matching

_DEVICE = {"__device__", "__global__"}
_WIDTHS = {"32", "64", "32u", "64u", "32U", "64U"}
_LOWER = {"<", ">", "<=", "==", "!=", "&", "^", "|", "&&", "||", "?", ":", "=", "<<<"}
_ENDS = {";", ",", ")", "]", "}"}
_OPEN, _CLOSE = "g2o_emulator::shift_count(", ")"


def rewrite_shifts(
    tokens: Sequence[Token], taken: Sequence[Edit], in_macro: bool
) -> Iterator[Edit]:
    """The edits for all shifts of device functions that lie outside of other edits, `taken`; or for
    those of the definition of a macro."""
    if in_macro:
        yield from _in_range(tokens, 0, len(tokens), taken, in_macro=True)
        return
    for body in function_bodies(tokens):
        if not _DEVICE.isdisjoint(token.text for token in tokens[body.head : body.open]):
            close = min(body.close, len(tokens))
            yield from _in_range(tokens, body.open + 1, close, taken, in_macro=False)


def _in_range(
    tokens: Sequence[Token], begin: int, close: int, taken: Sequence[Edit], in_macro: bool
) -> Iterator[Edit]:
    for at in range(begin, close - (not in_macro)):
        first = _after_operator(tokens, at)
        end = None if first is None else _end_of_count(tokens, at, first, close, in_macro)
        if first is None or end is None or (in_macro and not _is_difference(tokens, first)):
            continue
        start, stop = tokens[first].begin, tokens[end - 1].end
        if not any(edit.begin < stop and start < edit.end for edit in taken):
            yield Edit(start, start, _OPEN)
            yield Edit(stop, stop, _CLOSE)


def _after_operator(tokens: Sequence[Token], at: int) -> int | None:
    """What follows `<<`, `<<=`, `>>` or `>>=`, which are several tokens each; a `<<<` is one."""
    if tokens[at].text == "<<<":
        return None
    spelled = ""
    end = at
    while end < len(tokens) and end < at + 3 and tokens[end].begin == tokens[at].begin + end - at:
        spelled += tokens[end].text
        end += 1
    for operator, count in (("<<=", 2), (">>=", 3), ("<<", 2), (">>", 2)):
        if spelled.startswith(operator):
            return at + count
    return None


def _end_of_count(
    tokens: Sequence[Token], at: int, first: int, close: int, in_macro: bool
) -> int | None:
    """Where the count that begins at `first` ends; None where there is none to be rewritten. That
    of a macro may end with it."""
    if tokens[at].text == ">" and not _is_difference(tokens, first):
        return None
    stops = _ENDS if "=" in tokens[first - 1].text else _ENDS | _LOWER
    if first >= close or tokens[first].text in _ENDS | _LOWER:
        return None
    end = first
    while end < close and tokens[end].text not in stops:
        if tokens[end].text in ("(", "[", "{"):
            end = matching(tokens, end)
        end += 1
    is_literal = end == first + 1 and tokens[first].kind is not Kind.IDENTIFIER
    return None if end >= close + in_macro or is_literal else end


def _is_difference(tokens: Sequence[Token], at: int) -> bool:
    """`32 - ...`, perhaps in a parenthesis?"""
    if tokens[at].text == "(":
        at += 1
    return at + 1 < len(tokens) and tokens[at].text in _WIDTHS and tokens[at + 1].text == "-"
