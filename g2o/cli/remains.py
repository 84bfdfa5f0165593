"""CUDA that is left in a translation: the last check before success is reported.

Every stage refuses what it cannot translate, so nothing should ever be found. Should a stage have
missed something, the command fails with the place instead of handing out a file that is half CUDA.
"""

from __future__ import annotations

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.lexer import Token
from g2o.frontend.cuda.spelled import spelled_cuda


def cuda_left_in(code: str, shown_as: str) -> tuple[Diagnostic, ...]:
    """An error for each name of CUDA, at its first place, in the Latin-1 text of a translation."""
    file = SourceFile(shown_as, code)
    places: dict[str, Token] = {}
    for token in spelled_cuda(code):
        places.setdefault(token.text, token)
    return tuple(
        error(
            "G2O0215",
            f"'{name}' is left in the translation: this is a bug in g2o",
            SourceSpan(file, token.begin, token.end),
        )
        for name, token in places.items()
    )
