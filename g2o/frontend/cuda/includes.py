"""Includes: CUDA's headers make way for the runtime's, translated files follow their new names.

#include <cuda_runtime.h>     ->  #include "g2o_runtime.hpp"
#include <curand_kernel.h>    ->  (gone with its line)
#include <thrust/sort.h>      ->  #include "g2o_thrust.hpp"
#include "kernel.cuh"         ->  #include "kernel.omp.hpp"

nvcc reads CUDA's headers before anything else. The runtime's stands where the source has them, but
in front of macros that would change what it says: `#define T float`, `#define min(a, b) ...`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.api import REPLACED_INCLUDES
from g2o.frontend.cuda.conditions import first_condition
from g2o.frontend.cuda.lexer import Directive, LexedFile, Token, lex
from g2o.frontend.cuda.libraries import (
    LIBRARY_DECLARATIONS,
    library_of_header,
    provided_header,
)
from g2o.frontend.cuda.punning import puns_types
from g2o.frontend.cuda.torch_headers import includes_torch
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit
from g2o.runtime.headers import OVER_OTHERS, RUNTIME_HEADER, names_of_part, parts

_PUNNING = "G2O_TYPE_PUNNING // memory is read as another type than it was written as"
_TORCH = "g2o_torch.hpp"
# What PyTorch has for compilers of CUDA alone, or for its tensors alone.
_FOR_CUDA = re.compile(r"\b(RestrictPtrTraits|check(?:All)?SameGPU)\b")
_COMMENT = re.compile(r"//.*")
_IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*")
_PASTED = re.compile(r"##([1-9])")
_HEADER_NAME = re.compile(r'[<"]([^>"\n]*)[>"]')


@final
@dataclass(frozen=True, slots=True)
class _Include:
    directive: Directive
    header: str
    begin: int  # of the delimited name
    end: int


def include_edits(
    source: SourceFile, facts: UnitFacts, first_use: int | None, *, needs_runtime: bool
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The edits for the file's includes.

    `needs_runtime`: the rest of the file is CUDA, so that it gets the runtime header even where it
    includes no CUDA header (nvcc does that for it), in front of `first_use`.
    """
    lexed = lex(source.text)
    edits: list[TextEdit] = []
    includes = _includes(lexed)
    line = f'#include "{facts.runtime_header}"'
    if puns_types(lexed) or facts.casts_between_types:
        line += f"{_newline(source.text)}{_PUNNING}"
    depth = _nesting(lexed)
    has_runtime = False
    provided: set[str] = set()
    # What a header includes inside of `extern "C" {` has to have been included before.
    needs_runtime = needs_runtime or any(
        include.header in facts.translated_includes and _is_in_braces(lexed, include.directive)
        for include in includes
    )
    condition = first_condition(lexed)
    latest = len(source.text) if condition is None else condition.begin
    if first_use is not None and first_use < latest:
        latest = _start_of_declaration(lexed, first_use)
    latest = min(latest, _first_clash(lexed))
    for include in includes:
        if include.header in facts.translated_includes:
            name = facts.translated_includes[include.header]
            edits.append(TextEdit(include.begin, include.end, f'"{name}"'))
            continue
        library = provided_header(include.header)
        if library is None and include.directive.begin in depth:
            library = _part_over_another(lexed, include.header)
        if library is not None:
            name = PurePosixPath(facts.runtime_header).with_name(library)
            if library in provided:
                edits.append(_without_line(lexed, include.directive))
            else:
                edits.append(TextEdit(include.begin, include.end, f'"{name}"'))
            if include.directive.begin not in depth:
                provided.add(library)
            continue
        if include.header in facts.empty_includes:
            edits.append(_without_line(lexed, include.directive))
            continue
        if is_cuda_header(include.header):
            place = include.directive.begin
            if not has_runtime and place not in depth and place < latest:
                edits.append(TextEdit(include.directive.begin, include.directive.end, line))
                has_runtime = True
            else:
                edits.append(_without_line(lexed, include.directive))
    if not has_runtime and (needs_runtime or any(is_cuda_header(i.header) for i in includes)):
        inserted_at = _insertion_point(lexed, includes, depth)
        if latest < inserted_at:
            line_begin = source.text.rfind("\n", 0, depth.get(latest, latest)) + 1
            inserted_at = _start_of_leading_comment(lexed, line_begin)
        blank_line_follows = source.text.startswith(("\n", "\r\n"), inserted_at)
        is_above_include = bool(includes) and inserted_at <= includes[0].directive.begin
        lines = 1 if is_above_include or blank_line_follows else 2
        edits.append(TextEdit(inserted_at, inserted_at, line + lines * _newline(source.text)))
    found = _FOR_CUDA.finditer(source.text)
    for_cuda = next((one for one in found if one[1] not in facts.user_declared), None)
    if for_cuda is not None and _TORCH not in provided:
        place = _place_of_torch(includes, facts, depth, for_cuda.start())
        if place is not None:
            name = PurePosixPath(facts.runtime_header).with_name(_TORCH)
            edits.append(TextEdit(place, place, f'{_newline(source.text)}#include "{name}"'))
    return edits, library_faults(source, facts)


