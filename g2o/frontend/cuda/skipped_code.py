"""Code for the device that the preprocessor skips: there is nothing of it to translate.

    #ifdef CHECK                         #ifdef CHECK
    __global__ void check(...) {   ->    #error "g2o did not see this: CHECK was not defined ..."
        ... threadIdx.x ...              #endif
    }
    #endif

Who builds the translation as the source was read never gets there; who does not is told. What
stands behind `#if 0` nobody gets to, so that it is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic, Note, warning
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.conditions import Branch, conditionals, is_skipped
from g2o.frontend.cuda.lexer import Directive, LexedFile, lex
from g2o.frontend.cuda.macros import never_compiled
from g2o.frontend.cuda.unit import SourceUnit
from g2o.frontend.edits import TextEdit

_DEVICE: Final = frozenset(("__global__", "__shared__", "__syncthreads"))
_INDICES: Final = frozenset(("threadIdx", "blockIdx", "blockDim", "gridDim"))
_GONE: Final = "// (code for the device)\n"
_ERROR: Final = '#error "not translated: its condition did not hold when g2o read the source"\n'


def skipped_code_edits(
    unit: SourceUnit, functions: Sequence[tuple[int, int]]
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """What takes the place of device code that was skipped, outside of the `functions`, which are
    replaced as a whole, and a warning for each place."""
    edits: list[TextEdit] = []
    diagnostics: list[Diagnostic] = []
    for branch in skipped_device_code(unit, functions):
        edits.append(TextEdit(branch.opening.line_end + 1, branch.closing.begin, _ERROR))
        diagnostics.append(_warning(unit.main, branch.opening))
    edits.extend(_never_compiled_edits(lex(unit.main.text), functions))
    return edits, diagnostics


def _never_compiled_edits(
    lexed: LexedFile, functions: Sequence[tuple[int, int]]
) -> Iterator[TextEdit]:
    never = sorted(never_compiled(lexed))
    begins = {begin for begin, _ in never if not any(a < begin < b for a, b in never)}
    for branches in conditionals(lexed):
        for branch in branches:
            begin = branch.opening.begin
            is_outside = begin in begins and not any(a <= begin < b for a, b in functions)
            if is_outside and _is_for_device(lexed, branch):
                yield TextEdit(branch.opening.line_end + 1, branch.closing.begin, _GONE)


def skipped_device_code(
    unit: SourceUnit, functions: Sequence[tuple[int, int]] = ()
) -> list[Branch]:
    """The branches with device code that were skipped, outside of the `functions`."""
    source = unit.main
    lexed = lex(source.text)
    never = never_compiled(lexed)
    branches = [
        branch
        for branches in conditionals(lexed)
        for branch in branches
        if _is_for_device(lexed, branch)
        and not any(begin <= branch.opening.begin < end for begin, end in (*never, *functions))
    ]
    if not branches:
        return []
    skipped = unit.skipped(source)
    declared = [node for node in unit.translation_unit.top_level if node.file]  # not the compiler's
    places = [node.begin for node in declared if unit.file_of(node) is source]

    def was_read(branch: Branch) -> bool:  # this time, or when included before
        begin, end = branch.opening.line_end + 1, branch.closing.begin
        return any(begin <= place < end for place in places)

    return [one for one in branches if is_skipped(one, skipped) and not was_read(one)]


def _is_for_device(lexed: LexedFile, branch: Branch) -> bool:
    tokens = [token for token in lexed.code if branch.contains(token.begin, token.end)]
    return any(
        token.text in _DEVICE or (token.text in _INDICES and after == ".")
        for token, after in zip(tokens, [*(t.text for t in tokens[1:]), ""], strict=False)
    )


def _warning(source: SourceFile, opening: Directive) -> Diagnostic:
    span = SourceSpan(source, opening.begin, opening.end)
    message = "device code under a condition that does not hold is not translated"
    note = Note("give the macros that it depends on with -D")
    return warning("G2O0219", message, span, note)
