"""A C file: what clang says of it, and its functions as IR."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, refuse
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.build_functions import build_function
from g2o.frontend.cuda.callees import function_key
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.expanded_unit import ExpandedUnit, expand_device_code
from g2o.frontend.cuda.parsed import Parsed
from g2o.frontend.cuda.reading import read_source
from g2o.frontend.cuda.unit import SourceUnit, compiler_includes, faults_of
from g2o.frontend.openmp_c.directives import (
    Pragma,
    macro_with_pragma,
    pragmas_within,
    threadprivate_in,
)
from g2o.ir.kernel import Function

_FLAGS: Final = (
    *("-x", "c", "-Wno-everything", "-ferror-limit=0", "-fbracket-depth=1024"),
    "-D__malloc__(function)=",  # GCC's omp.h says what frees memory, which clang does not know
    "-D_OPENMP=201511",
)
_STANDARD: Final = "-std=gnu11"


@final
@dataclass(slots=True)
class CSource:
    """A parsed C file. `faults` are clang's errors; without them the functions can be asked for.

    Everything is said of the file with the macros that make statements expanded in its functions:
    `in_source` and `original_range` lead back to the `original`.
    """

    expanded: ExpandedUnit
    original: SourceFile
    faults: tuple[Diagnostic, ...]
    _definitions: dict[str, Cursor] = field(default_factory=dict[str, Cursor])
    _included: dict[str, Cursor] = field(default_factory=dict[str, Cursor])
    _built: dict[str, Function] = field(default_factory=dict[str, Function])

    @property
    def unit(self) -> SourceUnit:
        return self.expanded.unit

    @property
    def file(self) -> SourceFile:
        return self.unit.main

    def in_source(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        return tuple(map(self.expanded.in_source, diagnostics))

    def original_range(self, begin: int, end: int) -> tuple[int, int]:
        return self.expanded.original_range(begin, end)

    @property
    def texts(self) -> tuple[str, ...]:
        """Those of the file and of what it includes, but for the system's headers."""
        return tuple(file.text for file in self.unit.own_files())

    def function(self, key: str) -> Function | None:
        """The function with that key; None where neither the file nor what it includes, but for the
        system's headers, defines it. Raises Refusal."""
        cursor = self._definitions.get(key) or self._included.get(key)
        if cursor is not None and key not in self._built:
            self._built[key] = build_function(self.unit, cursor)
        return self._built.get(key)

    def definitions(self) -> list[tuple[str, str, int]]:
        """The functions that the file defines: keys, names, and where they begin."""
        return [(key, one.spelling, one.begin) for key, one in self._definitions.items()]

    def pragmas_of(self, function: Function) -> list[Pragma]:
        """OpenMP's pragmas in the body of a function. Raises Refusal."""
        assert function.body.span is not None
        file = function.span.file
        macro = macro_with_pragma(function.body.span, self.texts)
        if macro is not None:
            message = f"`{macro}`, which makes a pragma, in a function with a derivative"
            raise refuse("G2O0411", message, function.name_span)
        return pragmas_within(function.body.span, lambda: self.unit.skipped(file))

    def thread_private(self) -> frozenset[str]:
        """The variables of the file, and of what it includes, of which every thread has its own."""
        return frozenset(
            name
            for file in self.unit.own_files()
            for one in threadprivate_in(file, partial(self.unit.skipped, file))
            for name in one.named_by("threadprivate")
        )

    def function_around(self, span: SourceSpan) -> Function:
        """The function in whose body the span is. Raises Refusal where it is in none."""
        for key, cursor in self._definitions.items():
            if cursor.begin <= span.begin and span.end <= cursor.end:
                found = self.function(key)
                assert found is not None
                return found
        raise refuse("G2O0411", "a pragma outside of functions is not understood", span)


def read_c(path: Path, flags: tuple[str, ...], shown_as: str) -> CSource:
    """Parse a C file. Raises OSError where it cannot be read."""
    main = read_source(path, shown_as)
    standard = () if any(flag.startswith("-std") for flag in flags) else (_STANDARD,)
    arguments = (*_FLAGS, *compiler_includes(), *standard, *flags)
    parsed = Parsed(str(path), arguments, {}, skips=False)
    unit = SourceUnit(main, str(path), parsed.unit(), parsed, {str(path): main})
    faults = faults_of(unit)
    if faults:
        return CSource(ExpandedUnit(unit, {}), main, faults)
    expanded = expand_device_code(unit, _defined_in(unit), passing_stay=True)
    own: dict[str, Cursor] = {}
    included: dict[str, Cursor] = {}
    for cursor in _defined_in(expanded.unit):
        is_own = cursor.file == expanded.unit.main_path
        (own if is_own else included)[function_key(cursor)] = cursor
    return CSource(expanded, main, (), own, included)


def _defined_in(unit: SourceUnit) -> list[Cursor]:
    """The functions that the file defines, and the headers of the program that it includes."""
    files = frozenset(unit.user_files())
    return [
        cursor
        for cursor in unit.translation_unit.top_level
        if cursor.kind == "FUNCTION_DECL"
        and cursor.file in files
        and any(child.kind == "COMPOUND_STMT" for child in cursor.children)
    ]


def reads_as_c(path: Path, text: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """What clang finds wrong with `text` in place of the file, OpenMP's pragmas among it."""
    arguments = (*_FLAGS, *compiler_includes(), _STANDARD, *flags, "-fopenmp")
    unit = Parsed(str(path), arguments, {str(path): text.encode("latin-1")}, skips=False).unit()
    return tuple(message.text for message in unit.messages if message.severity >= 3)
