"""Macros of a C file that mean something else, or nothing, behind the function that uses them.

double f(...)                            double f(...) { ... }
{
#define WIDTH 0.25                       #define WIDTH 0.25
    ... WIDTH ...                  ->    double f_grad(...) { ... WIDTH ... }
#undef WIDTH                             #undef WIDTH
}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.lexer import lex

_CODE: Final = "G2O0414"
_DIRECTIVE: Final = re.compile(
    r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)((?:\\\r?\n|[^\n])*)", re.MULTILINE
)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


@final
@dataclass(frozen=True, slots=True)
class _Change:
    """From `begin` on the macro is what `body` says; None: there is none."""

    begin: int
    end: int
    name: str
    body: str | None


def with_macros_again(
    made: str, place: int, used_in: Sequence[SourceSpan], skipped: Iterable[tuple[int, int]]
) -> str:
    """What is written at a place in a file, with the macros there as they were in the functions
    that it is made from. Raises Refusal for macros that have several meanings in these."""
    file = used_in[0].file
    idle = (*lex(file.text).comments, *skipped)
    changes = [*_changes(file, idle)]
    names = {one.name for one in changes}
    needed = {*_WORD.findall(made)} & names
    uses = [use for span in used_in for use in _uses(span, names, idle, changes)]
    for name in sorted(_with_their_own(needed, changes)):
        meanings = {
            _body_at(name, at, changes)
            for at, word in uses
            if name in _with_their_own({word}, changes)
        }
        there = _body_at(name, place, changes)
        if meanings <= {there}:
            continue
        (meaning,) = meanings if len(meanings) == 1 else (None,)
        if meaning is None:
            message = f"macro '{name}' with several meanings in a function with a derivative"
            raise refuse(_CODE, message, used_in[0], Note("give each meaning a name of its own"))
        before = "" if there is None else f"#undef {name}\n"
        after = "" if there is None else f"\n#define {name}{there}"
        made = f"{before}#define {name}{meaning}\n{made}\n#undef {name}{after}"
    return made


def _changes(file: SourceFile, idle: Collection[tuple[int, int]]) -> Iterator[_Change]:
    for found in _DIRECTIVE.finditer(file.text):
        begin, end = found.span()
        if not any(low <= begin and end <= high for low, high in idle):
            body = found[3].split("//")[0].rstrip() if found[1] == "define" else None
            yield _Change(begin, end, found[2], body)


def _uses(
    span: SourceSpan,
    names: Collection[str],
    idle: Collection[tuple[int, int]],
    changes: Collection[_Change],
) -> Iterator[tuple[int, str]]:
    ranges = (*idle, *((one.begin, one.end) for one in changes))
    for found in _WORD.finditer(span.file.text, span.begin, span.end):
        at = found.start()
        if found[0] in names and not any(low <= at < high for low, high in ranges):
            yield at, found[0]


def _body_at(name: str, place: int, changes: Sequence[_Change]) -> str | None:
    known = [one.body for one in changes if one.name == name and one.begin < place]
    return known[-1] if known else None


def _with_their_own(names: Collection[str], changes: Sequence[_Change]) -> set[str]:
    """The macros with those that their definitions name."""
    known = set(names)
    while (
        more := {
            word
            for one in changes
            if one.name in known and one.body is not None
            for word in _WORD.findall(one.body)
            if any(other.name == word for other in changes)
        }
        - known
    ):
        known |= more
    return known
