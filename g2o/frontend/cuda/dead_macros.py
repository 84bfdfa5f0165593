"""Macros that only device code could use go with their last use.

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)      ->  (gone)

Kernels have become loops and no longer invoke them; nobody else can.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from g2o.frontend.cuda.api import LOWERED_NAMES
from g2o.frontend.cuda.lexer import Directive, lex
from g2o.frontend.cuda.macros import Macro, macros


def without_dead_macros(code: str) -> str:
    """A translation without the macros that name the launch and that nothing in it invokes."""
    lexed = lex(code)
    lines = (line.tokens[1:] for line in lexed.directives if line.name in ("define", "if", "elif"))
    uses = Counter(token.text for tokens in chain((lexed.code,), lines) for token in tokens)
    known = [macro for macro in macros(lexed) if _names_the_launch(macro)]
    while more := [macro for macro in macros(lexed) if _invokes(macro, known)]:
        known += more
    dead: list[Macro] = []
    while True:
        gone = [m for m in known if m not in dead and uses[m.name] <= _names_itself(m)]
        if not gone:
            break
        dead += gone
        for macro in gone:
            uses.subtract(token.text for token in macro.body)
    for directive in sorted((macro.directive for macro in dead), key=_begin, reverse=True):
        code = _without(code, directive)
    return code


def _names_the_launch(macro: Macro) -> bool:
    return any(token.text in LOWERED_NAMES for token in macro.body)


def _names_itself(macro: Macro) -> int:
    """How often: `#define cell(q) cell[q + threadIdx.x]` stands for an array of its name."""
    return sum(token.text == macro.name for token in macro.body)


def _invokes(macro: Macro, known: list[Macro]) -> bool:
    names = {other.name for other in known}
    return macro.name not in names and any(token.text in names for token in macro.body)


def _begin(directive: Directive) -> int:
    return directive.begin


def _without(code: str, directive: Directive) -> str:
    """The code without the lines of a directive; of two blank lines that then meet, one stays."""
    begin = code.rfind("\n", 0, directive.begin) + 1
    end = min(directive.line_end + 1, len(code))
    before, after = code[:begin], code[end:]
    if (not before or before.endswith("\n\n")) and after.startswith("\n"):
        after = after[1:]
    return before + after
