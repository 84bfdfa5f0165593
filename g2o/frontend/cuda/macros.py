"""Macros that a file defines, with their bodies as tokens, and where it invokes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import Directive, LexedFile, Token, adjacent

_MACRO_NAME = re.compile(r"(?<!\w)[A-Za-z_]\w*")


@final
@dataclass(frozen=True, slots=True)
class Macro:
    """`#define name(parameters) body`; `parameters` is None for an object-like macro."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]
    directive: Directive


@final
@dataclass(frozen=True, slots=True)
class TokenStream:
    """The tokens of the file's code (`macro` is None) or of one macro body."""

    tokens: tuple[Token, ...]
    macro: Macro | None


@lru_cache(maxsize=8)
def macros(lexed: LexedFile) -> tuple[Macro, ...]:
    """Every `#define` of the file in order, those of skipped branches included."""
    found: list[Macro] = []
    for directive in lexed.directives:
        if directive.name != "define" or len(directive.tokens) == 0:
            continue
        tokens = directive.tokens
        if len(tokens) > 1 and tokens[1].text == "(" and adjacent(tokens[0], tokens[1]):
            closing = closing_bracket(tokens, 1)
            if closing is None:
                continue
            parameters = tuple(t.text for t in tokens[2:closing] if t.text != ",")
            found.append(Macro(tokens[0].text, parameters, tokens[closing + 1 :], directive))
        else:
            found.append(Macro(tokens[0].text, None, tokens[1:], directive))
    return tuple(found)


def defined_name(directive: Directive) -> str | None:
    """The macro that a line defines, or takes the definition of away."""
    is_about = directive.name in ("define", "undef") and bool(directive.tokens)
    return directive.tokens[0].text if is_about else None


def streams(lexed: LexedFile) -> list[TokenStream]:
    """The code and then every macro body."""
    return [
        TokenStream(lexed.code, None),
        *(TokenStream(macro.body, macro) for macro in macros(lexed)),
    ]


def never_compiled(lexed: LexedFile) -> tuple[tuple[int, int], ...]:
    """Byte ranges between `#if 0` and its `#else` or `#endif`."""
    ranges: list[tuple[int, int]] = []
    openings: list[int | None] = []
    for directive in lexed.directives:
        if directive.name in ("if", "ifdef", "ifndef"):
            is_zero = directive.name == "if" and [t.text for t in directive.tokens] == ["0"]
            openings.append(directive.begin if is_zero else None)
        elif directive.name in ("else", "elif", "endif") and openings:
            begin = openings.pop()
            if begin is not None:
                ranges.append((begin, directive.end))
            if directive.name != "endif":
                openings.append(None)
    return tuple(ranges)


def invocations(
    lexed: LexedFile, name: str
) -> Iterator[tuple[Sequence[Token], list[tuple[int, int]]]]:
    """Each `name(arguments)` in code or a macro body: its tokens and the arguments' ranges."""
    for stream in streams(lexed):
        tokens = stream.tokens
        for index, token in enumerate(tokens[:-1]):
            if token.text == name and tokens[index + 1].text == "(":
                closing = closing_bracket(tokens, index + 1)
                if closing is not None:
                    yield tokens, split_at_commas(tokens, index + 2, closing)


def expands_to(table: Mapping[str, Macro], name: str, word: str) -> bool:
    """Whether the macro `name` has `word` in its body, directly or through further macros."""
    pending, seen = [name], set[str]()
    while pending:
        macro = table.get(pending.pop())
        if macro is None or macro.name in seen:
            continue
        seen.add(macro.name)
        texts = [token.text for token in macro.body]
        if word in texts:
            return True
        pending.extend(texts)
    return False


def after_macro(text: str, end: int) -> int:
    """Where an expression ends that clang has end at `end`: in an argument of a macro, that is in
    front of the name of the macro that comes last."""
    name = _MACRO_NAME.match(text, end)
    if name is None:
        return end
    end = name.end()
    if not text.startswith("(", end):
        return end
    depth = 0
    for place in range(end, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return end
