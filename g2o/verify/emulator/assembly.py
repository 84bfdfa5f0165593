"""Inline PTX. What has a form in C++ runs as that; reaching other ends the program with its own
exit code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.ptx import assembly_expansions
from g2o.verify.emulator.scopes import function_bodies
from g2o.verify.emulator.tokens import Edit, Token, matching

_ASM = {"asm", "__asm__", "__asm"}
_DEVICE = {"__device__", "__global__"}


def rewrite_assembly(text: str, tokens: Sequence[Token]) -> Iterator[Edit]:
    """Replace every `asm` statement of device functions that has instructions."""
    if not any(token.text in _ASM for token in tokens):
        return
    known = {
        begin: Edit(begin, end, code)
        for begin, end, code in assembly_expansions(lex(text), [(0, len(text))])
    }
    for body in function_bodies(tokens):
        if _DEVICE.isdisjoint(token.text for token in tokens[body.head : body.open]):
            continue
        for at in range(body.open, body.close):
            if tokens[at].begin in known:
                yield known[tokens[at].begin]
            elif tokens[at].text in _ASM:
                yield from _refusal(text, tokens, at)


def _refusal(text: str, tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    opening = at + 1
    while opening < len(tokens) and tokens[opening].text in ("volatile", "__volatile__"):
        opening += 1
    if opening >= len(tokens) or tokens[opening].text != "(":
        return
    instruction = tokens[opening + 1].text
    if instruction.strip('" ') == "":
        return
    close = min(matching(tokens, opening), len(tokens) - 1)
    begin, end = tokens[at].begin, tokens[close].end
    lines = "\n" * text.count("\n", begin, end)
    quoted = instruction if instruction.startswith('"') else '"inline assembly"'
    yield Edit(begin, end, f"g2o_emulator::unsupported({quoted}){lines}")
