"""Members that braces name: `{.x = a, .z = b}`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.ir.expressions import Expr, Form, InitList, Literal
from g2o.ir.types import INT, CType, TypeKind


def named_values(values: Sequence[Cursor]) -> list[tuple[str, Cursor]] | None:
    """The members and their values, in the order of the source; None where not all are named."""
    found: list[tuple[str, Cursor]] = []
    for one in values:
        match one.children:
            case [Cursor(kind="MEMBER_REF", spelling=name), value] if one.kind == "UNEXPOSED_EXPR":
                found.append((name, value))
            case _:
                return None
    return found or None


def in_order(
    named: Sequence[tuple[str, Cursor]],
    braces: InitList,
    members: int,
    build: Callable[[Cursor], Expr],
) -> InitList | None:
    """The braces with a value for each member of the structure; None for types that are not known,
    or have members that are not among their fields: bits, and those of structures without a name.
    What is not named is 0."""
    fields = braces.type.fields
    if len(fields) != members:
        return None
    given = {name: build(value) for name, value in named}
    if braces.type.kind is not TypeKind.RECORD or not given.keys() <= {name for name, _ in fields}:
        return None
    elements = tuple(given.get(name) or _zero(ctype) for name, ctype in fields)
    same = [name for name, _ in named] == [name for name, _ in fields]
    return replace(braces, elements=elements, form=braces.form if same else Form.BUILT)


def _zero(ctype: CType) -> Expr:
    return Literal("0", 0, INT) if ctype.is_arithmetic else InitList((), ctype)


def member_count(ctype: ClangType) -> int:
    """How many values the braces of a structure have in all."""
    declared = ctype.canonical.declaration
    unnamed = (one for one in declared.children if one.kind in ("STRUCT_DECL", "UNION_DECL"))
    bases = any(one.kind == "CXX_BASE_SPECIFIER" for one in declared.children)
    if bases or any(not one.spelling.isidentifier() for one in unnamed):
        return -1
    return sum(one.kind == "FIELD_DECL" for one in declared.children)
