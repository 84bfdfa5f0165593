"""A CUDA file as the translator sees it: kernels as IR, and the edits of everything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, Refusal
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.build_expressions import function_key
from g2o.frontend.cuda.build_statements import build_function
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.host import HostEdits, KernelFact, UnitFacts, host_edits, launches
from g2o.frontend.cuda.launches import LaunchSite
from g2o.frontend.cuda.unit import SourceUnit, parse_unit
from g2o.frontend.edits import EditedText
from g2o.ir.kernel import Function, LaunchShape
from g2o.ir.statements import Declare
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk

_CONTAINERS = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_CLASSES = frozenset({"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "UNION_DECL"})
_FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})
_METHODS = frozenset({"CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_EXTERN_SHARED = re.compile(r"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b")


@final
@dataclass(frozen=True, slots=True)
class KernelSource:
    """A kernel defined in the file: its IR, or why there is none."""

    name: str
    cursor: Cursor
    span: SourceSpan
    function: Function | None
    refusal: Diagnostic | None


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """Where a device function stands, from its comment to the end of its line."""

    key: str
    begin: int
    end: int


@final
@dataclass(slots=True)
class Program:
    """Everything read from one file. `functions` holds the device functions that were asked for."""

    unit: SourceUnit
    kernels: tuple[KernelSource, ...] = ()
    device_functions: tuple[Cursor, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    shapes: Mapping[str, LaunchShape] = field(default_factory=dict[str, LaunchShape])
    host: HostEdits = HostEdits((), ())
    facts: UnitFacts = field(default_factory=lambda: UnitFacts({}))
    _built: dict[str, Function | Refusal] = field(default_factory=dict[str, "Function | Refusal"])

    @property
    def source(self) -> SourceFile:
        return self.unit.main

    def function(self, key: str) -> Function | None:
        """The IR of a device function of the program; None where its body is not known.

        Raises Refusal where the body has something that cannot be carried.
        """
        info = self.unit.functions.get(key)
        if info is None:
            return None
        built = self._built.get(key)
        if built is None:
            try:
                built = build_function(self.unit, info.cursor)
            except Refusal as refusal:
                built = refusal
            self._built[key] = built
        if isinstance(built, Refusal):
            raise built
        return built

    def device_definitions(self) -> tuple[Definition, ...]:
        """Device functions that the file defines (no prototypes), with their comment in front."""
        found: list[Definition] = []
        for cursor in self.device_functions:
            if not any(child.kind == "COMPOUND_STMT" for child in cursor.children):
                continue
            self.unit.note_function(cursor)
            begin = _with_comment(self.source.text, cursor.begin)
            found.append(Definition(function_key(cursor), begin, cursor.end))
        return tuple(found)

    def edited(self, file: SourceFile) -> EditedText:
        known = self.unit.edits.get(file.path)
        if known is None:
            known = EditedText(file.text, _edits_of(self, file).edits)
            self.unit.edits[file.path] = known
        return known


def read_program(
    path: Path,
    flags: tuple[str, ...],
    shown_as: str,
    includes: Mapping[str, str],
    runtime_header: str,
    context: Path | None = None,
) -> Program:
    """Parse a file and build its kernels. Raises OSError where it cannot be read."""
    unit, faults = parse_unit(path, flags, shown_as, context)
    program = Program(unit, diagnostics=faults)
    if faults:
        return program
    found = _Declarations(unit)
    for cursor in unit.translation_unit.top_level:
        found.collect(cursor)
    macros = set(_DEFINE.findall(unit.main.text))
    unit.reserved_names = frozenset(found.names | macros)
    kernels = [_read_kernel(unit, cursor) for cursor in found.kernels]
    facts = {
        cursor.spelling: KernelFact(cursor.spelling, _takes_shared(program, cursor))
        for cursor in found.all_kernels
    }
    for cursor in found.device_functions:
        _note_references(unit, cursor)
    program.kernels = tuple(kernels)
    program.device_functions = tuple(found.device_functions)
    program.facts = UnitFacts(
        facts,
        frozenset(found.names | macros),
        unit.semantic_renames.get(unit.main_path, {}),
        includes,
        is_header=path.suffix != ".cu" and path.suffix != ".cpp",
        runtime_header=runtime_header,
    )
    program.host = host_edits(unit.main, program.facts)
    unit.edits[unit.main.path] = EditedText(unit.main.text, program.host.edits)
    program.shapes = _shapes(launches(unit.main))
    return program


def _edits_of(program: Program, file: SourceFile) -> HostEdits:
    """Edits of another file of the program, from which a function is inlined."""
    renames = program.unit.semantic_renames.get(file.path, {})
    facts = UnitFacts(program.facts.kernels, program.facts.user_declared, renames, is_header=True)
    return host_edits(file, facts)


@final
class _Declarations:
    """What the program declares, by walking its namespaces."""

    def __init__(self, unit: SourceUnit) -> None:
        self.unit = unit
        self.names: set[str] = set()
        self.kernels: list[Cursor] = []
        self.all_kernels: list[Cursor] = []
        self.device_functions: list[Cursor] = []

    def collect(self, cursor: Cursor) -> None:
        if self.unit.is_system(cursor):
            return
        if cursor.kind in _CONTAINERS:
            for child in cursor.children:
                self.collect(child)
            return
        self.names.add(cursor.spelling)
        if cursor.kind in _FUNCTIONS:
            self._function(cursor)
        elif cursor.kind in _CLASSES:
            for child in cursor.children:
                if child.kind in _METHODS or child.kind == "FUNCTION_TEMPLATE":
                    self._function(child)
        elif cursor.kind in _METHODS:
            self._function(cursor)

    def _function(self, cursor: Cursor) -> None:
        kinds = {child.kind for child in cursor.children}
        if "CUDAGLOBAL_ATTR" in kinds:
            self.all_kernels.append(cursor)
            if "COMPOUND_STMT" in kinds and cursor.file == self.unit.main_path:
                self.kernels.append(cursor)
        elif "CUDADEVICE_ATTR" in kinds and cursor.file == self.unit.main_path:
            self.device_functions.append(cursor)


def _read_kernel(unit: SourceUnit, cursor: Cursor) -> KernelSource:
    span = SourceSpan(unit.file_of(cursor), cursor.begin, cursor.end)
    try:
        function = build_function(unit, cursor)
    except Refusal as refusal:
        return KernelSource(cursor.spelling, cursor, span, None, refusal.diagnostic)
    return KernelSource(cursor.spelling, cursor, span, function, None)


def _takes_shared(program: Program, cursor: Cursor) -> bool:
    """Does the kernel, or a device function that it calls, name dynamic shared memory?"""
    unit = program.unit
    text = unit.file_of(cursor).text
    if not _EXTERN_SHARED.search(text) and not unit.functions:
        return False
    seen: set[str] = set()
    pending: list[Cursor] = [cursor]
    while pending:
        current = pending.pop()
        for node in current.walk():
            if node.kind == "VAR_DECL" and _is_dynamic_shared(node):
                return True
            if node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "OVERLOADED_DECL_REF"):
                continue
            for target in node.overloads or ((node.referenced,) if node.referenced else ()):
                if target.kind == "VAR_DECL":
                    if _is_dynamic_shared(target):
                        return True
                    continue
                key = (target.template or target).usr
                info = unit.functions.get(key)
                if info is not None and key not in seen:
                    seen.add(key)
                    pending.append(info.cursor)
    return False


def _is_dynamic_shared(cursor: Cursor) -> bool:
    return cursor.storage == "EXTERN" and any(
        child.kind == "CUDASHARED_ATTR" for child in cursor.children
    )


def _note_references(unit: SourceUnit, function: Cursor) -> None:
    """Learn what CUDA names in the body of a device function mean."""
    for node in function.walk():
        if node.kind in ("DECL_REF_EXPR", "TYPE_REF") and node.referenced is not None:
            unit.note_reference(node, node.referenced)
        elif node.kind == "OVERLOADED_DECL_REF":
            candidates = node.overloads
            if candidates and all(unit.is_declaration(one) for one in candidates):
                unit.note_reference(node, candidates[0])


def _shapes(sites: tuple[LaunchSite, ...]) -> dict[str, LaunchShape]:
    """Per kernel what all of its launches in the file agree on."""
    by_name: dict[str, list[LaunchSite]] = {}
    for site in sites:
        if site.kernel is not None:
            by_name.setdefault(site.kernel, []).append(site)
    shapes: dict[str, LaunchShape] = {}
    for name, found in by_name.items():
        grid = tuple(_agreed([site.grid_dims[axis] for site in found]) for axis in range(3))
        block = tuple(_agreed([site.block_dims[axis] for site in found]) for axis in range(3))
        shapes[name] = LaunchShape((grid[0], grid[1], grid[2]), (block[0], block[1], block[2]))
    return shapes


def _agreed(spelled: list[str | None]) -> str | None:
    return spelled[0] if len(set(spelled)) == 1 else None


def _with_comment(text: str, begin: int) -> int:
    """Where the comment directly above a definition begins, or the definition itself."""
    start = text.rfind("\n", 0, begin) + 1
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        line = text[above : start - 1].strip()
        if not line.startswith("//") and not (line.startswith("/*") and line.endswith("*/")):
            break
        start = above
    return start if text[start:begin].strip() or start < begin else begin


def used_storages(function: Function) -> set[Storage]:
    """Storage classes of the variables that a function declares."""
    return {
        variable.symbol.storage
        for node in walk(function.body)
        if isinstance(node, Declare)
        for variable in node.variables
    }
