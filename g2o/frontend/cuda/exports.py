"""What a translated file defines for others: its kernels, and what their declarations need.

Template kernels are not among them, since a template has to be defined where it is used; nor are
kernels that only their own file can see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.diagnostics.source import lines_of
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.unit import SourceUnit
from g2o.frontend.edits import EditedText

_TAGS: Final = frozenset({"STRUCT_DECL", "CLASS_DECL", "UNION_DECL"})
_TYPES: Final = frozenset({*_TAGS, "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_KNOWN: Final = frozenset({*_TYPES, "VAR_DECL"})  # constants
_TYPE_REFERENCES: Final = frozenset({"TYPE_REF", "TEMPLATE_REF"})
_INDIRECT: Final = frozenset({"POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"})


@final
@dataclass(frozen=True, slots=True)
class Export:
    """A declaration without its semicolon, and the namespaces around it, outermost first."""

    namespaces: tuple[str, ...]
    text: str


@final
@dataclass(frozen=True, slots=True)
class Exports:
    """Everything that a header needs to declare the kernels of a file.

    `includes` are whole directives; `types` are declarations of types that the file itself defines.
    """

    includes: tuple[str, ...]
    types: tuple[Export, ...]
    kernels: tuple[Export, ...]


def exports(
    unit: SourceUnit,
    kernels: Sequence[Cursor],
    text: EditedText,
    derivatives: Mapping[str, Sequence[str]],
) -> Exports:
    """The exports of the unit's main file, whose translated text is `text`. `derivatives` are the
    declarations that follow those of kernels, by name."""
    finder = _Needs(unit, text)
    declared: list[Export] = []
    for kernel in kernels:
        if kernel.kind != "FUNCTION_DECL" or not _is_visible(kernel):
            continue
        for parameter in kernel.children:
            if parameter.kind == "PARM_DECL":
                finder.note(parameter)
        declared.append(Export(_namespaces(kernel), _declaration(unit, kernel, text)))
        for derivative in derivatives.get(kernel.spelling, ()):
            declared.append(Export(_namespaces(kernel), derivative))
    return Exports(tuple(finder.includes), tuple(finder.types.values()), tuple(declared))


def _is_visible(kernel: Cursor) -> bool:
    return kernel.storage != "STATIC" and all(_namespaces(kernel))


def _namespaces(cursor: Cursor) -> tuple[str, ...]:
    """The names of the namespaces around a declaration; "" for one without a name."""
    found: list[str] = []
    parent = cursor.semantic_parent
    while parent is not None and parent.kind == "NAMESPACE":
        found.insert(0, parent.spelling if parent.spelling.isidentifier() else "")
        parent = parent.semantic_parent
    return tuple(found)


def _declaration(unit: SourceUnit, kernel: Cursor, text: EditedText) -> str:
    """The comment and the head of a kernel's definition."""
    body = next(child for child in kernel.children if child.kind == "COMPOUND_STMT")
    head = text.slice(kernel.begin, body.begin).removeprefix(text.inserted_at(kernel.begin)).strip()
    before = unit.main.text[: kernel.begin].rstrip()
    if before.endswith('extern "C"'):
        head = f'extern "C" {head}'
    comment = _comment_above(unit.main.text, kernel.begin)
    return f"{comment}{head}"


def _comment_above(text: str, begin: int) -> str:
    """The lines of `//` directly above a definition, or the comment that ends there."""
    line = text.rfind("\n", 0, begin) + 1
    above = text[:line].rstrip(" \t")
    if not above.endswith("\n") or above.endswith("\n\n"):
        return ""
    if above.rstrip().endswith("*/"):
        start = above.rfind("/*")
        return above[start:].rstrip() + "\n"
    lines: list[str] = []
    for candidate in reversed(lines_of(above)):
        if not candidate.strip().startswith("//"):
            break
        lines.insert(0, candidate.strip(" \t\r"))
    return "".join(each + "\n" for each in lines)


@final
class _Needs:
    """Where the types come from that declarations name."""

    def __init__(self, unit: SourceUnit, text: EditedText) -> None:
        self.includes: dict[str, None] = {}
        self.types: dict[int, Export] = {}
        self._whole: set[int] = set()  # those that are more than declared
        self._unit = unit
        self._text = text
        self._included_by: dict[str, tuple[str, int]] = {}
        for source, included, offset in unit.translation_unit.includes:
            self._included_by.setdefault(included, (source, offset))

    def note(self, declaration: Cursor) -> None:
        """Find what the types in a declaration need."""
        is_indirect = declaration.type.canonical.kind in _INDIRECT
        for target in _types_in(declaration):
            if self._unit.is_declaration(target):
                continue
            if target.file != self._unit.main_path:
                self._include(target.file)
            elif target.kind in _TAGS and is_indirect:
                keyword = {"UNION_DECL": "union", "CLASS_DECL": "class"}.get(target.kind, "struct")
                declared = Export(_namespaces(target), f"{keyword} {target.spelling}")
                self.types.setdefault(target.begin, declared)
            elif target.kind in _KNOWN and target.begin not in self._whole:
                self._define(target)

    def _define(self, target: Cursor) -> None:
        self._whole.add(target.begin)
        for child in target.children:
            self.note(child)
        self.types.pop(target.begin, None)  # what it needs stands in front of it
        text = self._text.slice(target.begin, target.end).strip()
        self.types[target.begin] = Export(_namespaces(target), text)

    def _include(self, file: str) -> None:
        """The directive of the main file that leads to `file`."""
        source, offset = self._included_by.get(file, ("", 0))
        while source and source != self._unit.main_path:
            source, offset = self._included_by.get(source, ("", 0))
        if source:
            main = self._unit.main.text
            begin = main.rfind("\n", 0, offset) + 1
            end = main.find("\n", offset)
            lines = lines_of(self._text.slice(begin, len(main) if end < 0 else end))
            if lines and lines[-1].lstrip().startswith("#"):
                self.includes[lines[-1].split("//")[0].strip()] = None


def _types_in(declaration: Cursor) -> Iterator[Cursor]:
    for node in declaration.walk():
        found = node.referenced
        if found is None:
            continue
        if found.kind == "ENUM_CONSTANT_DECL" or node.kind == "MEMBER_REF_EXPR":
            found = found.semantic_parent or found
        of_type = found.kind in _TYPES and node.kind != found.kind
        if node.kind in _TYPE_REFERENCES or of_type or _is_constant(found):
            yield found


def _is_constant(variable: Cursor) -> bool:
    """Has every file that includes its definition one of its own?"""
    parent = variable.semantic_parent
    is_global = parent is not None and parent.kind in ("TRANSLATION_UNIT", "NAMESPACE")
    is_alone = variable.kind == "VAR_DECL" and is_global and variable.is_definition
    return is_alone and variable.type.canonical.is_const
