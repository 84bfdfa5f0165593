"""Types that are declared inside of kernels and device functions."""

from __future__ import annotations

from typing import Final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.api import LOWERED_NAMES
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.unit import SourceUnit

_TYPES: Final = frozenset(
    {"TYPE_ALIAS_DECL", "TYPEDEF_DECL", "STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "CLASS_DECL"}
)
_METHODS: Final = frozenset({"CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION"})
_OUTSIDE: Final = Note("declare the class outside of the kernel, or pass the index")


def names_of_type(unit: SourceUnit, cursor: Cursor) -> list[str]:
    """What a declaration that declares no variable puts into its scope. Raises Refusal for classes
    with methods that need the launch: they stay where they are, and calls leave them."""
    for method in cursor.children:
        if method.kind in _METHODS and any(_is_of_launch(unit, node) for node in method.walk()):
            message = f"method '{method.spelling}' of a local class, which needs the launch"
            begin = method.name_offset
            end = begin + max(1, len(method.spelling))
            raise refuse("G2O0210", message, SourceSpan(unit.file_of(method), begin, end), _OUTSIDE)
    names = [cursor.spelling] if cursor.kind in _TYPES and cursor.spelling else []
    if cursor.kind == "ENUM_DECL":
        names.extend(child.spelling for child in cursor.children if child.spelling)
    return names


def _is_of_launch(unit: SourceUnit, node: Cursor) -> bool:
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    return target is not None and target.spelling in LOWERED_NAMES and unit.is_declaration(target)
