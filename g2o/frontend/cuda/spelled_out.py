"""A program in which the instances of its templates are spelled out, as explicit specialisations.

template <class T, int N> __global__ void k(T *x) { if constexpr (N > 1) f(x); else g(x); }

    template <> __global__ void k<float, 2>(float *x) { f(x); }     stands behind it, too

So clang says everything about an instance: types, which function a call means, which branch is
left. An instance that clang finds errors in stands behind the classes that its arguments name,
where these come later; one with errors there is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.expanded_unit import ExpandedUnit, Original
from g2o.frontend.cuda.lexer import Token, TokenKind, lex
from g2o.frontend.cuda.macros import Macro, macros
from g2o.frontend.cuda.names_around import scopes_around
from g2o.frontend.cuda.template_instances import (
    TemplateInstances,
    instances_in_main,
    template_instances,
)
from g2o.frontend.cuda.unit import SourceUnit, texts_for_clang

_PLAIN_TYPE: Final = re.compile(r"[A-Za-z_][\w:]*(?:<.*>)?")
_PLAIN_VALUE: Final = re.compile(r"[\w:.]+")
_NUMBER: Final = re.compile(r"(\d+)[uUlL]+")
_CONTAINERS: Final = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_CLASSES: Final = frozenset({"STRUCT_DECL", "CLASS_DECL"})
_SPECIALISATIONS: Final = _CLASSES | {"CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
_CONSTEXPR_IF: Final = re.compile(r"if\s+constexpr\b")
_WORD: Final = re.compile(r"\w+")
_MEMBERS: Final = frozenset((".", "->", "::"))
_SHORTER: Final = {"unsigned int": "unsigned"}
_ATTEMPTS: Final = 4


@final
@dataclass(frozen=True, slots=True)
class SpelledInstance:
    """An instance in the text of the file that clang calls `file`, at `[begin, end)`."""

    template: TemplateInstances
    arguments: tuple[str, ...]
    file: str
    begin: int
    end: int

    @property
    def name(self) -> str:
        """`k<float, 2>`."""
        return f"{self.template.cursor.spelling}<{', '.join(map(shown_argument, self.arguments))}>"


@final
@dataclass(frozen=True, slots=True)
class SpelledOut:
    """The unit with its instances, those of its own file among them."""

    device: ExpandedUnit
    instances: tuple[SpelledInstance, ...]


@final
@dataclass(frozen=True, slots=True)
class _Edit:
    """Text in place of `[begin, end)`."""

    begin: int
    end: int
    text: str


@final
@dataclass(frozen=True, slots=True)
class _Placed:
    """An instance of a template in `text`, put at `place`: not behind the template if it
    `is_moved`."""

    number: int
    template: TemplateInstances
    text: str
    edits: Sequence[_Edit]
    place: int
    is_moved: bool


@final
class _Spelled:
    """A text with instances in it; `regions` are theirs. Offsets lead back to the file."""

    def __init__(
        self,
        text: str,
        original: Callable[[int, bool], int],
        instances: Sequence[_Placed],
    ) -> None:
        pieces: list[str] = []
        self._original = original
        self._begins: list[int] = [0]
        self._olds: list[int] = [0]
        self._places: list[int | None] = [None]  # where what comes from another file is put
        self.regions: list[tuple[int, int, int]] = []  # begin, end, which instance
        length = position = 0

        def add(new: str, old: int, place: int | None = None) -> None:
            nonlocal length
            if new:
                self._begins.append(length)
                self._olds.append(old)
                self._places.append(place)
                pieces.append(new)
                length += len(new)

        for one in sorted(instances, key=_order):
            add(text[position : one.place], position)
            position = one.place
            add("\n\n", position)
            begin = length
            place = position if one.is_moved else None
            inner = one.template.cursor.begin
            for edit in one.edits:
                add(one.text[inner : edit.begin], inner, place)
                add(edit.text, edit.begin, place)
                inner = edit.end
            add(one.text[inner : _end_of(one.template, one.text)], inner, place)
            self.regions.append((begin, length, one.number))
        add(text[position:], position)
        self.text = "".join(pieces)

    def original_offset(self, offset: int, *, at_end: bool = False) -> int:
        """Where `offset` comes from in the file."""
        place = self._places[self._piece(offset, at_end)]
        return self._original(self.before(offset, at_end) if place is None else place, at_end)

    def before(self, offset: int, at_end: bool = False) -> int:
        """Where `offset` comes from in the text without instances, or in that of the template."""
        index = self._piece(offset, at_end)
        following = self._begins[index + 1] if index + 1 < len(self._begins) else len(self.text)
        inside = min(offset, following) - self._begins[index]
        return self._olds[index] + inside

    def _piece(self, offset: int, at_end: bool) -> int:
        return bisect_right(self._begins, offset - (1 if at_end and offset else 0)) - 1


def spell_out(
    device: ExpandedUnit, requested: Collection[str], users: Sequence[SourceUnit] = ()
) -> SpelledOut | None:
    """The unit with all instances spelled out that clang takes; None where there are none.

    `users` are other units with the main file, which may have further instances.
    """
    unit = device.unit
    further: dict[tuple[str, int], tuple[tuple[str, ...], ...]] = {}
    for user in users:
        for key, arguments in instances_in_main(user).items():
            further[key] = tuple(dict.fromkeys((*further.get(key, ()), *arguments)))
    templates = template_instances(unit, requested, further)
    wanted = [(one, arguments) for one in templates for arguments in one.arguments]
    dropped: set[int] = set()
    moved: dict[int, tuple[str, int]] = {}  # instances that go behind classes: the file, and where
    for _ in range(_ATTEMPTS):
        chosen = {n: one for n, one in enumerate(wanted) if n not in dropped}
        if not chosen:
            return None
        first = _composed(device, chosen, {}, moved)
        parsed = _parsed(unit, first)
        branches = {
            number: edits
            for name, spelled in first.items()
            for number, edits in _branches(parsed, name, spelled).items()
        }
        final = _composed(device, chosen, branches, moved) if branches else first
        parsed = _parsed(unit, final) if branches else parsed
        faults = _faulty(parsed, final)
        if faults is None:
            return None
        if not faults:
            return _spelled_out(device, parsed, final, wanted)
        for number in faults - moved.keys():
            place = _place_behind(unit, *wanted[number])
            if place is not None:
                moved[number] = place
                faults.discard(number)
        dropped |= faults
    return None


def _place_behind(
    unit: SourceUnit, template: TemplateInstances, arguments: tuple[str, ...]
) -> tuple[str, int] | None:
    """The file, and the place there, behind the classes that a template's arguments name, where
    that is behind the template. Kernels of the main file stay where they are defined."""
    is_kernel = any(child.kind == "CUDAGLOBAL_ATTR" for child in template.cursor.children)
    if template.is_class or (is_kernel and template.file == unit.main_path):
        return None
    named = {word for argument in arguments for word in _WORD.findall(argument)}
    behind = False
    found: tuple[str, int] | None = None
    for top in unit.translation_unit.top_level:
        behind = behind or (top.file == template.file and top.end >= template.cursor.end)
        if behind and not unit.is_system(top) and any(map(named.__contains__, _classes(top))):
            text = unit.source_file(top.file).text
            end = top.end if top.kind == "NAMESPACE" else text.index(";", top.end) + 1
            found = top.file, end
    return found


def _classes(cursor: Cursor) -> Iterator[str]:
    """The names of the classes of a declaration, those in namespaces as well."""
    if cursor.kind == "NAMESPACE":
        for child in cursor.children:
            yield from _classes(child)
    elif cursor.kind in ("STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE") and cursor.is_definition:
        yield cursor.spelling


def _composed(
    device: ExpandedUnit,
    chosen: Mapping[int, tuple[TemplateInstances, tuple[str, ...]]],
    branches: Mapping[int, Sequence[_Edit]],
    moved: Mapping[int, tuple[str, int]],
) -> dict[str, _Spelled]:
    unit = device.unit
    named = [one for file in unit.files_with_macros() for one in macros(lex(file.text))]
    by_file: dict[str, list[_Placed]] = {}
    for number, (template, arguments) in chosen.items():
        text = unit.source_file(template.file).text
        edits = _without_overlaps(
            [*_edits(template, arguments, text, number in moved, named), *branches.get(number, ())]
        )
        is_moved = number in moved
        home = template.file, _end_of_forms(unit, template, text)
        file, place = moved.get(number, home)
        placed = _Placed(number, template, text, edits, place, is_moved)
        by_file.setdefault(file, []).append(placed)
    return {
        name: _Spelled(unit.source_file(name).text, _way_back(device, name), instances)
        for name, instances in by_file.items()
    }


def _order(one: _Placed) -> tuple[int, bool, int]:
    """A class that is made by another of the same template has to be complete in front of it."""
    return one.place, one.is_moved, -one.number if one.template.is_class else one.number


def _way_back(device: ExpandedUnit, name: str) -> Callable[[int, bool], int]:
    original = device.originals.get(device.unit.source_file(name).path)
    if original is None:
        return lambda offset, _: offset
    return lambda offset, at_end: original.expanded.original_offset(offset, at_end=at_end)


def _end_of(template: TemplateInstances, text: str) -> int:
    """Behind the definition, and the semicolon of a class."""
    end = template.cursor.end
    if template.is_class:
        return text.index(";", end) + 1
    return end


def _end_of_forms(unit: SourceUnit, template: TemplateInstances, text: str) -> int:
    """Behind the definition and the specialisations in the same file, which an instance of a class
    may name as well."""
    end = _end_of(template, text)
    if template.is_class:
        pending = [one for one in unit.translation_unit.top_level if one.file == template.file]
        for one in pending:
            if one.kind in _CONTAINERS:
                pending.extend(one.children)
            elif one.kind in _SPECIALISATIONS and one.spelling == template.cursor.spelling:
                is_one = one.template is not None or one.kind not in _CLASSES
                end = max(end, text.index(";", one.end) + 1) if is_one else end
    return end


def _edits(
    template: TemplateInstances,
    arguments: tuple[str, ...],
    text: str,
    is_moved: bool,
    known_macros: Sequence[Macro],
) -> Iterator[_Edit]:
    """What makes the instance of the template's text."""
    cursor = template.cursor
    shown = ", ".join(map(shown_argument, arguments))
    yield _Edit(cursor.begin, template.head_end, "template <>")
    name_end = cursor.name_offset + len(cursor.spelling)
    if is_moved:
        scopes = [one.spelling for one in scopes_around(cursor) if one.spelling]
        yield _Edit(cursor.name_offset, cursor.name_offset, "".join(f"{s}::" for s in scopes[::-1]))
    yield _Edit(name_end, name_end, f"<{shown}>")
    words: dict[str, str] = {}
    aliases = ""
    spelled = template.given(arguments)
    for name, argument in spelled.items():
        if not template.is_type(name):
            words[name] = argument if _PLAIN_VALUE.fullmatch(argument) else f"({argument})"
        elif _PLAIN_TYPE.fullmatch(_SHORTER.get(argument, argument)):
            words[name] = _SHORTER.get(argument, argument)
        else:
            aliases += f" using {name} = {argument};"
    if aliases:
        yield _Edit(template.open, template.open, aliases)
    if template.uses is not None:
        yield from map(_as_edit, template.uses.edits(template.packed(arguments)))
    named_by_macros = {
        one.name: one
        for one in known_macros
        if one.parameters is None and any(part.text in spelled for part in one.body)
    }
    before = ""
    lexed = lex(text)
    inside = [one for one in lexed.directives if template.open <= one.begin < cursor.end]
    tokens = [*lexed.code, *(token for one in inside for token in one.tokens)]
    for token in sorted(tokens, key=lambda one: one.begin):
        if not template.head_end <= token.begin < cursor.end:
            continue
        if token.text == "static" and token.begin < cursor.name_offset:
            yield _Edit(token.begin, token.end, "")
        elif token.kind is TokenKind.IDENTIFIER and before not in _MEMBERS:
            known = words if token.begin >= template.open else {**spelled, **words}
            if token.text in named_by_macros:
                known = {token.text: _expanded(named_by_macros[token.text], known)}
            if token.text in known:
                yield _Edit(token.begin, token.end, known[token.text])
        before = token.text
    if not template.is_class:
        yield from _without_defaults(cursor, lexed.code)


