"""Names that CUDA has in several forms.

cudaMemcpyToSymbol("table", ...)  ->  cudaMemcpyToSymbol(table, ...)    before version 5
cublasSasum_v2(...)               ->  cublasSasum(...)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.frontend.cuda.named_symbols import SYMBOL_POSITIONS
from g2o.verify.emulator.tokens import Edit, Kind, Token


def rewrite_symbols(tokens: Sequence[Token]) -> Iterator[Edit]:
    """Put the variable in the place of a string that a call has for it, and names into one form."""
    for at, token in enumerate(tokens):
        if token.text.startswith("cublas") and token.text.endswith("_v2"):
            yield Edit(token.begin, token.end, token.text.removesuffix("_v2"))
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
