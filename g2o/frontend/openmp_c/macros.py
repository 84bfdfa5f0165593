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
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.unit import SourceUnit

_CODE: Final = "G2O0414"
_DIRECTIVE: Final = re.compile(
    r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)((?:\\\r?\n|[^\n])*)", re.MULTILINE
)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


@final
@dataclass(frozen=True, slots=True)
class _Change:
    """From `at` on the macro is what `body` says; None: there is none. The directive stands in
    `[begin, end)` of its file."""

    at: int
    begin: int
    end: int
    name: str
    body: str | None


@final
@dataclass(frozen=True, slots=True)
class _Read:
    """A part of a file, which the preprocessor reads as a whole when it has read `before` letters
    of others."""

    file: SourceFile
    begin: int
    end: int
    before: int


def with_macros_again(
    made: str, place: int, used_in: Sequence[SourceSpan], unit: SourceUnit
) -> str:
    """What is written at a place in the main file, with the macros there as they were in the
    functions that it is made from, which headers may define. Raises Refusal for macros that have
    several meanings in these."""
    main = used_in[0].file
    is_alone = all(span.file is main for span in used_in)
    read = [_Read(main, 0, len(main.text), 0)] if is_alone else _in_order(unit)
    files = {id(one.file): one.file for one in read}
    idle = {key: (*lex(f.text).comments, *unit.skipped(f)) for key, f in files.items()}
    changes = [change for one in read for change in _changes(one, idle[id(one.file)])]
    names = {one.name for one in changes}
    needed = {*_WORD.findall(made)} & names
    uses = [
        use
        for span in used_in
        for one in read
        if one.file is span.file
        for use in _uses(one, span, names, idle[id(span.file)])
    ]
    there_at = next(_at(one, place) for one in read if one.file is main and place <= one.end)
    for name in sorted(_with_their_own(needed, changes)):
        meanings = {
            _body_at(name, at, changes)
            for at, word in uses
            if name in _with_their_own({word}, changes)
        }
        there = _body_at(name, there_at, changes)
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


def _in_order(unit: SourceUnit) -> list[_Read]:
    """What the preprocessor reads, as far as it is not the system's. A file that is included more
    than once is read where it is included first."""
    own = set(unit.user_files())
    included: dict[str, list[tuple[int, str]]] = {}
    for source, name, offset in unit.translation_unit.includes:
        included.setdefault(source, []).append((offset, name))
    found: list[_Read] = []
    seen: set[str] = set()
    read = 0

    def visit(name: str) -> None:
        nonlocal read
        seen.add(name)
        file, begin = unit.source_file(name), 0
        inner = sorted(one for one in included.get(name, ()) if one[1] in own)
        for offset, other in (*inner, (len(file.text), name)):
            found.append(_Read(file, begin, offset, read))
            read += offset - begin
            begin = offset
            if other not in seen:
                visit(other)

    visit(unit.main_path)
    return found


def _at(read: _Read, offset: int) -> int:
    """How much has been read at an offset of its file."""
    return read.before + offset - read.begin


def _changes(read: _Read, idle: Collection[tuple[int, int]]) -> Iterator[_Change]:
    for found in _DIRECTIVE.finditer(read.file.text):
        begin, end = found.span()
        is_read = read.begin <= begin < read.end
        if is_read and not any(low <= begin and end <= high for low, high in idle):
            body = found[3].split("//")[0].rstrip() if found[1] == "define" else None
            yield _Change(_at(read, begin), begin, end, found[2], body)


def _uses(
    read: _Read, span: SourceSpan, names: Collection[str], idle: Collection[tuple[int, int]]
) -> Iterator[tuple[int, str]]:
    ranges = (*idle, *((one.begin, one.end) for one in _changes(read, idle)))
    for found in _WORD.finditer(span.file.text, span.begin, span.end):
        at = found.start()
        is_read = read.begin <= at < read.end and found[0] in names
        if is_read and not any(low <= at < high for low, high in ranges):
            yield _at(read, at), found[0]


def _body_at(name: str, place: int, changes: Sequence[_Change]) -> str | None:
    known = [one.body for one in changes if one.name == name and one.at < place]
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
