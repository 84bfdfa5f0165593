"""Streams that a function gets for its launches alone: nothing uses them in the translation.

void run(float *x, cudaStream_t s)           void run(float *x, [[maybe_unused]] g2o::Stream s)
{                                      ->   {
    scale<<<grid, block, 0, s>>>(x);           scale(grid, block, x);
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.launch_edits import stays_in_stream
from g2o.frontend.cuda.launch_syntax import parse_launches
from g2o.frontend.cuda.lexer import Token, TokenKind, lex
from g2o.frontend.cuda.scopes import Declaration, declarations
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_STREAM = "cudaStream_t"
_MEMBER_ACCESS = (".", "->", "::")


def stream_parameter_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """Mark those parameters."""
    if _STREAM not in source.text or "<<<" not in source.text:
        return [], []
    lexed = lex(source.text)
    dropped = {
        launch.tokens[launch.configuration[3][0]].begin
        for launch in parse_launches(source)[0]
        if len(launch.configuration) == 4 and not stays_in_stream(launch, facts)
    }
    edits: list[TextEdit] = []
    for declaration in declarations(lexed):
        opening = declaration.end
        if not declaration.has_body or lexed.code[opening].text != "{":
            continue
        closing = closing_bracket(lexed.code, opening)
        for begin, name in _streams(lexed.code, declaration):
            uses = list(_uses(lexed.code[opening:closing], name))
            if uses and dropped.issuperset(uses):
                edits.append(TextEdit(begin, begin, "[[maybe_unused]] "))
    return edits, []


def _streams(tokens: Sequence[Token], declaration: Declaration) -> Iterator[tuple[int, str]]:
    """Where each parameter that is a stream begins, and its name."""
    if declaration.parameters is None:
        return
    closing = closing_bracket(tokens, declaration.parameters)
    if closing is None:
        return
    for begin, end in split_at_commas(tokens, declaration.parameters + 1, closing):
        words = [token.text for token in tokens[begin:end]]
        declared = words[: words.index("=")] if "=" in words else words
        if declared[:-1] in ([_STREAM], ["const", _STREAM], [_STREAM, "const"]):
            yield tokens[begin].begin, declared[-1]


def _uses(tokens: Sequence[Token], name: str) -> Iterator[int]:
    for before, token in zip(tokens, tokens[1:], strict=False):
        if token.kind is TokenKind.IDENTIFIER and token.text == name:
            if before.text not in _MEMBER_ACCESS:
                yield token.begin
