"""Variables of the device that old programs pass to the runtime by name, as a string.

cudaMemcpyToSymbol("table", host, bytes)    ->  cudaMemcpyToSymbol(table, host, bytes)

CUDA took this up to version 4; later ones only take the variable itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from g2o.frontend.cuda.lexer import LexedFile, TokenKind
from g2o.frontend.cuda.macros import invocations
from g2o.frontend.edits import TextEdit

SYMBOL_POSITIONS: Final = {
    "cudaMemcpyToSymbol": 0,
    "cudaMemcpyToSymbolAsync": 0,
    "cudaMemcpyFromSymbol": 1,
    "cudaMemcpyFromSymbolAsync": 1,
    "cudaGetSymbolAddress": 1,
    "cudaGetSymbolSize": 1,
}
"""Functions that take a variable of the device, and the argument that it is."""

_NAME = re.compile(r'"((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)"')


def named_symbol_edits(lexed: LexedFile) -> Iterator[TextEdit]:
    """Take the quotes off the names."""
    for function, position in SYMBOL_POSITIONS.items():
        if function not in lexed.text:
            continue
        for tokens, arguments in invocations(lexed, function):
            if position >= len(arguments):
                continue
            begin, end = arguments[position]
            name = _NAME.fullmatch(tokens[begin].text) if end == begin + 1 else None
            if name is not None and tokens[begin].kind is TokenKind.STRING:
                yield TextEdit(tokens[begin].begin, tokens[begin].end, name.group(1))
