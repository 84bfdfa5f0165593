"""Classes whose methods have become part of kernels: their members are for everybody.

class Window {                class Window {
    int base;           ->      public:
  public:                       int base;
    ...                         public:
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.constructor_calls import takes_nothing
from g2o.frontend.cuda.unit import SourceUnit
from g2o.frontend.edits import TextEdit

_CLASSES: Final = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)
_LIMITED: Final = re.compile(r"(?:private|protected)\b")
_IS_CLASS: Final = re.compile(r"(?:template\s*<.*?>\s*)?class\b", re.DOTALL)
_ACCESS: Final = "CXX_ACCESS_SPEC_DECL"


def opening_edits(
    unit: SourceUnit,
    methods: Iterable[Cursor],
    constructors: Iterable[Cursor] = (),
    in_arrays: frozenset[str] = frozenset(),
) -> list[TextEdit]:
    """The edits of the main file that make all members of the classes of `methods` public, and
    those of the classes `in_arrays`, of which each thread has an object now, whose `constructors`
    are none that takes nothing."""
    edits: dict[tuple[int, int], TextEdit] = {}
    for constructor in constructors:
        owner = constructor.semantic_parent
        if owner is None or owner.kind not in _CLASSES or owner.spelling not in in_arrays:
            continue
        for whole in (owner, *_parts(owner)):
            if unit.file_of(whole) is unit.main:
                for edit in _default_constructor(unit.main.text, whole, set()):
                    edits[edit.begin, edit.end] = edit
    methods = list(methods)
    places = {method.begin for method in methods if method.kind == "CONSTRUCTOR"}
    for method in methods:
        owner = method.semantic_parent
        if owner is None or owner.kind not in _CLASSES or unit.file_of(owner) is not unit.main:
            continue
        found = [*_edits(unit.main.text, owner)]
        if method.kind == "CONSTRUCTOR":
            found.extend(_default_constructor(unit.main.text, owner, places))
        for edit in found:
            edits[edit.begin, edit.end] = edit
    return list(edits.values())


def _parts(owner: Cursor) -> Iterable[Cursor]:
    """The classes of the parts of an object, which is made without arguments as they are."""
    for child in owner.children:
        if child.kind not in ("CXX_BASE_SPECIFIER", "FIELD_DECL"):
            continue
        ctype = child.type.canonical
        while ctype.kind == "CONSTANTARRAY":
            ctype = ctype.element.canonical
        part = ctype.declaration.pattern
        if ctype.kind == "RECORD" and part.kind in _CLASSES:
            yield part
            yield from _parts(part)


def _edits(text: str, owner: Cursor) -> Iterable[TextEdit]:
    specifiers = [child for child in owner.children if child.kind == _ACCESS]
    for specifier in specifiers:
        word = _LIMITED.match(text, specifier.begin)
        if word is not None:
            yield TextEdit(word.start(), word.end(), "public")
    members = [child for child in owner.children if child.begin > owner.name_offset]
    first = min((child.begin for child in members if child.kind != _ACCESS), default=None)
    begin = min((child.begin for child in specifiers), default=owner.end)
    if first is None or begin < first or not _IS_CLASS.match(text, owner.begin):
        return
    brace = text.find("{", owner.name_offset) + 1
    yield TextEdit(brace, brace, "\npublic:")


def _default_constructor(text: str, owner: Cursor, gone: set[int]) -> Iterable[TextEdit]:
    """Variables are made without arguments now, which has to stay possible."""
    left = [
        child for child in owner.children if child.kind == "CONSTRUCTOR" and child.begin not in gone
    ]
    if not left or any(takes_nothing(one) for one in left):
        return
    end = text.rfind("}", owner.begin, owner.end)
    limited = any(child.kind == _ACCESS for child in owner.children)
    access = "public:\n" if limited or _IS_CLASS.match(text, owner.begin) else ""
    yield TextEdit(end, end, f"{access}{owner.spelling}() = default;\n")
