"""What a function gets for its launches alone: nothing uses it in the translation.

void run(float *x, cudaStream_t s)           void run(float *x, [[maybe_unused]] g2o::Stream s)
{                                      ->   {
    scale<<<grid, block, 0, s>>>(x);           scale(grid, block, x);

Streams, what has them as members, and numbers of bytes for kernels that have no use for them:
parameters of any type, and variables of CUDA's that nothing else reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.launch_edits import dropped_parts
from g2o.frontend.cuda.launch_syntax import parse_launches
from g2o.frontend.cuda.lexer import Token, TokenKind, lex
from g2o.frontend.cuda.scopes import Declaration, declarations
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_TYPES = frozenset(
    (
        *("cudaStream_t", "size_t", "std :: size_t", "int", "unsigned", "unsigned int", "auto"),
        *("at :: cuda :: CUDAStream", "c10 :: cuda :: CUDAStream"),
    )
)
_LONGEST = 6  # words of a type, `const` among them
_IN_TYPES = frozenset(("::", "*", "&", "<", ">", ","))
_MEMBER_ACCESS = (".", "->", "::")


def launch_parameter_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """Mark those parameters."""
    if "<<<" not in source.text:
        return [], []
    lexed = lex(source.text)
    dropped = {
        token.begin
        for launch in parse_launches(source)[0]
        for begin, end in dropped_parts(lexed, launch, facts)
        for token in launch.tokens[begin:end]
    }
    edits: list[TextEdit] = []
    for declaration in declarations(lexed):
        opening = declaration.end
        if not declaration.has_body or lexed.code[opening].text != "{":
            continue
        closing = closing_bracket(lexed.code, opening)
        body = lexed.code[opening:closing]
        for begin, name in (*_parameters(lexed.code, declaration), *_variables(body)):
            uses = list(_uses(body, name))
            if uses and dropped.issuperset(uses):
                edits.append(TextEdit(begin, begin, "[[maybe_unused]] "))
    return edits, []


def _parameters(tokens: Sequence[Token], declaration: Declaration) -> Iterator[tuple[int, str]]:
    """Where each parameter begins, and its name; arrays and pointers to functions are left out."""
    if declaration.parameters is None:
        return
    closing = closing_bracket(tokens, declaration.parameters)
    if closing is None:
        return
    for begin, end in split_at_commas(tokens, declaration.parameters + 1, closing):
        words = [token.text for token in tokens[begin:end]]
        count = words.index("=") if "=" in words else len(words)
        declared = tokens[begin : begin + count]
        is_plain = all(
            one.kind in (TokenKind.IDENTIFIER, TokenKind.NUMBER) or one.text in _IN_TYPES
            for one in declared
        )
        if count > 1 and is_plain and declared[-1].kind is TokenKind.IDENTIFIER:
            yield tokens[begin].begin, words[count - 1]


def _variables(body: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Where each variable with an initialiser is declared, and its name; those with brackets around
    their initialiser, or behind another one's, are not looked for."""
    for index, token in enumerate(body):
        if token.text in ("{", "}", ";"):
            words = [one.text for one in body[index + 1 : index + 3 + _LONGEST]]
            named = words.index("=") - 1 if "=" in words else 0
            if named > 0 and _is_type(words[:named]):
                yield body[index + 1].begin, words[named]


def _is_type(words: Sequence[str]) -> bool:
    return " ".join(word for word in words if word != "const") in _TYPES


def _uses(tokens: Sequence[Token], name: str) -> Iterator[int]:
    """Where the name is read, that is, not where a variable of that name is declared."""
    for before, token, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.kind is TokenKind.IDENTIFIER and token.text == name:
            declared = behind.text == "=" and before.kind is TokenKind.IDENTIFIER
            if before.text not in _MEMBER_ACCESS and not declared:
                yield token.begin
