"""Types of a C file in C++, of which the gradient check makes values.

struct node { double v; struct node *next; };           Node { double v; node *next; }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, final

from g2o.ir.types import CType, TypeKind, unqualified
from g2o.verify.gradients_signature import Record

_REALS: Final = {16: "_Float16", 32: "float", 64: "double"}


@final
@dataclass(slots=True)
class CTypes:
    """The structures of a file by their names, as far as their members are known."""

    _records: dict[str, CType] = field(default_factory=dict[str, CType])

    def add(self, types: Iterable[CType]) -> None:
        """Collect what the types hold and lead to. What is nearest comes first: behind several
        pointers nobody looks at members."""
        level = list(types)
        while level:
            below: list[CType] = []
            for one in level:
                ctype = _behind(one)
                if ctype.kind is TypeKind.RECORD and ctype.fields:
                    if _name(ctype) not in self._records:
                        self._records[_name(ctype)] = ctype
                        below += (member for _, member in ctype.fields)
            level = below

    def refusal(self, ctype: CType, around: frozenset[str] = frozenset()) -> str | None:
        """Why nobody can make up a value; None where that can be done."""
        match ctype.kind:
            case TypeKind.BOOL | TypeKind.INTEGER:
                return None
            case TypeKind.FLOATING:
                return None if ctype.bits in _REALS else f"a number of type '{unqualified(ctype)}'"
            case TypeKind.POINTER | TypeKind.ARRAY if ctype.element is not None:
                if ctype.element.kind is TypeKind.VOID:
                    return "a pointer to void"
                return self.refusal(ctype.element, around)
            case TypeKind.RECORD:
                return self._refusal_of_record(ctype, around)
            case _:
                return f"a value of type '{unqualified(ctype)}'"

    def _refusal_of_record(self, ctype: CType, around: frozenset[str]) -> str | None:
        name = _name(ctype)
        if name in around:
            return None
        known = self._records.get(name)
        if known is None or known.is_union:
            return f"a structure or union '{name}', whose members are not known"
        for member, inner in known.fields:
            why = self.refusal(inner, around | {name})
            if why is not None:
                return f"'{member}' of '{name}': {why}"
        return None

    def spelled(self, ctype: CType) -> str:
        """The type in C++. Arrays behind pointers are their elements: these lie in one piece."""
        match ctype.kind:
            case TypeKind.BOOL:
                return "bool"
            case TypeKind.INTEGER:
                return f"std::{'' if ctype.is_signed else 'u'}int{ctype.bits}_t"
            case TypeKind.FLOATING:
                return _REALS[ctype.bits]
            case TypeKind.POINTER | TypeKind.ARRAY if ctype.element is not None:
                return f"{self.spelled(ctype.element.innermost)} *"
            case _:
                return f"struct {_name(ctype)}"  # members may be called as their types are

    def records(self) -> tuple[Record, ...]:
        """The structures for the driver."""
        return tuple(
            Record(_name(one), tuple(name for name, _ in one.fields), of_c=True)
            for one in self._in_order(self._made())
        )

    def text(self) -> str:
        """The structures in C++."""
        made = list(self._made())
        names = "".join(f"struct {_name(one)};\n" for one in made)
        return names + "".join(map(self._text_of, self._in_order(made)))

    def _made(self) -> Iterator[CType]:
        return (one for one in self._records.values() if self.refusal(one) is None)

    def _in_order(self, made: Iterable[CType]) -> list[CType]:
        """Each behind those that it holds."""
        found: dict[str, CType] = {}

        def put(ctype: CType) -> None:
            known = self._records.get(_name(ctype))
            if ctype.kind is not TypeKind.RECORD or known is None or _name(ctype) in found:
                return
            for _, member in known.fields:
                put(member.innermost)
            found[_name(ctype)] = known

        for one in made:
            put(one)
        return list(found.values())

    def _text_of(self, ctype: CType) -> str:
        members = " ".join(self._member(name, one) for name, one in ctype.fields)
        name = _name(ctype)
        size = f'static_assert(sizeof({name}) == {ctype.bits // 8}, "{name} has other members");'
        return f"struct {name} {{ {members} }};\n{size}\n"

    def _member(self, name: str, ctype: CType) -> str:
        inner = self.spelled(ctype.innermost)
        extents = ""
        while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
            extents += f"[{ctype.extent}]"
            ctype = ctype.element
        return f"{inner} {name}{extents};"


def points(ctype: CType) -> bool:
    """Are there pointers in a value of this type?"""
    return ctype.kind is TypeKind.POINTER or any(points(one.innermost) for _, one in ctype.fields)


def _behind(ctype: CType) -> CType:
    while ctype.is_indirect and ctype.element is not None:
        ctype = ctype.element
    return ctype


def _name(ctype: CType) -> str:
    """The name in C++, which those without one have, too."""
    own = unqualified(ctype).removeprefix("struct ").strip()
    return "".join(letter if letter.isalnum() else "_" for letter in own)
