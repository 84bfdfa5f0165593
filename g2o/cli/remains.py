"""CUDA that is left in a translation: the last check before success is reported.

Every stage refuses what it cannot translate, so nothing should ever be found. Should a stage have
missed something, the command fails with the place instead of handing out a file that is half CUDA.
Only names that no program can have declared for itself count; comments and strings do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.api import emitted_name
from g2o.frontend.cuda.lexer import Token, TokenKind, lex

_SPECIFIERS: Final = frozenset(
    (
        "__constant__",
        "__device__",
        "__global__",
        "__host__",
        "__launch_bounds__",
        "__managed__",
        "__shared__",
        "__syncthreads",
        "__syncwarp",
        "<<<",
    )
)
_INDICES: Final = frozenset(("threadIdx", "blockIdx"))
_CUDA_PREFIXES: Final = ("__", "cuda", "atomic")
_MEMBER_ACCESS: Final = frozenset(("::", ".", "->"))
_NOT_TYPES: Final = frozenset(("return", "case", "else", "do", "throw", "co_return"))


def cuda_left_in(code: str, shown_as: str) -> tuple[Diagnostic, ...]:
    """An error for each name of CUDA, at its first place, in the Latin-1 text of a translation."""
    file = SourceFile(shown_as, code)
    places: dict[str, Token] = {}
    for token in _remaining(code):
        places.setdefault(token.text, token)
    return tuple(
        error(
            "G2O0215",
            f"'{name}' is left in the translation: this is a bug in g2o",
            SourceSpan(file, token.begin, token.end),
        )
        for name, token in places.items()
    )


def _remaining(code: str) -> Iterator[Token]:
    lexed = lex(code)
    own = {
        line.tokens[0].text for line in lexed.directives if line.name == "define" and line.tokens
    }
    found: list[Token] = []
    for tokens in chain((lexed.code,), (line.tokens for line in lexed.directives)):
        for before, token, after in zip((None, *tokens), tokens, (*tokens[1:], None), strict=False):
            if before is not None and before.text in _MEMBER_ACCESS:
                continue
            if token.text in _SPECIFIERS:
                found.append(token)
            elif before is not None and _declares(before):
                own.add(token.text)
            elif _is_cuda(token, after):
                found.append(token)
    yield from (token for token in found if token.text not in own)


def _is_cuda(token: Token, after: Token | None) -> bool:
    if token.text in _INDICES:
        return after is not None and after.text == "."
    return token.text.startswith(_CUDA_PREFIXES) and emitted_name(token.text) is not None


def _declares(before: Token) -> bool:
    """Whether what stands behind `before` is being declared, as in `dim3 threadIdx`."""
    return before.kind is TokenKind.IDENTIFIER and before.text not in _NOT_TYPES
