"""Macros that define whole kernels: they are expanded where they stand, before anything is read.

#define BINARY(name, op) __global__ void name(float *x) { x[threadIdx.x] op 2; }
BINARY(add, +=)               ->  __global__ void add(float *x) {
                                      x[threadIdx.x] += 2;
                                  }

A kernel becomes loops of its own, which no macro can stand for. Of the macros inside, those that
paste names are expanded with it; all others stay as they are spelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, adjacent, lex
from g2o.frontend.cuda.macro_expansion import Expansion, expand_within
from g2o.frontend.cuda.macros import Macro, expands_to, invocations, macros

_INDENT: Final = "    "
_CLOSED_INITIALISER: Final = frozenset((";", ",", ")"))


def kernels_in_macros(texts: Sequence[str]) -> list[Expansion]:
    """The kernels that macros define in the first of `texts`; the others are those of the headers
    that it includes."""
    known = _known_macros(texts)
    declaring = {name for name, macro in known.items() if declares_kernel(macro)}
    defining = {
        name for name in known if any(expands_to(known, name, one) for one in declaring)
    } | declaring
    lexed = lex(texts[0])
    defining |= {
        name
        for name, macro in known.items()
        if macro.parameters and name not in defining and _is_given_any(lexed, name, defining)
    }
    pasting = {name for name in known if expands_to(known, name, "##")}
    found = expand_within(
        lexed,
        [(0, len(texts[0]))],
        lambda name, at: known.get(name) if name in defining else None,
        within=lambda name: known.get(name) if name in defining | pasting else None,
    )
    return [_laid_out(texts[0], each) for each in found]


def _known_macros(texts: Iterable[str]) -> dict[str, Macro]:
    """The macros that have one definition: of several, only conditions tell which one counts."""
    found: dict[str, list[Macro]] = {}
    for text in texts:
        if "#" in text:
            for macro in macros(lex(text)):
                found.setdefault(macro.name, []).append(macro)
    return {name: known[0] for name, known in found.items() if len(known) == 1}


def declares_kernel(macro: Macro) -> bool:
    """Whether the body is a kernel, or what declares or instantiates one: all but specifiers."""
    texts = [token.text for token in macro.body]
    if "__global__" not in texts:
        return False
    parameters = (
        text == "(" and texts[index] != "__launch_bounds__" for index, text in enumerate(texts[1:])
    )
    return "{" in texts or (bool(macro.parameters) and any(parameters))


def _is_given_any(lexed: LexedFile, name: str, defining: set[str]) -> bool:
    """Whether the code invokes the macro with one that defines kernels: `FOR_ALL_TYPES(SUM)`."""
    return any(
        token.text in defining
        for tokens, arguments in invocations(lexed, name)
        for begin, end in arguments
        for token in tokens[begin:end]
    )


def _laid_out(text: str, expansion: Expansion) -> Expansion:
    """The expansion on lines of its own, and without the semicolon that follows invocations."""
    end = expansion.end
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    code = lex(expansion.text.strip()).code
    lines = [_INDENT * depth + line for depth, line in _lines(code)]
    is_definition = bool(code) and code[-1].text == "}"
    end = end + 1 if is_definition and text[end : end + 1] == ";" else expansion.end
    if is_definition and text[end : end + 1] == "\n" and text[end + 1 : end + 2] not in ("\n", ""):
        lines.append("")
    return Expansion(expansion.begin, end, "\n".join(lines))


def _lines(code: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """The lines that statements take up: how deep in braces each stands, and its text."""
    depth = nested = 0  # in braces of statements; in parentheses and braces of lists
    lists: list[bool] = []
    line = ""
    for index, token in enumerate(code):
        word = token.text
        if token.kind is TokenKind.PUNCTUATION and word == "}" and not lists.pop():
            if line:
                yield depth, line
            depth -= 1
            line = ""
        spaced = index and line and not adjacent(code[index - 1], token)
        line += f" {word}" if spaced else word
        if token.kind is not TokenKind.PUNCTUATION:
            continue
        following = code[index + 1].text if index + 1 < len(code) else ""
        if word in "([":
            nested += 1
        elif word in ")]":
            nested -= 1
        elif word == "{":
            lists.append(nested > 0 or code[index - 1].text in ("=", ",", "return", "]"))
            if not lists[-1]:
                yield depth, line
                depth, line = depth + 1, ""
        ends = word == ";" or (word == "}" and following not in _CLOSED_INITIALISER)
        if ends and nested == 0 and not any(lists) and following not in ("else", "while"):
            yield depth, line
            line = ""
    if line:
        yield depth, line
