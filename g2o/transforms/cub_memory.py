"""Which of CUB's classes a call in a kernel works with, and the memory that it is given.

using BlockScan = cub::BlockScan<int, 128>;
__shared__ typename BlockScan::TempStorage storage;     storage: a BlockScan<int, 128>
__shared__ union {
    typename BlockScan::TempStorage scan;               memory.scan: another
} memory;
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Cast, Expr, Member, VarRef, Verbatim
from g2o.ir.statements import Block, Declare, DeclareTypes
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk

_AXES: Final = {
    "BlockReduce": 3,
    "BlockScan": 3,
    "BlockAdjacentDifference": 2,
    "BlockLoad": 4,
    "BlockStore": 4,
    "BlockExchange": 4,
    "BlockRadixSort": 8,
}  # the place of the threads along Y in the template arguments; those along X are the second
_STORAGE: Final = re.compile(r"\bTempStorage$")
_CLASS: Final = re.compile(
    rf"\b({'|'.join(_AXES)}|WarpReduce|WarpScan)\s*<([^<>]*(?:<[^<>]*>[^<>]*)*)>"
)
_QUALIFIED: Final = re.compile(
    r"(?:const\s+|typename\s+|::)*(\w+::)*(?!TempStorage\b)(\w+)\s*(?=<|::TempStorage|$)"
)
_RECORD: Final = re.compile(r"\b(?:union|struct)\b[^{]*\{(.*)\}", re.DOTALL)
_FIELD: Final = re.compile(r"(.+?[\s>])(\w+)\s*(\[.*\])?", re.DOTALL)
_WARP: Final = "32"


@final
@dataclass(frozen=True, slots=True)
class Collective:
    """A class of CUB, "BlockScan", with its template arguments as spelled."""

    kind: str
    arguments: tuple[str, ...]

    @property
    def element(self) -> str:
        return self.arguments[0]

    @property
    def lanes(self) -> str:
        """The threads of a group of a warp."""
        return self.arguments[1] if len(self.arguments) > 1 else _WARP

    @property
    def extents(self) -> tuple[str, ...]:
        """The threads along each axis of a block."""
        first = _AXES[self.kind]
        return (self.arguments[1], *self.arguments[first : first + 2])


@final
@dataclass(frozen=True, slots=True)
class CubMemory:
    """The variables of CUB's types: memory, by its field ("" where it is none of a structure), and
    objects. `types` are the local names of such structures."""

    fields: Mapping[Symbol, Mapping[str, Collective]]
    objects: Mapping[Symbol, Collective]
    types: frozenset[str]
    aliases: Mapping[str, str]
    own_classes: frozenset[str]

    def __contains__(self, symbol: Symbol) -> bool:
        return symbol in self.fields or symbol in self.objects

    def collective_of(self, made: Expr) -> Collective | None:
        """What `BlockReduce(storage)`, `WarpReduce(storage[warp])`, `BlockScan(memory.scan)`,
        `BlockReduce()` or the name of an object is."""
        for node in walk(made):
            if isinstance(node, VarRef) and node.symbol in self.objects:
                return self.objects[node.symbol]
            if isinstance(node, VarRef) and "" in self.fields.get(node.symbol, {}):
                return self.fields[node.symbol][""]
            if isinstance(node, Member) and isinstance(node.base, VarRef):
                found = self.fields.get(node.base.symbol, {}).get(node.name)
                if found is not None:
                    return found
        if not isinstance(made, (Cast, Verbatim)) or made.span is None:
            return None
        text = text_of(made.span)
        is_default = re.search(r"[({]\s*[)}]$", text)
        return None if is_default is None else self._class_of(text[: is_default.start()])

    def _class_of(self, text: str) -> Collective | None:
        spelled = _spelled_out(text, self.aliases)[0]
        known = None if _is_own(spelled, self.own_classes) else _CLASS.search(spelled)
        return None if known is None else _collective(known)


def cub_memory(body: Block, own_classes: frozenset[str]) -> CubMemory:
    """The variables of CUB's types, those of the program's `own_classes` left alone. Raises Refusal
    where the class behind one cannot be seen."""
    aliases = _aliases(body)
    fields: dict[Symbol, dict[str, Collective]] = {}
    objects: dict[Symbol, Collective] = {}
    types: set[str] = set()
    for node in walk(body):
        if not isinstance(node, Declare):
            continue
        for variable in node.variables:
            declared = variable.declared.strip()
            if variable.symbol.storage is Storage.LOCAL:
                text, is_storage = _spelled_out(declared, aliases)
                known = None if _is_own(text, own_classes) else _CLASS.search(text)
                if known is not None and not is_storage and known.end() == len(text):
                    objects[variable.symbol] = _collective(known)
            if variable.symbol.storage is not Storage.SHARED:
                continue
            name = declared.removeprefix("union ").removeprefix("struct ")
            record = _RECORD.search(aliases.get(name, ""))
            if record is not None:
                members = dict(_fields(record[1], aliases, own_classes, node.span))
                if members:
                    fields[variable.symbol] = members
                    types.add(name)
                continue
            text, is_storage = _spelled_out(declared, aliases)
            if is_storage and not _is_own(text, own_classes):
                fields[variable.symbol] = {"": _known(text, declared, node.span)}
    return CubMemory(fields, objects, frozenset(types), aliases, own_classes)


def cub_type_names(body: Block, memory: CubMemory) -> frozenset[str]:
    """The local names of CUB's classes and of structures that only hold memory for them."""
    found = set(memory.types)
    for node in walk(body):
        if isinstance(node, DeclareTypes):
            for name in node.names:
                text = _right_side(memory.aliases.get(name, ""), name)
                if _is_own(_spelled_out(text, memory.aliases)[0], memory.own_classes):
                    continue
                if _RECORD.search(text) is None and (_CLASS.search(text) or _STORAGE.search(text)):
                    found.add(name)
    return frozenset(found)


