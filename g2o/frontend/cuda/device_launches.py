"""Launches in code of the device, which clang does not parse (CUDA's dynamic parallelism).

clang is given a text of the same length, in which such a launch is an expression with commas:

    child<T><<<grid, block, bytes>>>(x, n);      other<<<grid, block>>>();
    0       ,((grid, block, bytes)),(x, n);      0    ,((grid, block)), 0;

so that what is launched, and how, is read in its scopes, with its types and at its places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.launch_syntax import Launch, parse_launches
from g2o.frontend.cuda.lexer import Token, lex

_OPENING = re.compile(r"<<[ \t]*<")
_NOT_BLANK = re.compile(r"[^\s]")
_ENDS_HEAD = frozenset((";", "}"))


@lru_cache(maxsize=8)
def device_launches(source: SourceFile) -> dict[int, Launch]:
    """The launches that stand in functions for the device alone, by the offset of what they
    launch. Those in bodies of macros are none of them."""
    if _OPENING.search(source.text) is None:
        return {}
    found = [one for one in parse_launches(source)[0] if one.stream.macro is None]
    found = [one for one in found if one.configuration]
    if not found:
        return {}
    bodies = tuple(_device_bodies(lex(source.text).code))
    begins = ((one.tokens[one.callee].begin, one) for one in found)
    return {at: one for at, one in begins if any(begin < at < end for begin, end in bodies)}


def _device_bodies(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The braces, as ranges of offsets, behind heads that say `__global__`, or `__device__` and
    not `__host__`."""
    opened: list[int | None] = []
    words: set[str] = set()
    for token in tokens:
        if token.text == "{":
            is_device = "__global__" in words or ("__device__" in words and "__host__" not in words)
            opened.append(token.begin if is_device else None)
        elif token.text == "}" and opened:
            begin = opened.pop()
            if begin is not None:
                yield begin, token.end
        if token.text == "{" or token.text in _ENDS_HEAD:
            words = set()
        else:
            words.add(token.text)


def as_expressions(source: SourceFile, text: str) -> str:
    """`text`, which is that of the source or as long, with its launches on the device as
    expressions."""
    for launch in device_launches(source).values():
        tokens = launch.tokens
        callee, opening = tokens[launch.callee], tokens[launch.opening]
        first, last = tokens[launch.closing], tokens[launch.closing + 2]
        parts = [
            (callee.begin, opening.begin, "0"),
            (opening.begin, opening.end, ",(("),
            (first.begin, last.end, ")),"),
        ]
        if not launch.arguments:
            bracket, end = tokens[launch.closing + 3], tokens[launch.end]
            parts += [(bracket.begin, bracket.end, ""), (end.begin, end.end, "0")]
        for begin, end, instead in parts:
            blank = _NOT_BLANK.sub(" ", text[begin + len(instead) : end])
            text = text[:begin] + instead + blank + text[end:]
    return text
