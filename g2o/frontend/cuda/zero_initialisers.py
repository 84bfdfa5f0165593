"""Structures of the runtime that start from `{0}` start from `{}`.

    cudaMemcpy3DParms copy = {0};   ->  g2o::Memcpy3DParms copy = {};

Both set every member to zero; of `{0}` compilers of C++ say that it leaves members out.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.lexer import Token, TokenKind, lex, word_set
from g2o.frontend.cuda.macros import streams
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_STRUCTURES = word_set(
    """
    cudaMemcpy3DParms cudaDeviceProp cudaFuncAttributes cudaPointerAttributes cudaResourceDesc
    cudaTextureDesc cudaChannelFormatDesc cudaExtent cudaPos cudaPitchedPtr cudaLaunchConfig_t
    cudaMemcpyNodeParams cudaKernelNodeParams cudaMemsetParams cudaHostNodeParams
    """
)
_ZEROS = word_set("0 NULL nullptr")


def zero_initialiser_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The edit of each such initialiser; never a fault."""
    found: list[TextEdit] = []
    for stream in streams(lex(source.text)):
        for index, token in enumerate(stream.tokens):
            if token.text in _STRUCTURES and token.text not in facts.user_declared:
                found.extend(_declarators(stream.tokens, index + 1))
    return found, []


def _declarators(tokens: Sequence[Token], index: int) -> list[TextEdit]:
    """Of `copy = {0}, copies[2] = {0};`, which begin at `index`."""
    found: list[TextEdit] = []
    while index + 4 < len(tokens) and tokens[index].kind is TokenKind.IDENTIFIER:
        index += 1
        while tokens[index].text == "[":
            closing = closing_bracket(tokens, index)
            if closing is None or closing + 4 >= len(tokens):
                return found
            index = closing + 1
        opening = index + 1 if tokens[index].text == "=" else index
        inside = [token.text for token in tokens[opening : opening + 3]]
        if inside[:1] != ["{"] or inside[1] not in _ZEROS or inside[2] != "}":
            return found
        found.append(TextEdit(tokens[opening].end, tokens[opening + 2].begin, ""))
        index = opening + 3
        if index >= len(tokens) or tokens[index].text != ",":
            return found
        index += 1
    return found
