"""Everything of a translation that is a change of the text outside kernel bodies.

The edits of includes, specifiers, names and launches are found independently, on tokens, and then
laid over each other: what lies inside text that another edit replaces goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.attributes import attribute_edits
from g2o.frontend.cuda.conditions import condition_edits
from g2o.frontend.cuda.continuations import continuation_edits
from g2o.frontend.cuda.declare_target import declare_target_edits, shared_memory_edits
from g2o.frontend.cuda.includes import include_edits
from g2o.frontend.cuda.index_types import index_type_edits
from g2o.frontend.cuda.kernel_arguments import kernel_argument_edits
from g2o.frontend.cuda.launch_edits import launch_edits
from g2o.frontend.cuda.launch_parameters import launch_parameter_edits
from g2o.frontend.cuda.launches import LaunchSite, launches
from g2o.frontend.cuda.lexer import lex, word_set
from g2o.frontend.cuda.macros import never_compiled
from g2o.frontend.cuda.pasted_names import pasted_name_edits
from g2o.frontend.cuda.pragmas import pragma_edits
from g2o.frontend.cuda.renames import rename_edits
from g2o.frontend.cuda.torch_names import torch_edits
from g2o.frontend.cuda.unit_facts import HostEdits, KernelFact, UnitFacts
from g2o.frontend.cuda.unused_macros import without_unused_macros
from g2o.frontend.cuda.zero_initialisers import zero_initialiser_edits
from g2o.frontend.edits import TextEdit

__all__ = ["HostEdits", "KernelFact", "LaunchSite", "UnitFacts", "host_edits", "launches"]

_NEEDS_RUNTIME = re.compile(
    r"dim3|u?(char|short|int|long|longlong)[1-4]|(float|double)[1-4]|make_\w+[1-4]"
    r"|(thread|block)Idx|(block|grid)Dim|__syncthreads|__shared__"
)

_OF_C_LIBRARY: Final = {
    "stdio": word_set("printf fprintf puts"),
    "stdlib": word_set(
        "malloc calloc realloc free rand srand exit abort atoi atof qsort getenv abs"
    ),
    "string": word_set("memset memcpy memmove memcmp strlen strcmp strncmp strcpy"),
    "math": word_set("sqrt fabs sin cos exp log pow"),
    "time": word_set("time clock"),
    "assert": word_set("assert"),
}
"""What the header declares that nvcc includes in front of every source, by the headers of C."""

_FINDERS = (
    *(attribute_edits, rename_edits, condition_edits, pragma_edits),
    *(launch_edits, kernel_argument_edits, declare_target_edits),
    *(zero_initialiser_edits, launch_parameter_edits, index_type_edits, torch_edits),
    pasted_name_edits,
)


def host_edits(source: SourceFile, facts: UnitFacts, further: Sequence[TextEdit] = ()) -> HostEdits:
    """The edits that turn the file's host side into C++ over the g2o runtime, `further` ones that
    were found elsewhere among them."""
    facts = replace(facts, inactive=facts.inactive + never_compiled(lex(source.text)))
    edits = [*further]
    diagnostics: list[Diagnostic] = []
    for find in _FINDERS:
        found, faults = find(source, facts)
        edits.extend(found)
        diagnostics.extend(faults)
    removed, diagnostics = without_unused_macros(source, facts, diagnostics)
    edits += removed
    first_use = _first_use(source, edits)
    needs_runtime = bool(edits) or first_use is not None or _relies_on_nvcc(source, facts)
    found, faults = include_edits(source, facts, first_use, needs_runtime=needs_runtime)
    # An include comes before what else begins at its place.
    edits = [*shared_memory_edits(facts), *found, *edits]
    diagnostics.extend(faults)
    composed = compose(edits)
    padded = compose((*composed, *continuation_edits(source.text, composed)))
    return HostEdits(padded, tuple(sorted(diagnostics, key=_position)))


def _first_use(source: SourceFile, edits: Sequence[TextEdit]) -> int | None:
    """Where the file's code first needs the runtime: at an edit, or a name that CUDA and it share.

    The body of a macro needs nothing before the macro is used.
    """
    lexed = lex(source.text)
    lines = [(line.begin, line.line_end) for line in lexed.directives]
    places = [
        edit.begin for edit in edits if not any(begin <= edit.begin < end for begin, end in lines)
    ]
    places += [token.begin for token in lexed.code if _NEEDS_RUNTIME.fullmatch(token.text)][:1]
    return min(places, default=None)


def _relies_on_nvcc(source: SourceFile, facts: UnitFacts) -> bool:
    """May the file, or a header that stays, call functions of C's library that only the header
    declares which nvcc includes in front of every source?"""
    if not source.path.endswith(".cu"):
        return False
    lexed = lex(source.text)
    lines = (line for line in lexed.directives if line.name == "include")
    included = {source.text[line.argument_begin : line.end].strip() for line in lines}
    known = facts.translated_includes.keys() - facts.staying_includes
    quoted = [name[1:-1] for name in included if name.startswith('"')]
    if quoted:  # those that are known bring the runtime
        return any(name not in known for name in quoted)
    missing = [
        names
        for header, names in _OF_C_LIBRARY.items()
        if included.isdisjoint((f"<{header}.h>", f"<c{header}>"))
    ]
    pairs = zip(lexed.code, lexed.code[1:], strict=False)
    called = {name.text for name, after in pairs if after.text == "("}
    return any(not called.isdisjoint(names) for names in missing)


def _position(diagnostic: Diagnostic) -> tuple[int, str]:
    begin = -1 if diagnostic.span is None else diagnostic.span.begin
    return begin, diagnostic.message


def compose(edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits in order, without those inside the range that another one replaces.

    Several insertions at one place become one, in the order in which they came.
    """
    by_place: dict[tuple[int, int], TextEdit] = {}
    for edit in edits:
        known = by_place.get((edit.begin, edit.end))
        if known is not None and edit.begin == edit.end:
            edit = TextEdit(edit.begin, edit.end, known.replacement + edit.replacement)
        by_place[edit.begin, edit.end] = edit
    kept: list[TextEdit] = []
    outer: TextEdit | None = None  # the last one that replaces text
    for edit in sorted(by_place.values(), key=lambda e: (e.begin, -e.end)):
        if outer is not None and _covers(outer, edit):
            continue
        kept.append(edit)
        if edit.begin < edit.end:
            outer = edit
    return tuple(sorted(kept))


def _covers(outer: TextEdit, inner: TextEdit) -> bool:
    """Whether `inner` changes text that `outer` replaces; insertions at its rim do not."""
    if outer.begin == outer.end or inner.begin >= outer.end:
        return False
    return not (inner.begin == inner.end == outer.begin)
