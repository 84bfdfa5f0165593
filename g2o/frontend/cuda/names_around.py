"""Names that a function in a namespace uses without it: they mean nothing where it is inlined.

    namespace flow { constexpr double half = 0.5; __device__ double mean(...) { ... half ... } }
    __global__ void k(...) { ... flow::mean(a, b) ... }      ->      ... flow::half ...

Functions are looked for by what they are, see `g2o/transforms/qualified_names.py`.
"""

from __future__ import annotations

from g2o.frontend.cuda.clang_api import Cursor

_NAMES = frozenset({"TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "DECL_REF_EXPR"})
_TYPES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"}
)
_TEMPLATES = frozenset({"CLASS_TEMPLATE", "TYPE_ALIAS_TEMPLATE_DECL"})


def names_around(function: Cursor) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The types, constants and namespaces that the function names, with the namespaces, outermost
    first, that they lie in."""
    if not any(one.kind == "NAMESPACE" for one in scopes_around(function)):
        return ()
    found: dict[str, tuple[str, ...]] = {}
    own: set[str] = set()
    for node in function.walk():
        if node.kind in ("VAR_DECL", "PARM_DECL"):
            own.add(node.spelling)
        named = node.referenced if node.kind in _NAMES else None
        if named is None or not _is_looked_for(named):
            continue
        scopes = scopes_around(named)
        if named.kind == "ENUM_CONSTANT_DECL":
            scopes = scopes[1:]
        if scopes and all(one.kind == "NAMESPACE" for one in scopes):
            spaces = tuple(one.spelling for one in reversed(scopes) if one.spelling)
            found[named.spelling] = spaces
    return tuple((name, spaces) for name, spaces in found.items() if spaces and name not in own)


def scopes_around(declared: Cursor) -> list[Cursor]:
    """What a declaration stands in, innermost first."""
    found: list[Cursor] = []
    scope = declared.semantic_parent
    while scope is not None and scope.kind != "TRANSLATION_UNIT":
        found.append(scope)
        scope = scope.semantic_parent
    return found


def _is_looked_for(named: Cursor) -> bool:
    is_constant = named.kind == "VAR_DECL" and named.type.is_const
    kinds = (*_TYPES, *_TEMPLATES, "NAMESPACE", "ENUM_CONSTANT_DECL")
    return named.spelling.isidentifier() and (is_constant or named.kind in kinds)
