"""Functions that a declaration puts on hosts and devices, and whose definition says nothing of it.

__host__ __device__ float area() const;
float Disc::area() const { ... }    ->    __host__ __device__ float Disc::area() const { ... }

nvcc takes the definition as one for both, with a warning (CUDA C++ Programming Guide, "Execution
Space Specifiers"); clang, as one that cannot stand beside the declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from g2o.frontend.cuda.brackets import closing_angle
from g2o.frontend.cuda.clang_unit import ClangMessage
from g2o.frontend.cuda.lexer import LexedFile, lex
from g2o.frontend.cuda.macro_expansion import Expansion

_REDECLARED: Final = re.compile(
    r"__host__ function '(?:[^']*::)?(?P<name>[^':]+)' "
    r"cannot overload (?P<where>__host__ __device__) function"
)
_ENDS: Final = frozenset(";{}")


def repeated_attributes(text: str, messages: Iterable[ClangMessage]) -> list[Expansion]:
    """What has to stand in front of the definitions in a file that `messages` are about."""
    return sorted(set(_repeated(lex(text), messages)), key=lambda one: one.begin)


def is_redeclared(message: ClangMessage) -> bool:
    return _REDECLARED.match(message.text) is not None


def _repeated(lexed: LexedFile, messages: Iterable[ClangMessage]) -> Iterator[Expansion]:
    index_of = {token.begin: index for index, token in enumerate(lexed.code)}
    for message in messages:
        found = _REDECLARED.match(message.text)
        index = index_of.get(message.begin)
        if found is not None and index is not None and lexed.code[index].text in found["name"]:
            begin = lexed.code[_begin_of_declaration(lexed, index)].begin
            yield Expansion(begin, begin, f"{found['where']} ")


def _begin_of_declaration(lexed: LexedFile, index: int) -> int:
    """The first token of the declaration that declares the name at `index`, behind the parameters
    of templates."""
    heads = {directive.code_index for directive in lexed.directives}
    first = index
    while first and lexed.code[first - 1].text not in _ENDS and first not in heads:
        first -= 1
    while lexed.code[first].text == "template":
        end = closing_angle(lexed.code, first + 1)
        if end is None or end >= index:
            return first
        first = end + 1
    return first
