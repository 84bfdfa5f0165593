"""Casts in C's notation between pointers to different types.

((unsigned *)floats)[i]      scale<<<grid, block>>>((Complex *)pairs, n)

What they point to is read as another type than it was written as, by host or device. Casts from
`void *` and to characters mean no such thing, nor do those between a type and its parts, or to what
a template is given.
"""

from __future__ import annotations

import re
from typing import Final

from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.frontend.cuda.unit import SourceUnit

_CAST: Final = re.compile(r"\*\s*(?:(?:const|volatile|__restrict(?:__)?)\s*)*\)\s*[\w(*]")
_CAST_KIND: Final = "CSTYLE_CAST_EXPR"
_LOOKED_THROUGH: Final = frozenset(("PAREN_EXPR", "UNEXPOSED_EXPR"))
_ARRAYS: Final = frozenset(("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"))
_SIGNED: Final = {
    "SHORT": "USHORT", "INT": "UINT", "LONG": "ULONG", "LONGLONG": "ULONGLONG",
}  # fmt: skip
_NUMBERS: Final = frozenset((*_SIGNED.values(), "FLOAT", "DOUBLE"))
_OPEN: Final = frozenset(("UNEXPOSED", "DEPENDENT"))  # what a template is given
_DEPTH_LIMIT: Final = 4


def casts_between_types(unit: SourceUnit) -> bool:
    """Is there such a cast in the program's own files?"""
    if not any(_CAST.search(file.text) for file in unit.own_files()):
        return False
    return any(
        node.kind == _CAST_KIND and _is_between_types(node)
        for top in unit.translation_unit.top_level
        if not unit.is_system(top) and not unit.is_declaration(top)
        for node in top.walk()
    )


def _is_between_types(cast: Cursor) -> bool:
    target, source = _pointed_to(cast.type), _source(cast)
    if target is None or source is None or target.kind in _OPEN:
        return False
    return _identity(target) not in _parts(source) and _identity(source) not in _parts(target)


def _source(cast: Cursor) -> ClangType | None:
    """What the operand points to, through casts to `void *` and from arrays."""
    operands = [child for child in cast.children if child.is_expression]
    if not operands:
        return None
    inner = operands[-1]
    found = _pointed_to(inner.type)
    if inner.kind in _LOOKED_THROUGH or (inner.kind == _CAST_KIND and found is None):
        return _source(inner) or found
    return found


def _pointed_to(ctype: ClangType) -> ClangType | None:
    """The type of the objects, where that is a number or a class."""
    canonical = ctype.canonical
    if canonical.kind == "POINTER":
        canonical = canonical.pointee.canonical
    elif canonical.kind not in _ARRAYS:
        return None
    while canonical.kind in _ARRAYS:
        canonical = canonical.element.canonical
    is_class = canonical.kind == "RECORD" and canonical.declaration.kind != "UNION_DECL"
    is_known = is_class and canonical.size > 0
    is_known = is_known or canonical.kind in _OPEN
    return canonical if is_known or _identity(canonical) in _NUMBERS else None


def _parts(ctype: ClangType, depth: int = 0) -> set[str]:
    """The type and those of what its objects have in them: accesses to one may be to the other."""
    canonical = ctype.canonical
    while canonical.kind in _ARRAYS:
        canonical = canonical.element.canonical
    found = {_identity(canonical)}
    if canonical.kind == "RECORD" and depth < _DEPTH_LIMIT:
        for part in (*canonical.bases, *(field for _, field in canonical.fields)):
            found |= _parts(part, depth + 1)
    return found


def _identity(canonical: ClangType) -> str:
    if canonical.kind == "RECORD":
        return canonical.declaration.usr
    return _SIGNED.get(canonical.kind, canonical.kind)
