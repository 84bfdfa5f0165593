"""Conditions of the preprocessor that are open at one end of what is replaced stay whole.

#ifdef WIDE                               #ifdef WIDE
__global__ void k(double *x) {            #else
#else                              ->     void k(dim3 grid, dim3 block, float *x) {
__global__ void k(float *x) {               ...
#endif                                    }
  ...                                     #endif
}
"""

from __future__ import annotations

from typing import Final

from g2o.frontend.cuda.lexer import Directive, lex

_OPENING: Final = frozenset(("if", "ifdef", "ifndef"))
_FURTHER: Final = frozenset(("elif", "elifdef", "elifndef", "else"))


def with_open_conditions(new: str, old: str) -> str:
    """`new`, which takes the place of `old`, with the directives behind it that close what is open
    in front of `old`, or open what is closed behind it, unless it has them itself. The branches of
    such a condition that `old` has begun are those that are not compiled."""
    if "#" not in old:
        return new
    closed, opened = _unmatched(old)
    own_closed, own_opened = _unmatched(new)
    lines = ["#endif"] * (closed - own_closed)
    for parts in opened[len(own_opened) :]:
        lines.extend(old[part.begin : part.end] for part in parts)
    return "\n".join((new, *lines)) if lines else new


def has_open_conditions(text: str) -> bool:
    """Does `text` close conditions from before it, or leave some open?"""
    return "#" in text and _unmatched(text) != (0, [])


def _unmatched(text: str) -> tuple[int, list[list[Directive]]]:
    """How many conditions from before `text` end in it, and those that do not end in it."""
    closed = 0
    opened: list[list[Directive]] = []
    for directive in lex(text).directives:
        if directive.name in _OPENING:
            opened.append([directive])
        elif directive.name in _FURTHER and opened:
            opened[-1].append(directive)
        elif directive.name == "endif" and opened:
            opened.pop()
        elif directive.name == "endif":
            closed += 1
    return closed, opened
