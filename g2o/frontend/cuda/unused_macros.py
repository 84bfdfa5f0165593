"""Macros that nothing invokes go where their bodies have no translation.

#define CU_CHECK(call) do { CUcontext c; call; ... } while (0)      ->  (gone)

Headers of helpers define macros for everything; what the program leaves alone is no obstacle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.lexer import LexedFile, TokenKind, lex
from g2o.frontend.cuda.macros import Macro, defined_name, macros
from g2o.frontend.cuda.removals import without_directives
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit


def without_unused_macros(
    source: SourceFile, facts: UnitFacts, diagnostics: Sequence[Diagnostic]
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The removals of unused macros that `diagnostics` are about, and the other diagnostics."""
    defined = macros(lex(source.text))
    faulty = [macro for macro in defined if any(_is_in(fault, macro) for fault in diagnostics)]
    if not faulty or facts.invoked is None:
        return [], list(diagnostics)
    invoked = facts.invoked()
    gone = [macro for macro in faulty if macro.name not in invoked]
    while True:
        names = {macro.name for macro in gone}
        further = [
            macro
            for macro in defined
            if macro not in gone
            and macro.name not in invoked
            and (_names_any(macro, names) or (macro.name in names and not macro.body))
        ]
        if not further:
            break
        gone += further
    names = {macro.name for macro in gone}
    lexed = lex(source.text)
    directives = [macro.directive for macro in gone]
    directives += [
        line for line in lexed.directives if line.name == "undef" and defined_name(line) in names
    ]
    edits = without_directives(lexed, directives)
    return edits, [fault for fault in diagnostics if not any(_is_in(fault, m) for m in gone)]


def _is_in(fault: Diagnostic, macro: Macro) -> bool:
    directive = macro.directive
    return fault.span is not None and directive.begin <= fault.span.begin < directive.end


def _names_any(macro: Macro, names: set[str]) -> bool:
    return any(token.text in names for token in macro.body)


def invoked_names(files: Iterable[LexedFile]) -> frozenset[str]:
    """Every identifier of the code of `files`, of what its macros expand to, and of conditions."""
    bodies: dict[str, set[str]] = {}
    pending: set[str] = set()
    for lexed in files:
        for macro in macros(lexed):
            words = {token.text for token in macro.body if token.kind is TokenKind.IDENTIFIER}
            bodies.setdefault(macro.name, set()).update(words)
        pending |= {token.text for token in lexed.code if token.kind is TokenKind.IDENTIFIER}
        for directive in lexed.directives:
            if directive.name not in ("define", "undef"):
                pending |= {token.text for token in directive.tokens}
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending |= bodies.get(name, set())
    return frozenset(found)
