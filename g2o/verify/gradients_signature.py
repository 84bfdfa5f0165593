"""Kernels of a source as the gradient check asks about them: parameters, and members of records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.frontend.cuda.class_templates import VALUE_PARAMETER
from g2o.frontend.cuda.names_device import DEVICE_TYPES
from g2o.frontend.cuda.program import read_program
from g2o.frontend.cuda.project import InputFile, Project
from g2o.ir.kernel import LaunchShape

_PRAGMA: Final = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+g2o[ \t]+grad[ \t]*(\([^()\n]*\))[ \t]*/[ \t]*(\([^()\n]*\))",
    re.MULTILINE,
)
_DYNAMIC_SHARED: Final = re.compile(r"\bextern\b[^;(){}]*\b__shared__\b")
_TEMPLATE_PARAMETERS: Final = frozenset({"TEMPLATE_TYPE_PARAMETER", VALUE_PARAMETER})
_BUILTIN_VECTOR: Final = re.compile(
    r"(?:float|double|u?int|u?char|u?short|u?long|u?longlong|dim)[1-4]"
)


@final
@dataclass(frozen=True, slots=True)
class Record:
    """A record type by its qualified name, with the members that can be named from outside.
    `head` are the parameters of a class template. One `of_c` may lead to itself: what is active is
    known without asking its types."""

    name: str
    members: tuple[str, ...]
    head: str = ""
    of_c: bool = False


@final
@dataclass(frozen=True, slots=True)
class CheckedKernel:
    """A kernel of a source. `namespace` is "" or ends in `::`; `axes`: 1 to 3 that it looks at.

    `closed` are the parameters with pointers inside that cannot be named from outside.
    `has_dynamic_shared`: it may have a dynamic shared array. `pragma` is the SPEC of the pragma in
    front of it, without the kernel's name; "" without one. `is_function`: one of C, which nobody
    launches. Of such, `counts` says how many objects parameters lead to where that is known,
    `first` what gives the values that the program begins with, for variables of the file that stand
    among the parameters, and `refusal` what the check cannot do.
    """

    name: str
    namespace: str
    parameters: tuple[str, ...]
    closed: tuple[str, ...]
    is_template: bool
    axes: int
    has_dynamic_shared: bool
    shape: LaunchShape
    pragma: str
    is_function: bool = False
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    first: Mapping[str, str] = field(default_factory=dict[str, str])
    refusal: str = ""


@final
@dataclass(frozen=True, slots=True)
class CheckedSource:
    """What was read of a source."""

    kernels: tuple[CheckedKernel, ...]
    records: tuple[Record, ...]
    diagnostics: tuple[Diagnostic, ...]


def read_kernels(path: Path, flags: Sequence[str] = ()) -> CheckedSource:
    """The kernels of the CUDA source at `path`. Raises OSError where it cannot be read."""
    project = Project((InputFile(path, tuple(flags), path.with_suffix(".omp.cpp")),))
    program = read_program(path, tuple(flags), str(path), project, "g2o_runtime.hpp")
    text = program.source.text
    kernels: list[CheckedKernel] = []
    records: dict[str, Record] = {}
    pragmas = list(_PRAGMA.finditer(text))
    taken = 0
    for source in program.kernels:
        begin, end = program.device.original_range(source.span.begin, source.span.end)
        spec = ""
        while taken < len(pragmas) and pragmas[taken].start() < end:
            spec = f"{pragmas[taken][1]}/{pragmas[taken][2]}"
            taken += 1
        parameters = [child for child in source.cursor.children if child.kind == "PARM_DECL"]
        kernels.append(
            CheckedKernel(
                source.name,
                _namespace(source.cursor),
                tuple(parameter.spelling for parameter in parameters),
                tuple(one.spelling for one in parameters if _hides_pointers(one.type)),
                source.cursor.kind == "FUNCTION_TEMPLATE",
                _axes(text[begin:end]),
                _DYNAMIC_SHARED.search(text) is not None,
                program.shapes.get(source.name, LaunchShape()),
                spec,
            )
        )
        for parameter in parameters:
            for record in _records(parameter.type):
                records.setdefault(record.name, record)
    templates = [
        record
        for top in program.unit.translation_unit.top_level
        if not program.unit.is_system(top)
        for record in _templates(top)
    ]
    return CheckedSource(tuple(kernels), (*templates, *records.values()), program.diagnostics)


def _axes(text: str) -> int:
    """How many axes of the launch the text of a kernel asks about."""
    for axis, letter in ((3, "z"), (2, "y")):
        if re.search(rf"\b(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*{letter}\b", text):
            return axis
    return 1


def _namespace(cursor: Cursor) -> str:
    parent = cursor.semantic_parent
    if parent is None or parent.kind != "NAMESPACE" or not parent.spelling:
        return ""
    return f"{_namespace(parent)}{parent.spelling}::"


def _hides_pointers(ctype: ClangType) -> bool:
    """Is it a class with pointers in it, at any depth, that others may not name?"""
    current = ctype.canonical
    while current.kind in ("CONSTANTARRAY", "INCOMPLETEARRAY"):
        current = current.element.canonical
    if current.kind != "RECORD":
        return False
    fields = [one for one in current.declaration.children if one.kind == "FIELD_DECL"]
    return any(
        (one.type.canonical.kind == "POINTER" and not one.is_public) or _hides_pointers(one.type)
        for one in fields
    )


def _templates(cursor: Cursor) -> Iterator[Record]:
    """The class templates of the program, as far as all their parameters have names."""
    if cursor.kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
        for child in cursor.children:
            yield from _templates(child)
    if cursor.kind != "CLASS_TEMPLATE" or not cursor.is_definition:
        return
    parameters = [one for one in cursor.children if one.kind in _TEMPLATE_PARAMETERS]
    named = ", ".join(one.spelling for one in parameters)
    kinds = ", ".join(
        f"class {one.spelling}"
        if one.kind == "TEMPLATE_TYPE_PARAMETER"
        else f"{one.type.spelling} {one.spelling}"
        for one in parameters
    )
    fields = [one for one in cursor.children if one.kind == "FIELD_DECL" and one.spelling]
    if all(one.spelling for one in parameters) and all(one.is_public for one in fields):
        name = f"{_namespace(cursor)}{cursor.spelling}<{named}>"
        yield Record(name, tuple(one.spelling for one in fields), kinds)


def _records(ctype: ClangType) -> Iterator[Record]:
    """The program's own records that are in a value of this type or that it points to."""
    current = ctype.canonical
    while current.kind in ("POINTER", "CONSTANTARRAY", "INCOMPLETEARRAY"):
        inner = current.pointee if current.kind == "POINTER" else current.element
        current = inner.canonical
    if current.kind != "RECORD":
        return
    declaration = current.declaration
    name = current.spelling.removeprefix("const ").removeprefix("volatile ")
    if _BUILTIN_VECTOR.fullmatch(name) or name in DEVICE_TYPES or "(" in name:
        return
    fields = [one for one in current.members if not one.is_bit_field]
    if not fields and declaration.template is not None:
        return  # `_templates` have them
    for one in fields:
        yield from _records(one.type)
    public = [one for one in fields if one.has_name and one.is_public]
    yield Record(name, tuple(one.spelling for one in public))
