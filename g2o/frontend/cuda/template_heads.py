"""Integer parameters of templates, by their text.

template <int TILE, typename T>        TILE is one, at position 0
void launch(const T *x) { kernel<TILE><<<blocks, TILE>>>(x); }
"""

from __future__ import annotations

from collections.abc import Sequence

from g2o.frontend.cuda.brackets import closing_angle, closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, word_set
from g2o.frontend.cuda.scopes import Declaration, declarations

_INTEGERS = word_set(
    "int unsigned long short bool const size_t std uint uint32_t int32_t uint64_t int64_t"
)

TemplateParameters = tuple[str | None, ...]
"""The names in order; None for what is no integer."""


def template_parameters(tokens: Sequence[Token], declaration: Declaration) -> TemplateParameters:
    """The parameters of the template that is declared; none where it has several heads."""
    begin, end = declaration.begin, declaration.specifiers
    if begin + 1 >= end or tokens[begin].text != "template":
        return ()
    closing = closing_angle(tokens, begin + 1)
    if closing is None or closing + 1 != end:
        return ()
    parts = split_at_commas(tokens, begin + 2, closing)
    return tuple(_integer_name(tokens[first:last]) for first, last in parts)


def template_bodies(lexed: LexedFile) -> tuple[tuple[range, frozenset[str]], ...]:
    """The bodies of function templates as ranges of indices, each with its integer parameters."""
    tokens = lexed.code
    found: list[tuple[range, frozenset[str]]] = []
    for declaration in declarations(lexed):
        if not declaration.has_body or not declaration.is_template:
            continue
        closing = closing_bracket(tokens, declaration.end)
        names = frozenset(filter(None, template_parameters(tokens, declaration)))
        if closing is not None and names:
            found.append((range(declaration.end, closing), names))
    return tuple(found)


def _integer_name(tokens: Sequence[Token]) -> str | None:
    """The name that `int N = 4` declares; None for types, packs, pointers and the like."""
    words: list[str] = []
    for token in tokens:
        if token.text == "=":
            break
        if token.kind is not TokenKind.IDENTIFIER and token.text != "::":
            return None
        if token.text != "::":
            words.append(token.text)
    *kind, name = words or [""]
    return name if kind and set(kind) <= _INTEGERS else None