def _expanded(macro: Macro, known: Mapping[str, str]) -> str:
    """What a macro stands for that names parameters of the template: `#define N (4 * WIDTH)`."""
    return " ".join(known.get(token.text, token.text) for token in macro.body)


def _as_edit(place: tuple[int, int, str]) -> _Edit:
    return _Edit(*place)


def _without_defaults(cursor: Cursor, tokens: Sequence[Token]) -> Iterator[_Edit]:
    """An explicit specialisation has no default arguments."""
    for parameter in cursor.children:
        if parameter.kind != "PARM_DECL":
            continue
        before = None
        for token in tokens:
            if parameter.begin <= token.begin < parameter.end:
                if token.text == "=" and before is not None:
                    yield _Edit(before.end, parameter.end, "")
                    break
                before = token


def _without_overlaps(edits: Iterable[_Edit]) -> list[_Edit]:
    """In order, without those inside of what others take away."""
    kept: list[_Edit] = []
    for edit in sorted(edits, key=lambda one: (one.begin, -one.end)):
        if kept and edit.begin < kept[-1].end:
            continue
        kept.append(edit)
    return kept


def shown_argument(argument: str) -> str:
    """A template argument as a person writes it."""
    number = _NUMBER.fullmatch(argument)
    return number[1] if number else _SHORTER.get(argument, argument)


