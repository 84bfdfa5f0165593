"""What a launch has to know of the kernel it launches: does it have dynamic shared memory?

A file that only declares a kernel learns that from the input that defines it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.include_graph import real_path
from g2o.frontend.cuda.parse_in_project import parse_in_project
from g2o.frontend.cuda.project import InputFile, Project
from g2o.frontend.cuda.shared_accessors import gives_shared, is_dynamic_shared
from g2o.frontend.cuda.unit import SourceUnit
from g2o.frontend.cuda.unit_facts import KernelFact

_EXTERN_SHARED: Final = re.compile(
    r"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b"
)
_TEMPLATE_PARAMETERS: Final = (
    "TEMPLATE_TYPE_PARAMETER",
    "TEMPLATE_NON_TYPE_PARAMETER",
    "TEMPLATE_TEMPLATE_PARAMETER",
)
_REFERENCES: Final = ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "OVERLOADED_DECL_REF")


def kernel_facts(
    unit: SourceUnit, kernels: Sequence[Cursor], project: Project
) -> dict[str, KernelFact]:
    """The facts of all kernels that the unit declares or defines, by unqualified name."""
    takes: dict[str, bool] = {}
    sized: set[str] = set()
    defaults: set[str] = set()
    parameters: dict[str, int] = {}
    functions = {(cursor.spelling, cursor.usr) for cursor in kernels}
    counts = Counter(name for name, _ in functions)
    several = {c.spelling for c in kernels if c.kind != "FUNCTION_DECL" or counts[c.spelling] > 1}
    may_be_shared = _has_dynamic_shared(unit)
    for cursor in kernels:
        name = cursor.spelling
        if _may_start_with_size(cursor):
            sized.add(name)
        if _has_defaults(cursor):
            defaults.add(name)
        parameters[name] = sum(child.kind in _TEMPLATE_PARAMETERS for child in cursor.children)
        if takes.get(name):
            continue
        definition = cursor if _has_body(cursor) else cursor.definition
        if definition is not None:
            takes[name] = may_be_shared and takes_shared_bytes(unit, definition)
        else:
            takes[name] = _defined_elsewhere(cursor, project)
    return {
        name: KernelFact(
            name,
            shared,
            name in sized,
            name not in several,
            name in defaults,
            parameters.get(name) if counts[name] == 1 else None,
        )
        for name, shared in takes.items()
    }


def _has_defaults(kernel: Cursor) -> bool:
    parameters = (child for child in kernel.children if child.kind == "PARM_DECL")
    return any(inner.is_expression for one in parameters for inner in one.children)


def _may_start_with_size(kernel: Cursor) -> bool:
    """Is the first parameter a `std::size_t`, or of a type that a template gives?"""
    first = next((child for child in kernel.children if child.kind == "PARM_DECL"), None)
    if first is None:
        return False
    spelled = first.type.canonical.spelling.removeprefix("const ")
    return spelled == "unsigned long" or "type-parameter" in spelled


def takes_shared_bytes(unit: SourceUnit, kernel: Cursor) -> bool:
    """Does the kernel, or a device function that it calls, name dynamic shared memory?"""
    seen: set[str] = set()
    pending: list[Cursor] = [kernel]
    while pending:
        for node in pending.pop().walk():
            if node.kind == "VAR_DECL" and is_dynamic_shared(node):
                return True
            if gives_shared(node):
                return True
            if node.kind not in _REFERENCES:
                continue
            for target in node.overloads or ((node.referenced,) if node.referenced else ()):
                if target.kind == "VAR_DECL":
                    if is_dynamic_shared(target):
                        return True
                    continue
                key = (target.template or target).usr
                if key not in seen:
                    seen.add(key)
                    unit.note_function(target)
                    info = unit.functions.get(key)
                    if info is not None:
                        pending.append(info.cursor)
    return False


def _has_body(cursor: Cursor) -> bool:
    return any(child.kind == "COMPOUND_STMT" for child in cursor.children)


def _has_dynamic_shared(unit: SourceUnit) -> bool:
    """Whether any file of the unit spells `extern __shared__`, perhaps by a macro."""
    return any(_EXTERN_SHARED.search(file.text) for file in unit.own_files())


def _defined_elsewhere(declared: Cursor, project: Project) -> bool:
    """Whether the input that defines a kernel, which the unit only declares, has shared bytes."""
    usr = declared.usr
    mentions = re.compile(rf"\b{re.escape(declared.spelling)}\s*\(")
    for each in project.inputs:
        source = project.graph.source(real_path(each.path))
        if source is None or "__global__" not in source.text or not mentions.search(source.text):
            continue
        found = _kernels_defined_by(each, project)
        if usr in found:
            return found[usr]
    return False


def _kernels_defined_by(file: InputFile, project: Project) -> dict[str, bool]:
    """The kernels that an input defines, by unified symbol name; the file is parsed for that."""
    real = real_path(file.path)
    known = project.shared_kernels.get(real)
    if known is None:
        known = {}
        unit, faults, _ = parse_in_project(file.path, file.flags, str(file.path), project)
        may_be_shared = _has_dynamic_shared(unit)
        for top in () if faults else unit.translation_unit.top_level:
            if unit.is_system(top):
                continue
            for cursor in top.walk():
                if cursor.kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE") and _is_kernel(cursor):
                    known[cursor.usr] = may_be_shared and takes_shared_bytes(unit, cursor)
        project.shared_kernels[real] = known
    return known


def _is_kernel(cursor: Cursor) -> bool:
    kinds = {child.kind for child in cursor.children}
    return "CUDAGLOBAL_ATTR" in kinds and "COMPOUND_STMT" in kinds
