"""Between which numbers the elements of constant arrays lie: `__constant__ int CX[3] = {0, 1, -1};`

Known where the file spells all elements, and names the array only to read elements: what is handed
on by name, as to cudaMemcpyToSymbol, may be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.lexer import Token, TokenKind, lex, word_set

_CONSTANT = frozenset(("__constant__", "const", "constexpr"))
_ENDS_OF_DECLARATIONS = frozenset((";", "{", "}", ","))
_LEADS_TO_WRITES = word_set("& . -> :: ++ --")
_WRITES = word_set("= += -= *= /= %= &= |= ^= <<= >>= ++ --")
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]*)[uUlL]*$")


def constant_tables(texts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """The least and the greatest element of each such array of a program's files, by name.

    Elements that the list leaves out are 0, so 0 is always within.
    """
    files = [lex(text) for text in texts]
    directives = [token for file in files for line in file.directives for token in line.tokens]
    if any(token.text == "##" for token in directives):
        return {}  # names may be put together
    found: dict[str, list[_Table]] = {}
    for file in files:
        for position in range(len(file.code)):
            table = _definition(file.code, position)
            if table is not None:
                found.setdefault(file.code[position].text, []).append(table)
    tables = {name: one for name, (one, *more) in found.items() if not more}
    written = {token.text for token in directives}
    for file in files:
        written |= _handed_on(file.code, tables)
    return {name: (one.least, one.most) for name, one in tables.items() if name not in written}


@final
@dataclass(frozen=True, slots=True)
class _Table:
    dimensions: int
    least: int
    most: int


def _definition(code: Sequence[Token], position: int) -> _Table | None:
    """What is defined where its name stands: `__constant__ int CX[3] = {0, 1, -1};`"""
    if code[position].kind is not TokenKind.IDENTIFIER or _text(code, position + 1) != "[":
        return None
    specifiers: set[str] = set()
    before = position - 1
    while before >= 0 and code[before].text not in _ENDS_OF_DECLARATIONS:
        specifiers.add(code[before].text)
        before -= 1
    if not specifiers & _CONSTANT or specifiers & {"extern", "*", "(", "="}:
        return None
    after, dimensions = _behind_indices(code, position + 1)
    if _text(code, after) != "=" or _text(code, after + 1) != "{":
        return None
    end = closing_bracket(code, after + 1)
    numbers = None if end is None else _numbers(code[after + 1 : end + 1])
    return _Table(dimensions, min(0, *numbers), max(0, *numbers)) if numbers else None


def _numbers(tokens: Sequence[Token]) -> list[int] | None:
    found: list[int] = []
    sign = 1
    for token in tokens:
        if _DECIMAL.match(token.text):
            found.append(sign * int(token.text.rstrip("uUlL")))
            sign = 1
        elif token.text == "-" and sign == 1:
            sign = -1
        elif sign == -1 or token.text not in ("{", "}", ","):
            return None
    return found


def _behind_indices(code: Sequence[Token], position: int) -> tuple[int, int]:
    """Where `[i][j]` ends, and how many indices these are."""
    count = 0
    while _text(code, position) == "[":
        end = closing_bracket(code, position)
        if end is None:
            return len(code), count
        position, count = end + 1, count + 1
    return position, count


def _handed_on(code: Sequence[Token], tables: Mapping[str, _Table]) -> set[str]:
    """Those of the names that stand where their array may be written, or where rows of it are
    handed on."""
    found: set[str] = set()
    for position, token in enumerate(code):
        table = tables.get(token.text)
        if table is None or _definition(code, position) is not None:
            continue
        after, indices = _behind_indices(code, position + 1)
        leads = position > 0 and code[position - 1].text in _LEADS_TO_WRITES
        if leads or indices != table.dimensions or _text(code, after) in _WRITES:
            found.add(token.text)
    return found


def _text(code: Sequence[Token], position: int) -> str:
    return code[position].text if position < len(code) else ""
