"""With which arguments the templates of a program are instantiated, as clang finds out.

template <class T> __global__ void k(T *x) { ... }      k: float
template <class T> void run(T *x) { k<<<1, 32>>>(x); }
int main() { run(floats); }

A copy of the program in which every such template says what it is instantiated with, by a warning
(after an error clang knows nothing more of a class), is parsed once. So launches in templates of
the host count, too, as do explicit instantiations and functions whose address is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.class_templates import VALUE_PARAMETER, split_template_arguments
from g2o.frontend.cuda.parameter_packs import PackUses, pack_uses
from g2o.frontend.cuda.unit import SourceUnit, texts_for_clang

_CONTAINERS: Final = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_PARAMETERS: Final = frozenset(
    {"TEMPLATE_TYPE_PARAMETER", VALUE_PARAMETER, "TEMPLATE_TEMPLATE_PARAMETER"}
)
_ON_DEVICE: Final = frozenset({"CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR"})
_SEEN: Final = re.compile(r"'g2o_seen_(\d+)(<.*>)' is deprecated")
_DEFAULT: Final = re.compile(r"(?<![<>=!(,])\s*=(?!=).*", re.DOTALL)  # `= 0`, no comparison
_PACK: Final = re.compile(r"(?:typename|class)\s*\.\.\.\s*\w+")
_NAMELESS: Final = re.compile(r"\((?:lambda|anonymous|unnamed)\b|\{anonymous|'lambda")
_UNNAMED_SPACE: Final = "(anonymous namespace)::"
_NO_NAMES: Final = ("",)  # the arguments of instances that cannot be spelled
_LIMIT: Final = 64  # instances of one template


@final
@dataclass(frozen=True, slots=True)
class TemplateInstances:
    """A template whose instances can be spelled out, and their arguments in order.

    `head_end` is behind the `>` of `template <...>`, `open` behind the brace that opens it. `pack`
    is the last parameter where that stands for any number of types, and `uses` where it is used.
    Not `is_whole`: it has instances whose arguments have no names, too.
    """

    cursor: Cursor
    file: str
    parameters: tuple[str, ...]
    head_end: int
    open: int
    arguments: tuple[tuple[str, ...], ...] = ()
    pack: str = ""
    uses: PackUses | None = None
    is_whole: bool = True

    def given(self, arguments: Sequence[str]) -> dict[str, str]:
        """The arguments by parameter, without those of the pack."""
        named = [one for one in self.parameters if one != self.pack]
        return dict(zip(named, arguments, strict=not self.pack))

    def packed(self, arguments: Sequence[str]) -> Sequence[str]:
        """The arguments that the pack stands for."""
        return arguments[len(self.parameters) - 1 :] if self.pack else ()

    @property
    def is_class(self) -> bool:
        return self.cursor.kind == "CLASS_TEMPLATE"

    def is_type(self, name: str) -> bool:
        kinds = {one.spelling: one.kind for one in self.cursor.children if one.kind in _PARAMETERS}
        return kinds[name] != VALUE_PARAMETER


def template_instances(
    unit: SourceUnit,
    requested: Collection[str] = (),
    further: Mapping[tuple[str, int], Sequence[tuple[str, ...]]] | None = None,
) -> tuple[TemplateInstances, ...]:
    """The templates of device code in the program's own files that are instantiated. `requested`
    are instances that are wanted besides, `k<float, 4>`; `further` those that are known of
    templates of the main file: the how manieth it is of its name, and its arguments."""
    templates = [
        found for top in unit.translation_unit.top_level for found in _templates(unit, top)
    ]
    if not templates:
        return ()
    found = _instantiated(unit, templates, requested)
    for number, key in enumerate(_keys(unit, templates)):
        for arguments in (further or {}).get(key, ()):
            found.setdefault(number, {})[arguments] = None
    return tuple(
        replace(
            one,
            arguments=tuple(given for given in found[number] if given != _NO_NAMES)[:_LIMIT],
            is_whole=_NO_NAMES not in found[number],
        )
        for number, one in enumerate(templates)
        if number in found
    )


def instances_in_main(unit: SourceUnit) -> dict[tuple[str, int], tuple[tuple[str, ...], ...]]:
    """The arguments of the templates of the main file, as `template_instances` takes them."""
    templates = [
        found for top in unit.translation_unit.top_level for found in _templates(unit, top)
    ]
    found = _instantiated(unit, templates, ()) if templates else {}
    keys = _keys(unit, templates)
    of_main = {keys[number]: tuple(arguments) for number, arguments in found.items()}
    return {key: arguments for key, arguments in of_main.items() if key[0]}


def _keys(unit: SourceUnit, templates: Sequence[TemplateInstances]) -> list[tuple[str, int]]:
    """The name of each template of the main file and the how manieth of that name it is."""
    counted: Counter[str] = Counter()
    keys: list[tuple[str, int]] = []
    for one in templates:
        name = one.cursor.spelling if one.file == unit.main_path else ""
        keys.append((name, counted[name]))
        counted[name] += 1
    return keys


def _templates(unit: SourceUnit, cursor: Cursor) -> Iterable[TemplateInstances]:
    if unit.is_system(cursor) or unit.is_declaration(cursor):
        return
    if cursor.kind in _CONTAINERS:
        for child in cursor.children:
            yield from _templates(unit, child)
        return
    function = cursor.kind == "FUNCTION_TEMPLATE" and _is_device_function(cursor)
    if function or (cursor.kind == "CLASS_TEMPLATE" and _is_device_class(cursor)):
        found = _with_places(unit, cursor)
        if found is not None:
            yield found


def _is_device_function(cursor: Cursor) -> bool:
    kinds = {child.kind for child in cursor.children}
    return "COMPOUND_STMT" in kinds and not kinds.isdisjoint(_ON_DEVICE)


def _is_device_class(cursor: Cursor) -> bool:
    """Has it methods for devices, all of which are defined inside of it?"""
    methods = [one for one in cursor.children if one.kind in ("CXX_METHOD", "CONSTRUCTOR")]
    bodies = all(
        one.is_defaulted_method or any(c.kind == "COMPOUND_STMT" for c in one.children)
        for one in methods
    )
    device = any(c.kind == "CUDADEVICE_ATTR" for one in methods for c in one.children)
    return cursor.is_definition and device and bodies


def _with_places(unit: SourceUnit, cursor: Cursor) -> TemplateInstances | None:
    """The template with what is needed to write into it; None where that is not possible."""
    parameters = [child for child in cursor.children if child.kind in _PARAMETERS]
    text = unit.file_of(cursor).text
    named = all(one.spelling for one in parameters)
    begin = cursor.begin
    if not parameters or not named or unit.in_macro_body(cursor):
        return None
    head = text.find(">", parameters[-1].end - 1)
    head_end = head + 1 if text[parameters[-1].end - 1] != ">" else text.find(">", head + 1) + 1
    if not text.startswith("template", begin):
        return None
    names = tuple(one.spelling for one in parameters)
    pack, uses = "", None
    if "..." in text[begin:head_end]:
        last = _PACK.fullmatch(text[parameters[-1].begin : parameters[-1].end])
        if last is None or text[begin:head_end].count("...") > 1 or cursor.kind == "CLASS_TEMPLATE":
            return None
        pack = names[-1]
        uses = pack_uses(cursor, text, pack, head_end)
        if uses is None:
            return None
    if cursor.kind == "CLASS_TEMPLATE":
        opening = text.find("{", cursor.name_offset)
    else:
        body = next(child for child in cursor.children if child.kind == "COMPOUND_STMT")
        opening = body.begin if text[body.begin] == "{" else -1
    if head_end <= 0 or not head_end <= opening < cursor.end:
        return None
    return TemplateInstances(
        cursor, cursor.file, names, head_end, opening + 1, pack=pack, uses=uses
    )


def _instantiated(
    unit: SourceUnit, templates: Sequence[TemplateInstances], requested: Collection[str]
) -> dict[int, dict[tuple[str, ...], None]]:
    """The arguments that clang finds for each template, by its position."""
    inserted: dict[str, list[tuple[int, str]]] = {}
    for number, one in enumerate(templates):
        text = unit.source_file(one.file).text
        kinds = [child for child in one.cursor.children if child.kind in _PARAMETERS]
        # Without defaults, which clang leaves out of what it says.
        taken = ", ".join(_DEFAULT.sub("", text[each.begin : each.end]) for each in kinds)
        head = f"template <{taken}>"
        said = f"{head} struct [[deprecated]] g2o_seen_{number} {{ enum {{ value = 1 }}; }}; "
        names = ", ".join(one.parameters) + ("..." if one.pack else "")
        asked = f' static_assert(g2o_seen_{number}<{names}>::value, "");'
        inserted.setdefault(one.file, []).extend(((one.cursor.begin, said), (one.open, asked)))
    texts = {name: _with(unit.source_file(name).text, new) for name, new in inserted.items()}
    uses = "".join(f" (void)&{one};" for one in requested)
    if uses:
        main = texts.get(unit.main_path, unit.main.text)
        texts[unit.main_path] = f"{main}\ninline void g2o_requested() {{{uses} }}\n"
    parsed = replace(
        unit.parsed,
        arguments=(*unit.parsed.arguments, "-Wdeprecated-declarations"),
        texts={**unit.parsed.texts, **texts_for_clang(texts)},
    )
    found: dict[int, dict[tuple[str, ...], None]] = {}
    for message in parsed.unit().messages:
        seen = _SEEN.search(message.text.replace(_UNNAMED_SPACE, ""))
        if seen is None:
            continue
        if _NAMELESS.search(seen[2]):
            found.setdefault(int(seen[1]), {})[_NO_NAMES] = None
            continue
        arguments = split_template_arguments(seen[2])
        template = templates[int(seen[1])]
        missing = len(template.parameters) - len(arguments)
        if missing == 0 or (template.pack and missing <= 1):
            found.setdefault(int(seen[1]), {})[arguments] = None
    return found


def _with(text: str, inserted: Iterable[tuple[int, str]]) -> str:
    pieces: list[str] = []
    position = 0
    for offset, new in sorted(inserted):
        pieces += [text[position:offset], new]
        position = offset
    return "".join((*pieces, text[position:]))
