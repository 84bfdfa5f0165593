"""Pragmas that only CUDA's compiler knows go; others would warn of them.

#pragma unroll 4                       ->
for (int i = 0; i < 4; ++i)                for (int i = 0; i < 4; ++i)
"""

from __future__ import annotations

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.lexer import Directive, LexedFile, Token, TokenKind, lex, word_set
from g2o.frontend.cuda.macros import streams
from g2o.frontend.cuda.removals import remove_statement, tidy_removal
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_CUDAS = word_set(
    "unroll nounroll hd_warning_disable nv_exec_check_disable nv_diag_suppress nv_diag_default "
    "nv_diag_error nv_diag_remark nv_diag_warning nv_diag_once diag_suppress diag_default "
    "diag_error diag_remark diag_warning nv_abi"
)


def pragma_edits(source: SourceFile, facts: UnitFacts) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The removals of the whole file; nothing can be wrong with them."""
    del facts
    lexed = lex(source.text)
    edits = [_removed(lexed, directive) for directive in lexed.directives if _is_cudas(directive)]
    for stream in streams(lexed):
        for index, token in enumerate(stream.tokens):
            operand = _operand(stream.tokens, index)
            if operand is not None:
                closing = stream.tokens[index + 3]
                edits.append(tidy_removal(lexed.text, token.begin, closing.end))
    return edits, []


def _is_cudas(directive: Directive) -> bool:
    if directive.name != "pragma":
        return False
    words = [token.text for token in directive.tokens[:1]]
    return bool(words) and words[0] in _CUDAS


def _removed(lexed: LexedFile, directive: Directive) -> TextEdit:
    return remove_statement(lexed.text, directive.begin, directive.end)


def _operand(tokens: tuple[Token, ...] | list[Token], index: int) -> str | None:
    """The word that `_Pragma("word ...")` at `index` begins with, where it is CUDA's."""
    if tokens[index].text != "_Pragma" or index + 3 >= len(tokens):
        return None
    text = tokens[index + 2]
    if tokens[index + 1].text != "(" or text.kind is not TokenKind.STRING:
        return None
    words = text.text.strip('"').split()
    return words[0] if words and words[0] in _CUDAS else None