# -- branches that are left ----------------------------------------------------------------------


def _parsed(unit: SourceUnit, texts: Mapping[str, _Spelled]) -> SourceUnit:
    new = {name: spelled.text for name, spelled in texts.items()}
    parsed = replace(unit.parsed, texts={**unit.parsed.texts, **texts_for_clang(new)})
    made = {name: SourceFile(unit.source_file(name).path, text) for name, text in new.items()}
    files = {**unit.named_files(), **made}
    main = files.setdefault(unit.main_path, unit.main)
    return SourceUnit(main, unit.main_path, parsed.unit(), parsed, files)


def _faulty(unit: SourceUnit, texts: Mapping[str, _Spelled]) -> set[int] | None:
    """The instances that clang finds errors in; None where there are errors elsewhere."""
    found: set[int] = set()
    for message in unit.translation_unit.messages:
        if message.severity < 3:
            continue
        spelled = texts.get(message.file)
        regions = () if spelled is None else spelled.regions
        inside = {number for begin, end, number in regions if begin <= message.begin < end}
        if not inside:
            return None
        found |= inside
    return found


def _branches(unit: SourceUnit, name: str, spelled: _Spelled) -> dict[int, list[_Edit]]:
    """What goes of the instances because the conditions of `if constexpr` are known, in terms of
    the text before."""
    found: dict[int, list[_Edit]] = {}
    for begin, end, number in spelled.regions:
        for cursor in _within(unit, name, begin, end):
            if cursor.kind != "IF_STMT" or not _CONSTEXPR_IF.match(spelled.text, cursor.begin):
                continue
            for gone_begin, gone_end, text in _left(cursor, spelled.text):
                found.setdefault(number, []).append(
                    _Edit(spelled.before(gone_begin), spelled.before(gone_end, True), text)
                )
    return found


