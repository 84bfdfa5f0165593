"""The type of an index of the launch is that which it has in CUDA.

    decltype(threadIdx.x) i = 3;                      ->  unsigned i = 3;
    decltype(blockIdx.x * blockDim.x) first;          ->  unsigned first;

What takes the place of the index is a signed counter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from g2o.diagnostics.diagnostic import Diagnostic, Note, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.lexer import Token, lex, word_set
from g2o.frontend.cuda.macros import streams
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_ASKED = re.compile(r"\b(?:decltype|sizeof)\s*\(\s*$")
_VARIABLES = ("VAR_DECL", "PARM_DECL")
_INDICES = word_set("threadIdx blockIdx blockDim gridDim")
_SIGNLESS = word_set("x y z . ( ) + - * / % & | ^")


def index_type_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The edit of each such type, and a fault for types of what else an index is in."""
    found: list[TextEdit] = []
    faults: list[Diagnostic] = []
    indices = _INDICES - facts.user_declared
    for stream in streams(lex(source.text)):
        tokens = stream.tokens
        for index, token in enumerate(tokens[:-4]):
            if token.text not in ("decltype", "sizeof") or tokens[index + 1].text != "(":
                continue
            closing = closing_bracket(tokens, index + 1)
            inside = tokens[index + 2 : closing]
            if closing is None or not any(one.text in indices for one in inside):
                continue
            if _is_unsigned(inside, indices):
                word, end = "unsigned", tokens[closing].end
                new = word if token.text == "decltype" else f"sizeof({word})"
                found.append(TextEdit(token.begin, end, new))
            elif token.text == "decltype":
                span = SourceSpan(source, token.begin, tokens[closing].end)
                note = Note("write the type that it has, or 'auto'")
                faults.append(error("G2O0201", "type of an index in an expression", span, note))
    return found, faults


def variables_in(asked: Cursor) -> Iterator[Cursor]:
    """The variables of the program in an expression that is asked for its size."""
    for child in asked.children:
        target = child.referenced if child.kind == "DECL_REF_EXPR" else None
        if target is not None and target.kind in _VARIABLES and target.spelling not in _INDICES:
            yield child
        yield from variables_in(child)


def is_type_of_indices(text: str, begin: int, end: int) -> bool:
    """Is the expression between these offsets one that only its type, which the edit has replaced,
    is asked of?"""
    asked = _ASKED.search(text[max(0, begin - 40) : begin]) is not None
    return asked and _is_unsigned(lex(text[begin:end]).code, _INDICES)


def _is_unsigned(tokens: Sequence[Token], indices: frozenset[str]) -> bool:
    """Is this made of nothing but indices and extents?"""
    named = [token.text for token in tokens if token.text not in _SIGNLESS]
    coordinates = sum(token.text == "." for token in tokens)
    return bool(named) and indices.issuperset(named) and coordinates == len(named)