def _place_of_torch(
    includes: list[_Include], facts: UnitFacts, depth: dict[int, int], first_use: int
) -> int | None:
    """Behind the first header of PyTorch's that the file includes, or else the last of all headers
    in front of the use: one of them includes PyTorch's."""
    staying = [
        one
        for one in includes
        if not is_cuda_header(one.header)
        and one.header not in facts.empty_includes
        and provided_header(one.header) is None
    ]
    torch = [one for one in staying if includes_torch((f"#include <{one.header}>",))]
    before = [one for one in staying if one.end < first_use and one.directive.begin not in depth]
    return next((one.end for one in (*torch[:1], *before[-1:])), None)


def _part_over_another(lexed: LexedFile, header: str) -> str | None:
    """The part of the runtime for a library's header that needs another library, if the file uses
    it: that is included under the condition under which the source includes the header."""
    part = OVER_OTHERS.get(header)
    names = () if part is None else names_of_part(part)
    is_used = any(token.text.removesuffix("_v2") in names for token in lexed.code)
    return part if is_used else None


def _first_clash(lexed: LexedFile) -> int:
    """Where the first macro is defined that has a name in common with the runtime header."""
    guard = include_guard(lexed)
    for directive in lexed.directives:
        if directive.name != "define" or _is_head(directive, guard) or not directive.tokens:
            continue
        if is_runtime_name(directive.tokens[0].text):
            return directive.begin
    return len(lexed.text)


def is_runtime_name(name: str) -> bool:
    """Do the runtime header and its parts call something so, or put the name together?"""
    return name in runtime_names() or any(
        name.endswith(end) and name.removesuffix(end) in runtime_names() for end in _pasted_ends()
    )


@lru_cache(maxsize=1)
def runtime_names() -> frozenset[str]:
    """What the runtime header and its parts call things."""
    return frozenset(_IDENTIFIER.findall(_COMMENT.sub("", _runtime_text())))


@lru_cache(maxsize=1)
def _pasted_ends() -> tuple[str, ...]:
    """What macros of the runtime add to names: `T##4` makes `uint4`."""
    return tuple(sorted(set(_PASTED.findall(_runtime_text()))))


@lru_cache(maxsize=1)
def _runtime_text() -> str:
    folder = resources.files("g2o.runtime")
    names = (RUNTIME_HEADER, *parts())
    return "".join(folder.joinpath(name).read_text("utf-8") for name in names)


def _start_of_declaration(lexed: LexedFile, offset: int) -> int:
    """Where the declaration of namespace scope around `offset` begins."""
    start = depth = 0
    is_new = True
    for token in lexed.code:
        if token.begin > offset:
            break
        if is_new and depth == 0:
            start, is_new = token.begin, False
        if token.text in ("{", "("):
            depth += 1
        elif token.text in ("}", ")"):
            depth = max(0, depth - 1)
        if depth == 0 and token.text in (";", "}"):
            is_new = True
    return min(start, offset)


def library_faults(source: SourceFile, facts: UnitFacts) -> list[Diagnostic]:
    """An error for each include of a library that is not translated. A header that the program
    itself has, and that was read, is no library's."""
    found: list[Diagnostic] = []
    own = facts.staying_includes - facts.empty_includes
    for include in _includes(lex(source.text)):
        if include.header in facts.translated_includes or is_cuda_header(include.header):
            continue
        if include.header in own and provided_header(include.header) is None:
            continue
        span = SourceSpan(source, include.begin, include.end)
        library = library_of_header(include.header)
        if library is None or not facts.is_active(include.begin):
            continue
        if provided_header(include.header) is None:
            if include.header not in facts.empty_includes:
                found.append(library.fault(span))
        elif facts.has_device:
            found.append(library.device_fault(span))
    return found


def empty_includes(included: Iterable[tuple[str, str, int]]) -> frozenset[str]:
    """Those headers of libraries that are not translated among what clang included: they were
    read as if nothing was in them, so that what is used of them is an error at its own place."""
    files = (Path(name) for _, name, _ in included)
    ours = (
        file.relative_to(LIBRARY_DECLARATIONS).as_posix()
        for file in files
        if LIBRARY_DECLARATIONS in file.parents
    )
    return frozenset(name for name in ours if library_of_header(name) is not None)