def _left(cursor: Cursor, text: str) -> Iterator[tuple[int, int, str]]:
    """The ranges that go of an `if constexpr`, and what comes in their place."""
    condition, then, *otherwise = cursor.children
    if not condition.is_expression:
        return
    value = condition.evaluate_integer()
    if value is None:
        return
    if value:
        yield cursor.begin, then.begin, ""
        yield from _bare(then)
        if otherwise:
            gone = otherwise[0].end
            yield then.end + _semicolon(text, then.end), gone + _semicolon(text, gone), ""
    elif otherwise:
        yield cursor.begin, otherwise[0].begin, ""
        yield from _bare(otherwise[0])
    else:
        yield cursor.begin, then.end + _semicolon(text, then.end), ";"


def _semicolon(text: str, end: int) -> int:
    """How far behind `end` the semicolon of a statement without one ends."""
    if text[end - 1] in ";}":
        return 0
    return text.index(";", end) + 1 - end


def _bare(body: Cursor) -> Iterator[tuple[int, int, str]]:
    """The braces of a body that declares nothing."""
    if body.kind == "COMPOUND_STMT" and all(one.kind != "DECL_STMT" for one in body.children):
        yield body.begin, body.begin + 1, ""
        yield body.end - 1, body.end, ""


def _within(unit: SourceUnit, name: str, begin: int, end: int) -> Iterator[Cursor]:
    """What clang has found in a range of a file."""
    pending = [one for one in unit.translation_unit.top_level if one.file == name]
    while pending:
        cursor = pending.pop()
        if cursor.end <= begin or cursor.begin >= end:
            continue
        if cursor.begin >= begin:
            yield cursor
        pending.extend(cursor.children)


def _spelled_out(
    device: ExpandedUnit,
    parsed: SourceUnit,
    texts: Mapping[str, _Spelled],
    wanted: Sequence[tuple[TemplateInstances, tuple[str, ...]]],
) -> SpelledOut:
    unit = device.unit
    originals = dict(device.originals)
    for name, spelled in texts.items():
        path = unit.source_file(name).path
        file = originals[path].file if path in originals else unit.source_file(name)
        originals[path] = Original(file, spelled)
    instances = tuple(
        SpelledInstance(*wanted[number], name, begin, end)
        for name, spelled in texts.items()
        for begin, end, number in spelled.regions
    )
    return SpelledOut(ExpandedUnit(parsed, originals), instances)