def _is_own(text: str, own_classes: frozenset[str]) -> bool:
    """Is it a class of the program, or its memory, and none of CUB, whatever it is called?"""
    named = _QUALIFIED.match(text)
    return named is not None and named[1] != "cub::" and named[2] in own_classes


def _known(text: str, declared: str, span: SourceSpan | None) -> Collective:
    known = _CLASS.search(text)
    if known is None:
        raise refuse("G2O0205", f"'{declared}', whose class is declared elsewhere", span)
    return _collective(known)


def _collective(known: re.Match[str]) -> Collective:
    return Collective(known[1], tuple(_split(known[2])))


def _fields(
    text: str, aliases: Mapping[str, str], own_classes: frozenset[str], span: SourceSpan | None
) -> Iterator[tuple[str, Collective]]:
    """The fields of a structure that only has memory of CUB; none of others."""
    declarations = [one.strip() for one in text.split(";") if one.strip()]
    if "TempStorage" not in text:
        return
    spelled = [_spelled_out(one, aliases)[0] for one in declarations if "TempStorage" in one]
    if all(_is_own(one, own_classes) for one in spelled):
        return
    for one in declarations:
        field = _FIELD.fullmatch(one)
        spelled, is_storage = _spelled_out(field[1], aliases) if field is not None else ("", False)
        if field is None or not is_storage:
            raise refuse("G2O0205", f"memory of CUB beside '{one}' in one structure", span)
        yield field[2], _known(spelled, field[1].strip(), span)


def _aliases(body: Block) -> dict[str, str]:
    """The text of the local types by their names."""
    found: dict[str, str] = {}
    for node in walk(body):
        if isinstance(node, DeclareTypes):
            text = node.text or ("" if node.span is None else text_of(node.span))
            found |= dict.fromkeys(node.names, text)
    return found


def text_of(span: SourceSpan) -> str:
    """What stands there, with the template arguments of an inlined function put in."""
    text = span.text
    for begin, end, words in sorted(span.file.replaced, reverse=True):
        if span.begin <= begin and end <= span.end:
            text = text[: begin - span.begin] + words + text[end - span.begin :]
    return text


def _spelled_out(declared: str, aliases: Mapping[str, str]) -> tuple[str, bool]:
    """The type with its local names replaced, and whether it is temporary storage."""
    text, is_storage = declared.strip(), False
    for _ in range(4):
        is_storage = is_storage or _STORAGE.search(text) is not None
        if _CLASS.search(text):
            break
        name = next((word for word in re.findall(r"\w+", text) if word in aliases), None)
        if name is None:
            break
        text = _right_side(aliases[name], name)
    return text, is_storage


def _right_side(text: str, name: str) -> str:
    """What `using A = B;` and `typedef B A;` say of A."""
    text = text.strip().removesuffix(";").strip()
    if text.startswith("using"):
        return text.partition("=")[2].strip()
    return text.removeprefix("typedef").strip().removesuffix(name).strip()


def _split(arguments: str) -> list[str]:
    """Template arguments at their commas, but for those of nested lists."""
    parts, depth = [""], 0
    for character in arguments:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [" ".join(part.split()) for part in parts]