def is_cuda_header(header: str) -> bool:
    """Whether the runtime header stands for this one."""
    return header in REPLACED_INCLUDES or header.rsplit("/", 1)[-1] in REPLACED_INCLUDES


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _includes(lexed: LexedFile) -> list[_Include]:
    found: list[_Include] = []
    for directive in lexed.directives:
        if directive.name == "include":
            name = _HEADER_NAME.match(lexed.text, directive.argument_begin)
            if name is not None:
                found.append(_Include(directive, name.group(1), name.start(), name.end()))
    return found


def _nesting(lexed: LexedFile) -> dict[int, int]:
    """For each directive inside braces or a conditional, where the outermost of those begins, with
    what is in front of the brace: `extern "C"`, `namespace n`.

    The include guard of a header is no conditional in this sense.
    """
    outer: dict[int, int] = {}
    guard = include_guard(lexed)
    conditionals: list[int] = []
    braces: list[int] = []
    heads: list[Token] = []  # what the declaration or statement has begun with
    code_index = 0
    for directive in lexed.directives:
        for token in lexed.code[code_index : directive.code_index]:
            heads.append(token)
            if token.text == "{":
                braces.append(heads[0].begin)
            elif token.text == "}" and braces:
                braces.pop()
            if token.text in ("{", "}", ";"):
                heads.clear()
        code_index = directive.code_index
        if directive.name in ("if", "ifdef", "ifndef"):
            conditionals.append(-1 if directive is guard else directive.begin)
        elif directive.name == "endif" and conditionals:
            conditionals.pop()
        around = [
            begin for begin in (*conditionals[:1], *conditionals[1:2], *braces[:1]) if begin >= 0
        ]
        if around:
            outer[directive.begin] = min(around)
    return outer


def _is_in_braces(lexed: LexedFile, directive: Directive) -> bool:
    before = [token.text for token in lexed.code[: directive.code_index]]
    return before.count("{") > before.count("}")


def include_guard(lexed: LexedFile) -> Directive | None:
    """The `#ifndef X` in front of `#define X`, when nothing comes before it."""
    previous = None
    for directive in lexed.directives:
        if directive.code_index > 0:
            return None
        if previous is not None and directive.name == "define":
            named = [token.text for token in previous.tokens[-1:]] or [""]
            first = [token.text for token in directive.tokens[:1]]
            return previous if named == first else None
        if previous is not None:
            return None
        if directive.name in ("ifndef", "if"):
            previous = directive
        elif directive.name != "pragma":
            return None
    return None


def _insertion_point(lexed: LexedFile, includes: list[_Include], nesting: dict[int, int]) -> int:
    """Start of the line of the first include, or of what is around it; else of the first code."""
    text = lexed.text
    if includes:
        begin = includes[0].directive.begin
        return text.rfind("\n", 0, nesting.get(begin, begin)) + 1
    guard = include_guard(lexed)
    head = [d for d in lexed.directives if d is guard or _is_head(d, guard)]
    candidates = [token.begin for token in lexed.code[:1]]
    candidates += [d.begin for d in lexed.directives if d not in head][:1]
    begin = min(candidates, default=len(text))
    return _start_of_leading_comment(lexed, text.rfind("\n", 0, begin) + 1)


def _is_head(directive: Directive, guard: Directive | None) -> bool:
    """Whether this is the `#pragma once` or the `#define` of an include guard."""
    if directive.code_index > 0:
        return False
    is_define = guard is not None and directive.name == "define"
    named = [token.text for token in directive.tokens[:1]]
    return directive.name == "pragma" or (
        is_define and guard is not None and named == [t.text for t in guard.tokens[-1:]]
    )


def _start_of_leading_comment(lexed: LexedFile, offset: int) -> int:
    """In front of the comment that ends on the line above `offset`, unless it heads the file."""
    text = lexed.text
    start = offset
    for begin, end in reversed(lexed.comments):
        if end > start:
            continue
        between = text[end:start]
        line = text.rfind("\n", 0, begin) + 1
        if between.strip() or between.count("\n") > 1 or text[line:begin].strip():
            break
        start = line
    return offset if not text[:start].strip() else start


def _without_line(lexed: LexedFile, directive: Directive) -> TextEdit:
    """Remove the directive with its line, and with a comment that ends on that line."""
    text = lexed.text
    begin = text.rfind("\n", 0, directive.begin) + 1
    if "\n" in text[directive.end : directive.line_end]:
        return TextEdit(directive.begin, directive.end, "")
    return TextEdit(begin, min(directive.line_end + 1, len(text)), "")
