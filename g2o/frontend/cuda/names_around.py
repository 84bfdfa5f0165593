"""Names that a function in a namespace uses without it: they mean nothing where it is inlined.

    namespace flow { constexpr double half = 0.5; __device__ double mean(...) { ... half ... } }
    __global__ void k(...) { ... flow::mean(a, b) ... }      ->      ... flow::half ...

Functions are looked for by what they are, see `g2o/transforms/qualified_names.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2o.frontend.cuda.clang_api import Cursor
from g2o.ir.kernel import NameAround, Spaces

if TYPE_CHECKING:
    from g2o.frontend.cuda.unit import SourceUnit

_NAMES = frozenset({"TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "DECL_REF_EXPR"})
_TYPES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"}
)
_FUNCTIONS = ("FUNCTION_DECL", "FUNCTION_TEMPLATE")
_TEMPLATES = frozenset({"CLASS_TEMPLATE", "TYPE_ALIAS_TEMPLATE_DECL"})


def names_around(function: Cursor, unit: SourceUnit) -> tuple[NameAround, ...]:
    """The types, variables and namespaces that the function names, with the namespaces, outermost
    first, that they lie in, and those that have something else of this name; of functions, which
    are found otherwise, those outside of namespaces that also are in one."""
    others = unit.names_in_namespaces()
    if not others and not any(one.kind == "NAMESPACE" for one in scopes_around(function)):
        return ()
    found: dict[str, Spaces] = {}
    own: set[str] = set()
    for node in function.walk():
        if node.kind in ("VAR_DECL", "PARM_DECL"):
            own.add(node.spelling)
        named = node.referenced if node.kind in _NAMES else None
        if named is None or not _is_looked_for(named) or node.name_offset != node.begin:
            continue
        scopes = scopes_around(named)
        if named.kind == "ENUM_CONSTANT_DECL":
            scopes = scopes[1:]
        if all(one.kind == "NAMESPACE" for one in scopes):
            spaces = tuple(one.spelling for one in reversed(scopes) if one.spelling)
            is_found = spaces if named.kind in _FUNCTIONS else ()
            if not is_found and (spaces or named.spelling in others):
                found[named.spelling] = spaces
    return tuple(
        (name, spaces, tuple(sorted(others.get(name, set()) - {spaces})))
        for name, spaces in found.items()
        if name not in own
    )


def scopes_around(declared: Cursor) -> list[Cursor]:
    """What a declaration stands in, innermost first."""
    found: list[Cursor] = []
    scope = declared.semantic_parent
    while scope is not None and scope.kind != "TRANSLATION_UNIT":
        found.append(scope)
        scope = scope.semantic_parent
    return found


def qualified_name(variable: Cursor, said: str) -> str:
    """The name of a variable that is `said` with namespaces, `geo::eps` or `::eps`, as it is right
    everywhere; as declared where it is a member of a class."""
    scopes = scopes_around(variable)
    if any(one.kind != "NAMESPACE" for one in scopes):
        return variable.spelling
    if not scopes:
        return f"::{variable.spelling}" if said.startswith("::") else variable.spelling
    return "::".join(
        (*(one.spelling for one in reversed(scopes) if one.spelling), variable.spelling)
    )


def _is_looked_for(named: Cursor) -> bool:
    kinds = (*_TYPES, *_TEMPLATES, *_FUNCTIONS, "NAMESPACE", "ENUM_CONSTANT_DECL", "VAR_DECL")
    if any(one.kind == "CUDASHARED_ATTR" for one in named.children):
        return False  # kernels declare what they use of it
    return named.spelling.isidentifier() and named.kind in kinds
