"""Names of CUDA that macros put together.

#define CHECK(call) check(cuda##call)           #define CHECK(call) check(g2o::call)
CHECK(Malloc(&pointer, bytes));           ->    CHECK(malloc(&pointer, bytes));
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.api import begins_emitted_name, emitted_name, starts_library_name
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, lex
from g2o.frontend.cuda.macros import invocations, macros
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_NAMESPACE = "g2o::"


def pasting_macros(files: Iterable[LexedFile]) -> dict[str, tuple[str, int]]:
    """The macros that put a prefix of CUDA's names in front of what an argument begins with: the
    prefix, and which argument. Several definitions of one name do the same, but for those that are
    for other platforms: `hip##call`."""
    found: dict[str, set[tuple[str, int]]] = {}
    for lexed in files:
        for macro in macros(lexed):
            pasted = {
                (first.text, (macro.parameters or ()).index(second.text))
                for first, second in _pasted(macro.body)
                if second.text in (macro.parameters or ()) and _is_prefix(first.text)
            }
            if pasted:
                found.setdefault(macro.name, set()).update(pasted)
    return {name: one for name, (one, *others) in found.items() if not others}


def names_pasted_in(code: str, pasting: Mapping[str, tuple[str, int]]) -> list[str]:
    """What translated code gives such macros to put together, as far as it begins an argument."""
    return [
        found for name in pasting for found in re.findall(rf"\b{name}\s*\(\s*([A-Za-z_]\w*)", code)
    ]


def pasted_name_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The edits of the definitions of such macros, and of their arguments."""
    if not facts.pasting:
        return [], []
    lexed = lex(source.text)
    return [*_definitions(lexed, facts.pasting), *_arguments(lexed, facts.pasting)], []


def _is_prefix(text: str) -> bool:
    """Names of libraries that are in namespace `g2o` as they are stay whole."""
    return begins_emitted_name(text) and not starts_library_name(text)


def _pasted(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    for first, mark, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if mark.text == "##":
            yield first, second


def _definitions(lexed: LexedFile, pasting: Mapping[str, tuple[str, int]]) -> Iterator[TextEdit]:
    for macro in macros(lexed):
        if macro.name in pasting:
            prefix, position = pasting[macro.name]
            parameter = (macro.parameters or ())[position]
            for first, second in _pasted(macro.body):
                if first.text == prefix and second.text == parameter:
                    yield TextEdit(first.begin, second.begin, _NAMESPACE)


def _arguments(lexed: LexedFile, pasting: Mapping[str, tuple[str, int]]) -> Iterator[TextEdit]:
    for name, (prefix, position) in pasting.items():
        for tokens, arguments in invocations(lexed, name):
            if position >= len(arguments):
                continue
            begin, end = arguments[position]
            token = tokens[begin] if begin < end else None
            if token is None or token.kind is not TokenKind.IDENTIFIER:
                continue
            emitted = emitted_name(prefix + token.text)
            if emitted is not None and emitted.startswith(_NAMESPACE):
                yield TextEdit(token.begin, token.end, emitted.removeprefix(_NAMESPACE))
