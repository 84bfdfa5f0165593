"""Parameter packs of function templates, as far as an instance can do without them.

template <class F, class... A> __global__ void apply(F f, A... a) { f(sizeof...(a), a...); }

    template <> __global__ void apply<Sum, float, int>(Sum f, float a1, int a2) { f(2, a1, a2); }
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.lexer import TokenKind, lex
from g2o.ir.types import declarator

_OPENING = frozenset("(,{")
_CLOSING = ([")"], [","], ["}"])


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A range of the text; `comma` is where the comma in front of it stands, if one does."""

    begin: int
    end: int
    comma: int | None


@final
@dataclass(frozen=True, slots=True)
class PackUses:
    """Where the parameter of a pack is declared, expanded to a list, and counted."""

    name: str
    declared: Place
    expanded: tuple[Place, ...]
    counted: tuple[Place, ...]
    identifiers: frozenset[str]

    def edits(self, types: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """What is written in their places where the pack stands for `types`."""
        names = list(self._names(len(types)))
        declared = ", ".join(map(declarator, types, names))
        listed = [(place, ", ".join(names)) for place in self.expanded]
        for place, text in ((self.declared, declared), *listed):
            begin = place.begin if text or place.comma is None else place.comma
            yield begin, place.end, text
        for place in self.counted:
            yield place.begin, place.end, str(len(types))

    def _names(self, count: int) -> Iterator[str]:
        number = 0
        for _ in range(count):
            number += 1
            while f"{self.name}{number}" in self.identifiers:
                number += 1
            yield f"{self.name}{number}"


def pack_uses(cursor: Cursor, text: str, pack: str, head_end: int) -> PackUses | None:
    """The uses of the type pack of a function template; None where it is used in other ways, or
    where the function has no parameter for it."""
    declaration = re.compile(rf"{pack}\s*\.\.\.\s*(\w+)")
    named = [one for one in cursor.children if one.kind == "PARM_DECL"]
    found = declaration.fullmatch(text[named[-1].begin : named[-1].end]) if named else None
    if found is None:
        return None
    name, begin, end = found[1], named[-1].begin, named[-1].end
    tokens = [one for one in lex(text).code if head_end <= one.begin < cursor.end]
    expanded: list[Place] = []
    counted: list[Place] = []
    declared: Place | None = None
    position = 0
    while position < len(tokens):
        token = tokens[position]
        comma = tokens[position - 1] if position and tokens[position - 1].text == "," else None
        before = None if comma is None else comma.begin
        behind = [one.text for one in tokens[position + 1 : position + 4]]
        if token.begin == begin:
            declared = Place(begin, end, before)
            while position < len(tokens) and tokens[position].begin < end:
                position += 1
            continue
        if token.text == "sizeof" and behind[:2] == ["...", "("] and behind[2:] in ([name], [pack]):
            last = tokens[position + 4]
            counted.append(Place(token.begin, last.end, None))
            position += 5
            continue
        alone = tokens[position - 1].text in _OPENING and behind[1:2] in _CLOSING
        if token.text == name and behind[:1] == ["..."] and alone:
            expanded.append(Place(token.begin, tokens[position + 1].end, before))
            position += 2
            continue
        if token.text in (name, pack):
            return None
        position += 1
    if declared is None:
        return None
    words = frozenset(one.text for one in tokens if one.kind is TokenKind.IDENTIFIER)
    return PackUses(name, declared, tuple(expanded), tuple(counted), words)
