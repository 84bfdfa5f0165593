"""What a unit declares: names, kernels and device functions, found by walking its namespaces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import final

from g2o.frontend.cuda.api import emitted_name, unsupported_reason
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.names_around import scopes_around
from g2o.frontend.cuda.unit import SourceUnit

_CONTAINERS = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_CLASSES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE",
     "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)  # fmt: skip
_FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})
_METHODS = frozenset({"CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_MEMBERS = frozenset({"FIELD_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_REAL_OR_UNKNOWN = frozenset({"FLOAT", "DOUBLE", "UNEXPOSED"})
"""Real numbers, and what a template is given."""
_STATIC_CONST = re.compile(r"static\s+(const)\b")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


@final
class Declarations:
    """What the program declares, by walking its namespaces."""

    def __init__(self, unit: SourceUnit) -> None:
        self.unit = unit
        self.names: set[str] = set()
        self.kernels: list[Cursor] = []
        self.all_kernels: list[Cursor] = []
        self.device_functions: list[Cursor] = []
        self.all_device_functions: list[Cursor] = []
        self.changing_functors = False
        self.ambiguous: list[Cursor] = []  # kernels of a file that is included twice, differently
        self._meanings: dict[int, str] = {}

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
        elif cursor.kind in (*_CLASSES, "ENUM_DECL"):
            for child in cursor.children:
                if emitted_name(child.spelling) is None and unsupported_reason(child.spelling):
                    self.names.add(
                        child.spelling
                    )  # `float *cudaDevicePosition;`, `enum class Cores { CUDA_CORES };`
                if child.kind in _METHODS or child.kind == "FUNCTION_TEMPLATE":
                    self._function(child)
                elif child.kind in _CLASSES:
                    self.collect(child)
                elif child.kind in _MEMBERS and child.file == self.unit.main_path:
                    self._member(child)
                elif child.kind == "VAR_DECL":
                    self._constant(child)
        elif cursor.kind in _METHODS:
            self._function(cursor)

    def _member(self, member: Cursor) -> None:
        """`using Config = Config<int>;` hides the name that it uses: g++, which nvcc gives whole
        names, takes `::Config<int>` alone."""
        for node in member.walk():
            target = node.referenced if node.kind in ("TYPE_REF", "TEMPLATE_REF") else None
            if target is None or target.spelling != member.spelling:
                continue
            scopes = scopes_around(target)
            text = self.unit.file_of(node).text
            bare = not text[: node.begin].rstrip().endswith("::")
            named = bare and text.startswith(target.spelling, node.begin)
            if named and all(one.kind == "NAMESPACE" for one in scopes):
                names = [one.spelling for one in (*reversed(scopes), target) if one.spelling]
                renames = self.unit.semantic_renames.setdefault(node.file, {})
                renames[node.begin] = "::" + "::".join(names)

    def _constant(self, variable: Cursor) -> None:
        """`static const float half = 0.5f;` in a class, which nvcc takes, and C++ only as
        `static constexpr float`."""
        file = self.unit.file_of(variable)
        words = _STATIC_CONST.match(file.text, variable.begin)
        is_real = variable.type.canonical.kind in _REAL_OR_UNKNOWN
        if words is None or not is_real or not file.text[variable.begin : variable.end].count("="):
            return
        renames = self.unit.semantic_renames.setdefault(variable.file, {})
        renames[words.start(1)] = "constexpr"

    def _function(self, cursor: Cursor) -> None:
        if cursor.spelling == "operator()" and not cursor.is_const_method:
            self.changing_functors = True
        kinds = {child.kind for child in cursor.children}
        if "CUDAGLOBAL_ATTR" in kinds:
            self.all_kernels.append(cursor)
            if "COMPOUND_STMT" in kinds and cursor.file == self.unit.main_path:
                meaning = f"{cursor.spelling}: {cursor.type.spelling}"
                first = self._meanings.setdefault(cursor.begin, meaning)
                if cursor.begin not in {known.begin for known in self.kernels}:
                    self.kernels.append(cursor)
                elif meaning != first:
                    self.ambiguous.append(cursor)
        elif "CUDADEVICE_ATTR" in kinds:
            self.all_device_functions.append(cursor)
            if cursor.file == self.unit.main_path:
                self.device_functions.append(cursor)


def declarations_of(unit: SourceUnit) -> Declarations:
    """What the unit declares; its names become reserved."""
    found = Declarations(unit)
    for cursor in unit.translation_unit.top_level:
        found.collect(cursor)
    unit.reserved_names = frozenset(found.names.union(_defined(unit)))
    return found


def _defined(unit: SourceUnit) -> Iterator[str]:
    """The macros of the program's files. `#define cudaFree hipFree` in a branch for another
    compiler makes no name of CUDA the program's."""
    for file in unit.files_with_macros():
        for define in _DEFINE.finditer(file.text):
            name, at = define.group(1), define.start(1)
            if emitted_name(name) is None or not _is_within(at, unit.skipped(file)):
                yield name


def _is_within(offset: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(begin <= offset < end for begin, end in ranges)
