"""Macros that are a part of a launch: they are expanded where they stand, before anything is read.

#define KERNEL_ARGS2(grid, block) <<<grid, block>>>
scale KERNEL_ARGS2(4, 256)(x);                              ->  scale<<<4, 256>>>(x);

Editors that know nothing of CUDA are given another definition, empty or `kernel(x)` alone, behind a
condition: no kernel can be called so, and it is not the one that counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from g2o.frontend.cuda.launch_syntax import launch_at
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.macro_expansion import Expansion, expand_within
from g2o.frontend.cuda.macros import Macro, TokenStream, defined_name, expands_to, macros
from g2o.frontend.cuda.removals import without_directives


def launches_in_parts(texts: Sequence[str], *, keeps: bool) -> list[Expansion]:
    """The macros in the first of `texts` that are a part of a launch; the others are those of the
    headers that it includes. `keeps` their definitions, which others may need."""
    known = _known_macros(texts)
    parts = {name for name, macro in known.items() if _is_part(macro)}
    parts |= {name for name in known if any(expands_to(known, name, one) for one in parts)}
    lexed = lex(texts[0])
    expansions = expand_within(
        lexed,
        [(0, len(texts[0]))],
        lambda name, at: known.get(name) if name in parts else None,
    )
    gone = [] if keeps else [one for one in lexed.directives if defined_name(one) in parts]
    edits = without_directives(lexed, gone)
    return sorted(
        (*expansions, *(Expansion(edit.begin, edit.end, "") for edit in edits)),
        key=lambda each: each.begin,
    )


def _known_macros(texts: Iterable[str]) -> dict[str, Macro]:
    """The macros of which all definitions agree, but for empty ones, and those without a launch
    where another has one."""
    found: dict[str, list[Macro]] = {}
    for text in texts:
        if "#" in text:
            for macro in macros(lex(text)):
                if macro.body:
                    found.setdefault(macro.name, []).append(macro)
    for name, known in found.items():
        launching = [macro for macro in known if any(token.text == "<<<" for token in macro.body)]
        found[name] = launching or known
    return {name: known[0] for name, known in found.items() if len(set(map(_says, known))) == 1}


def _says(macro: Macro) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    return macro.parameters, tuple(token.text for token in macro.body)


def _is_part(macro: Macro) -> bool:
    """Whether the body has a launch that begins in front of it, or ends behind it."""
    stream = TokenStream(macro.body, macro)
    return any(
        token.text == "<<<" and launch_at(stream, index) is None
        for index, token in enumerate(macro.body)
    )
