# pyright: basic
"""A file that libclang has parsed, and what clang says of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

from clang import cindex

from g2o.diagnostics.source import note_read
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clang_library import LIB, file_name, file_offset


@final
@dataclass(frozen=True, slots=True)
class ClangMessage:
    """A diagnostic of clang. `severity` is clang's: 2 warning, 3 error, 4 fatal."""

    severity: int
    text: str
    file: str
    begin: int
    end: int
    option: str
    notes: tuple[ClangMessage, ...]


@final
class TranslationUnit:
    """A parsed file. Raises OSError where libclang cannot read it at all.

    `texts` stand for the contents of files; `skips`: note which text the preprocessor skips, for
    which parsing takes a fifth longer.
    """

    def __init__(
        self,
        path: str,
        arguments: Sequence[str],
        texts: Mapping[str, bytes] | None = None,
        *,
        skips: bool = False,
    ) -> None:
        options = (
            cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
            if skips
            else cindex.TranslationUnit.PARSE_NONE
        )
        unsaved = [(os.fsencode(name), text) for name, text in texts.items()] if texts else None
        words = [os.fsencode(word) for word in arguments]
        try:
            index = cindex.Index.create(excludeDecls=True)  # of what is precompiled
            self._raw = index.parse(os.fsencode(path), words, unsaved, options)
        except cindex.TranslationUnitLoadError as failure:
            raise OSError(f"libclang cannot parse {path}") from failure
        for _, name, _ in self.includes:
            note_read(name)

    @cached_property
    def top_level(self) -> tuple[Cursor, ...]:
        """What the files declare, in order; not what is precompiled."""
        found = (Cursor(raw) for raw in self._raw.cursor.get_children())
        return tuple(one for one in found if not _is_instance(one))

    @property
    def messages(self) -> tuple[ClangMessage, ...]:
        return tuple(_message(raw) for raw in self._raw.diagnostics)

    @cached_property
    def includes(self) -> tuple[tuple[str, str, int], ...]:
        """(including file, or "" for the command line, included file, offset of the directive)."""
        return tuple(
            (
                file_name(inclusion.source),
                file_name(inclusion.include),
                inclusion.location.offset,
            )
            for inclusion in self._raw.get_includes()
        )

    def skipped(self, file: str) -> tuple[tuple[int, int], ...]:
        """What the preprocessor skipped in the file that clang calls `file`: from the `#` of the
        directive that begins a branch to the one that ends it. Empty unless parsed with `skips`."""
        found = LIB.clang_getSkippedRanges(self._raw, self._raw.get_file(os.fsencode(file)))
        listed = found.contents
        ranges = [listed.ranges[index] for index in range(listed.count)]
        offsets = tuple(
            (
                file_offset(LIB.clang_getRangeStart(one)),
                file_offset(LIB.clang_getRangeEnd(one)),
            )
            for one in ranges
        )
        LIB.clang_disposeSourceRangeList(found)
        return offsets


def _is_instance(cursor: Cursor) -> bool:
    """Does clang list a function because it is called, and not because it stands there?"""
    if cursor.kind in ("CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"):
        return cursor.raw.lexical_parent.kind.name != "TRANSLATION_UNIT"
    is_special = cursor.kind == "FUNCTION_DECL" and cursor.template is not None
    return is_special and not cursor.is_explicit_specialisation


def precompile(path: str, arguments: Sequence[str], to: str) -> tuple[str, ...]:
    """Write a header as clang keeps it, for `-include-pch`: the files that it was made from. Empty
    where it cannot be read without errors, or not be written."""
    options = cindex.TranslationUnit.PARSE_INCOMPLETE
    instances = ("-Xclang", "-fpch-instantiate-templates")  # once, and not in every file
    words = [os.fsencode(word) for word in (*arguments, *instances)]
    try:
        unit = cindex.Index.create().parse(os.fsencode(path), words, None, options)
        if any(one.severity >= cindex.Diagnostic.Error for one in unit.diagnostics):
            return ()
        unit.save(os.fsencode(to))
    except (cindex.TranslationUnitLoadError, cindex.TranslationUnitSaveError):
        return ()
    included = (file_name(one.include) for one in unit.get_includes())
    return tuple(dict.fromkeys((path, *included)))


def _message(raw: Any) -> ClangMessage:
    location = raw.location
    begin = end = file_offset(location)
    for extent in raw.ranges:
        if file_offset(extent.start) <= begin <= file_offset(extent.end):
            end = max(end, file_offset(extent.end))
    return ClangMessage(
        raw.severity,
        raw.spelling,
        file_name(location.file),
        begin,
        end,
        raw.option or "",
        tuple(_message(child) for child in raw.children),
    )
