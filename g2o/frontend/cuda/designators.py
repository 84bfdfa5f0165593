"""Members and elements that braces name, `{.x = a, .p.z = b, .w = {[1] = c}}`, as braces with a
value for each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.ir.expressions import Expr, Form, InitList, Literal
from g2o.ir.types import INT, CType, TypeKind

_MOST_ELEMENTS: Final = 4096


@final
@dataclass(slots=True)
class _Part:
    """What braces say of a part: a value, or of parts of it by their positions."""

    value: Cursor | None = None
    parts: dict[int, _Part] = field(default_factory=dict[int, "_Part"])


class _Unknown(Exception):
    """The braces say of something that is not known."""


def is_designated(value: Cursor, text: str) -> bool:
    """Does a value say which part it is of?"""
    return value.kind == "UNEXPOSED_EXPR" and text[value.begin : value.begin + 1] in (".", "[")


def in_order(
    values: Sequence[Cursor],
    text: str,
    braces: InitList,
    ctype: ClangType,
    build: Callable[[Cursor], Expr],
) -> InitList | None:
    """The braces with a value for each part of a structure or an array, where `values`, which
    `text` spells, name some of them. None for types that are not known, or have members that are
    not among their fields: bits, and those of structures without a name. What is not named is 0."""
    if not any(is_designated(one, text) for one in values):
        return None
    whole = _Part()
    try:
        _fill(whole, values, text, ctype)
        made = _built(whole, braces.type, ctype, build)
    except _Unknown:
        return None
    assert isinstance(made, InitList)
    plain = len(made.elements) == len(values) and all(_is_plain(one, text) for one in values)
    same = plain and list(whole.parts) == sorted(whole.parts)
    return replace(braces, elements=made.elements, form=braces.form if same else Form.BUILT)


def _is_plain(value: Cursor, text: str) -> bool:
    return is_designated(value, text) and len(value.children) == 2


def _fill(whole: _Part, values: Sequence[Cursor], text: str, ctype: ClangType) -> None:
    """Values without a name follow what comes before them."""
    following: int | None = 0
    for one in values:
        if not is_designated(one, text):
            if following is None:
                raise _Unknown  # it follows a part of a part
            whole.parts[following] = _Part(one)
            following += 1
            continue
        *steps, value = one.children
        part, inner = whole, ctype
        for step in steps:
            position, inner = _stepped(step, inner)
            if part.value is not None:
                raise _Unknown  # it changes some of what has a value
            part = part.parts.setdefault(position, _Part())
            following = position + 1
        part.value, part.parts = value, {}
        following = following if len(steps) == 1 else None


def _stepped(step: Cursor, ctype: ClangType) -> tuple[int, ClangType]:
    """The position of a part, and its type."""
    whole = ctype.canonical
    if step.kind == "MEMBER_REF":
        names = [name for name, _ in whole.fields]
        if step.spelling not in names or len(names) != member_count(whole):
            raise _Unknown
        position = names.index(step.spelling)
        return position, whole.fields[position][1]
    position = step.evaluate_integer()
    if whole.kind not in ("CONSTANTARRAY", "INCOMPLETEARRAY") or position is None:
        raise _Unknown
    return position, whole.element


def _built(part: _Part, ctype: CType, raw: ClangType, build: Callable[[Cursor], Expr]) -> Expr:
    if part.value is not None:
        made = build(part.value)
        if made.type.is_arithmetic and not ctype.is_arithmetic:
            raise _Unknown  # braces are left out
        return made
    whole = raw.canonical
    elements: list[Expr] = []
    match ctype.kind:
        case TypeKind.RECORD:
            if len(ctype.fields) != member_count(whole):
                raise _Unknown
            for at, (_, member) in enumerate(ctype.fields):
                known = part.parts.get(at)
                inner = whole.fields[at][1]
                elements.append(_built(known, member, inner, build) if known else _zero(member))
            if max(part.parts, default=0) >= len(elements):
                raise _Unknown
        case TypeKind.ARRAY if ctype.element is not None:
            count = max(part.parts, default=-1) + 1
            if count > _MOST_ELEMENTS:
                raise _Unknown
            for at in range(count):
                known, element = part.parts.get(at), ctype.element
                made = _built(known, element, whole.element, build) if known else _zero(element)
                elements.append(made)
        case _:
            raise _Unknown
    return InitList(tuple(elements), ctype)


def _zero(ctype: CType) -> Expr:
    is_number = ctype.is_arithmetic or ctype.kind is TypeKind.POINTER
    return Literal("0", 0, INT) if is_number else InitList((), ctype)


def member_count(ctype: ClangType) -> int:
    """How many values the braces of a structure have in all; -1 where they may be of bases, and of
    structures without a name, whose members are its own."""
    declared = ctype.canonical.declaration
    fields = [one for one in declared.children if one.kind == "FIELD_DECL"]
    types = {_innermost(one.type).declaration.begin for one in fields}
    unnamed = (one for one in declared.children if one.kind in ("STRUCT_DECL", "UNION_DECL"))
    bases = any(one.kind == "CXX_BASE_SPECIFIER" for one in declared.children)
    if bases or any(not one.spelling.isidentifier() and one.begin not in types for one in unnamed):
        return -1
    return len(fields)


def has_other_values(ctype: ClangType) -> bool:
    """Are there values in the braces of a structure that are none of a field: those of bits, and of
    structures without a name?"""
    whole = ctype.canonical
    count = member_count(whole) if whole.kind == "RECORD" and whole.fields else 0
    has_bases = whole.kind == "RECORD" and bool(whole.bases)
    return not has_bases and count not in (0, len(whole.fields))


def _innermost(ctype: ClangType) -> ClangType:
    inner = ctype.canonical
    while inner.kind in ("CONSTANTARRAY", "INCOMPLETEARRAY", "POINTER"):
        inner = (inner.pointee if inner.kind == "POINTER" else inner.element).canonical
    return inner
