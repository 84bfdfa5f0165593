"""Memory that is read as another type than it was written as.

reinterpret_cast<float *>(&word)[i]      *(int4 *)&four      reinterpret_cast<uint4 *>(p)[i]

C++ allows it for characters alone, and compilers build on that; CUDA programs do it for all types.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from g2o.frontend.cuda.brackets import closing_angle, closing_bracket
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, word_set

_CHARACTERS: Final = word_set("void char uchar uint8_t int8_t byte __nv_fp8_storage_t")
_HINT: Final = re.compile(r"\breinterpret_cast\b|\*\s*\)\s*&")
_QUALIFIERS: Final = word_set("const volatile * & && restrict __restrict__ __restrict")


def puns_types(lexed: LexedFile) -> bool:
    """Whether the file's code, or a macro in it, casts a pointer or reference to another type."""
    if _HINT.search(lexed.text) is None:
        return False
    streams = (lexed.code, *(line.tokens for line in lexed.directives if line.name == "define"))
    return any(
        _is_reinterpretation(tokens, index) or _is_cast_of_address(tokens, index)
        for tokens in streams
        for index, _ in enumerate(tokens)
    )


def _is_reinterpretation(tokens: Sequence[Token], index: int) -> bool:
    if tokens[index].text != "reinterpret_cast" or index + 1 == len(tokens):
        return False
    closing = closing_angle(tokens, index + 1)
    return closing is not None and _is_object_pointer(tokens[index + 2 : closing])


def _is_cast_of_address(tokens: Sequence[Token], index: int) -> bool:
    """`(float *)&x`"""
    if tokens[index].text != "(":
        return False
    closing = closing_bracket(tokens, index)
    if closing is None or closing + 2 >= len(tokens) or tokens[closing + 1].text != "&":
        return False
    before = tokens[index - 1] if index else None
    if before is not None and before.kind is TokenKind.IDENTIFIER and before.text != "return":
        return False  # `sizeof(float *) & mask`
    return tokens[closing - 1].text == "*" and _is_object_pointer(tokens[index + 1 : closing])


def _is_object_pointer(spelled: Sequence[Token]) -> bool:
    words = [token.text for token in spelled]
    if not words or words[-1] not in _QUALIFIERS or "(" in words:
        return False
    while words and words[-1] in _QUALIFIERS:
        words.pop()
    return bool(words) and words[-1] not in _CHARACTERS
