"""Device variables that CUDA before version 5 took by name: `cudaMemcpyToSymbol("table", ...)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.verify.emulator.tokens import Edit, Kind, Token

_TAKES_SYMBOL = {
    "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemcpyFromSymbol",
    "cudaMemcpyFromSymbolAsync", "cudaGetSymbolAddress", "cudaGetSymbolSize",
}  # fmt: skip


def rewrite_symbols(tokens: Sequence[Token]) -> Iterator[Edit]:
    """Put the variable in the place of a string among the arguments of such a call."""
    for at, token in enumerate(tokens):
        if token.text not in _TAKES_SYMBOL or at + 1 >= len(tokens) or tokens[at + 1].text != "(":
            continue
        depth = 0
        for inner in tokens[at + 1 :]:
            depth += {"(": 1, ")": -1}.get(inner.text, 0)
            if depth == 0:
                break
            if depth == 1 and inner.kind is Kind.TEXT and inner.text.startswith('"'):
                yield Edit(inner.begin, inner.end, inner.text.strip('"'))
