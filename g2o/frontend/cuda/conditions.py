"""Conditions of the preprocessor: the compiler of a translation takes the branches that were read.

#ifdef __CUDACC__              ->  #ifdef G2O
#if CUDART_VERSION >= 11000    ->  #if G2O_CUDA_VERSION >= 11000
#ifdef _OPENMP                 ->  #ifdef G2O_SOURCE_OPENMP
#if __CUDA_ARCH__ >= 700       ->  #if G2O_CUDA_ARCH >= 700, where only devices compile what follows

The runtime header defines the new names, but for the last: nvcc does not define `_OPENMP` either,
unless the source is read with `-fopenmp`. `__CUDA_ARCH__` is defined neither while the source is
read nor in the translation: other code that only it switches on is left out, which has to be said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Note, warning
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda import taken_branches
from g2o.frontend.cuda.api import CONDITION_NAMES
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.device_conditions import (
    ARCHITECTURE,
    DEVICE_ARCHITECTURE,
    device_conditions,
    settled_conditions,
)
from g2o.frontend.cuda.lexer import Directive, LexedFile, Token, lex
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

OPENMP: Final = "_OPENMP"
_SOURCE_OPENMP: Final = "G2O_SOURCE_OPENMP"


def condition_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """New names of predefined macros, in directives and in code."""
    edits = [
        TextEdit(token.begin, token.end, CONDITION_NAMES[token.text])
        for token in _predefined(lex(source.text))
    ]
    edits += (
        TextEdit(token.begin, token.end, DEVICE_ARCHITECTURE)
        for token in device_conditions(source.text)
    )
    if facts.reads_openmp:
        return edits, []
    openmp = list(openmp_conditions(source.text))
    edits += (TextEdit(token.begin, token.end, _SOURCE_OPENMP) for token in openmp)
    return edits, [_openmp_fault(source, token) for token in openmp[:1]]


def first_condition(lexed: LexedFile) -> Directive | None:
    """The first directive with a macro that the runtime header has to define before."""
    return next(
        (
            directive
            for directive in lexed.directives
            if any(token.text in CONDITION_NAMES for token in directive.tokens)
        ),
        None,
    )


def _predefined(lexed: LexedFile) -> Iterator[Token]:
    lines = chain((lexed.code,), (directive.tokens for directive in lexed.directives))
    for tokens in lines:
        for token in tokens:
            if token.text in CONDITION_NAMES:
                yield token


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """What stands between two directives of one conditional."""

    opening: Directive
    closing: Directive

    def contains(self, begin: int, end: int) -> bool:
        return self.opening.line_end <= begin and end <= self.closing.begin


def openmp_conditions(text: str) -> Iterator[Token]:
    """Every `_OPENMP` in a condition: true in the translation, false for nvcc."""
    if OPENMP not in text:
        return
    for directive in lex(text).directives:
        if directive.name in taken_branches.OPENING | taken_branches.FURTHER:
            yield from (token for token in directive.tokens if token.text == OPENMP)


def _openmp_fault(source: SourceFile, token: Token) -> Diagnostic:
    message = "code under '_OPENMP' is left out of the translation"
    note = Note("give `-- -fopenmp` where nvcc gets `-Xcompiler -fopenmp`")
    return warning("G2O0217", message, SourceSpan(source, token.begin, token.end), note)


def architecture_faults(
    source: SourceFile, skipped: Sequence[tuple[int, int]], functions: Iterable[Cursor]
) -> list[Diagnostic]:
    """A warning for each branch on `__CUDA_ARCH__` that is left out and may be missed.

    `skipped` is what the preprocessor skipped, `functions` are the file's kernels and device
    functions. Code only for the device misses whatever is left out; elsewhere a branch for the
    host may well stand beside it, unless both define device functions. Hosts miss their own branch
    where the device's is taken for both.
    """
    lexed = lex(source.text)
    bodies = [(each.begin, each.end, _is_for_host(each)) for each in functions]
    settled = settled_conditions(source.text)
    of_device = {token.begin for token in device_conditions(source.text)}
    found: list[Diagnostic] = []
    for branches in conditionals(lexed):
        if not any(_asks_for_architecture(branch.opening) for branch in branches):
            continue
        left_out = [branch for branch in branches if is_skipped(branch, skipped)]
        if len(left_out) == len(branches) and _is_nested(branches, skipped):
            continue
        begin, end = branches[0].opening.begin, branches[-1].closing.end
        around = [host for first, last, host in bodies if first <= begin and end <= last]
        only_device = bool(around) and not around[0]
        asked = any(t.begin in of_device for one in branches for t in one.opening.tokens)
        if begin in settled and (only_device or not asked):
            continue
        kept = any(_has_code(lexed, one) for one in branches if one not in left_out)
        asks_host = any(_is_tested_for(branch.opening) for branch in branches)
        versions = len({one in left_out for one in branches if _is_on_device(lexed, one)}) == 2
        if not only_device and not asked and (asks_host or (kept and not versions)):
            continue
        taken = "the branch for compute capability 8.0" if asked else "the branch for hosts"
        instead = f"{taken} is translated" if kept else "nothing takes its place"
        for branch in left_out:
            if _has_code(lexed, branch):
                found.append(_left_out(source, branch.opening, instead))
                break
    return found


def _left_out(source: SourceFile, directive: Directive, instead: str) -> Diagnostic:
    span = SourceSpan(source, directive.begin, directive.end)
    message = "code for '__CUDA_ARCH__' is left out of the translation"
    return warning("G2O0216", message, span, Note(instead))


def conditionals(lexed: LexedFile) -> Iterator[tuple[Branch, ...]]:
    """The branches of each `#if` ... `#endif`."""
    for parts in taken_branches.conditionals(lexed.directives):
        yield tuple(Branch(*pair) for pair in pairwise(parts))


def _asks_for_architecture(directive: Directive) -> bool:
    return any(token.text == ARCHITECTURE for token in directive.tokens)


def _is_tested_for(directive: Directive) -> bool:
    """Whether the condition asks if the macro is defined at all, as code with a host side does."""
    words = [token.text for token in directive.tokens]
    return ARCHITECTURE in words and ("defined" in words or directive.name not in ("if", "elif"))


def is_skipped(branch: Branch, skipped: Sequence[tuple[int, int]]) -> bool:
    return any(
        begin <= branch.opening.begin and branch.closing.begin <= end for begin, end in skipped
    )


def _is_nested(branches: Sequence[Branch], skipped: Sequence[tuple[int, int]]) -> bool:
    """Whether the whole conditional stands in text that is skipped."""
    first, last = branches[0].opening, branches[-1].closing
    return any(begin < first.begin and last.end < end for begin, end in skipped)


def _has_code(lexed: LexedFile, branch: Branch) -> bool:
    return any(branch.contains(token.begin, token.end) for token in lexed.code) or any(
        branch.contains(line.begin, line.end) for line in lexed.directives
    )


def _is_on_device(lexed: LexedFile, branch: Branch) -> bool:
    return any(t.text == "__device__" and branch.contains(t.begin, t.end) for t in lexed.code)


def _is_for_host(function: Cursor) -> bool:
    return any(child.kind == "CUDAHOST_ATTR" for child in function.children)
