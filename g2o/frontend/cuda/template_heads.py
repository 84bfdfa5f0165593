"""Integer parameters of templates, by their text.

template <int TILE, typename T>        TILE is one, at position 0
void launch(const T *x) { kernel<TILE><<<blocks, TILE>>>(x); }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from g2o.frontend.cuda.brackets import closing_angle, closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, word_set
from g2o.frontend.cuda.scopes import Declaration, declarations

_INTEGERS = word_set(
    "int unsigned long short bool const size_t std uint uint32_t int32_t uint64_t int64_t"
)

TemplateParameters = tuple[str | None, ...]
"""The names in order; None for what is no integer."""


@final
@dataclass(frozen=True, slots=True)
class KernelTemplate:
    """The parameters of a kernel's template, and those that it takes for the size of its blocks."""

    parameters: TemplateParameters = ()
    sizes: frozenset[str] = frozenset()


def kernel_template(tokens: Sequence[Token], declaration: Declaration) -> KernelTemplate:
    """Of the kernel that is declared, body included."""
    parameters = template_parameters(tokens, declaration)
    return KernelTemplate(parameters, _block_sizes(tokens, declaration, parameters))


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


def _block_sizes(
    tokens: Sequence[Token], declaration: Declaration, parameters: TemplateParameters
) -> frozenset[str]:
    """The parameters that a kernel takes for the size of its blocks: `blockIdx.x * BLOCK`, or
    `__launch_bounds__(BLOCK)`."""
    closing = closing_bracket(tokens, declaration.end) or declaration.end
    words = [token.text for token in tokens[declaration.specifiers : closing]]
    found: set[str] = set()
    for index in range(len(words)):
        match words[index : index + 5]:
            case ["blockIdx", ".", _, "*", name] | [name, "*", "blockIdx", ".", _]:
                found.add(name)
            case ["__launch_bounds__", "(", name, *_]:
                found.add(name)
            case _:
                pass
    return frozenset(found.intersection(filter(None, parameters)))


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
