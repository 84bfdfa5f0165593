"""Device variables that CUDA before version 5 took by name: `cudaMemcpyToSymbol("table", ...)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.frontend.cuda.named_symbols import SYMBOL_POSITIONS
from g2o.verify.emulator.tokens import Edit, Kind, Token


def rewrite_symbols(tokens: Sequence[Token]) -> Iterator[Edit]:
    """Put the variable in the place of a string that such a call has for it."""
    for at, token in enumerate(tokens):
        position = SYMBOL_POSITIONS.get(token.text)
        if position is None or at + 1 >= len(tokens) or tokens[at + 1].text != "(":
            continue
        depth = commas = 0
        for inner in tokens[at + 1 :]:
            depth += {"(": 1, ")": -1}.get(inner.text, 0)
            commas += depth == 1 and inner.text == ","
            if depth == 0 or commas > position:
                break
            is_text = inner.kind is Kind.TEXT and inner.text.startswith('"')
            if depth == 1 and commas == position and is_text:
                yield Edit(inner.begin, inner.end, inner.text.strip('"'))
