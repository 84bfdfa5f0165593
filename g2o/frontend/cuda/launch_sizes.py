"""How many sizes a launch is given, which macros may hide: what clang passes on, not the text.

    #define LINE(n) ((n) + 63) / 64, 64
    k<<<LINE(n)>>>(x, n);                 ->  k(LINE(n), x, n)
    #define ROW(n, s) (n), 64, 0, s
    k<<<ROW(n, stream)>>>(x, n);          ->  k((n), 64, x, n)      written out: two of four go

A macro that stands for grid and block alone stays. Where it says more, what it stands for is
written out at the launch before anything else reads it; other uses of the macro keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.brackets import split_at_commas
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.launch_syntax import Launch, parse_launches
from g2o.frontend.cuda.lexer import LexedFile, TokenKind, lex
from g2o.frontend.cuda.macro_expansion import Expansion, expand_within
from g2o.frontend.cuda.macros import Macro, expands_to

Sizes = Mapping[int, frozenset[int]]
"""For each `<<<` of a file, by its offset, how many sizes stand behind it when it is compiled."""

DefinitionAt = Callable[[str, int], Macro | None]

_CONFIGURE: Final = "__cudaPushCallConfiguration"
_GRID_AND_BLOCK: Final = 2
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def sizes_given(
    source: SourceFile, file: str, top_level: Iterable[Cursor], known: Mapping[str, Macro]
) -> Sizes:
    """The sizes of the launches that the source, as clang calls the `file`, spells.

    What the body of a macro launches stands, for clang, where the macro is used.
    """
    places: dict[int, set[int]] = {}
    for cursor in top_level:
        for node in cursor.walk():
            if node.kind != "CALL_EXPR" or len(node.children) < 2:
                continue
            called = node.children[1]
            if called.kind != "CALL_EXPR" or called.spelling != _CONFIGURE:
                continue
            chevrons, *given = called.children
            if chevrons.spelling_file == file:  # defaults are spelled nowhere
                spelled = sum(part.spelling_file != "" for part in given)
                places.setdefault(chevrons.begin, set()).add(spelled)
    used = {place: _WORD.match(source.text, place) for place in places}
    found: dict[int, frozenset[int]] = {}
    for launch in parse_launches(source)[0]:
        opening, macro = launch.tokens[launch.opening].begin, launch.stream.macro
        where = {opening}
        if macro is not None:
            where = {
                place
                for place, word in used.items()
                if word is not None
                and (word[0] == macro.name or expands_to(known, word[0], macro.name))
            }
        numbers = [places[place] for place in where & places.keys()]
        if numbers:
            found[opening] = frozenset().union(*numbers)
    return found


def may_hide_sizes(launch: Launch, known: Mapping[str, Macro]) -> bool:
    """Can there be more sizes than are spelled? One alone has to be more, and so may be macros."""
    return len(launch.configuration) == 1 or any(
        token.kind is TokenKind.IDENTIFIER and expands_to(known, token.text, ",")
        for begin, end in launch.configuration
        for token in launch.tokens[begin:end]
    )


def stands_for_both(launch: Launch, sizes: Sizes, own: Sequence[Macro]) -> bool:
    """Is the one size that is spelled a macro for grid and block, wherever it is compiled?

    Where it never is, `own` macros of the file say so.
    """
    if len(launch.configuration) != 1:
        return False
    begin, _ = launch.configuration[0]
    given = sizes.get(launch.tokens[launch.opening].begin)
    if given is None:
        return expands_to({m.name: m for m in own}, launch.tokens[begin].text, ",")
    return given == frozenset((_GRID_AND_BLOCK,))


def hides_sizes(launch: Launch, sizes: Sizes) -> bool:
    """Are there more, or others, than are spelled?"""
    given = sizes.get(launch.tokens[launch.opening].begin)
    return given is not None and given != frozenset((len(launch.configuration),))


def written_out(source: SourceFile, sizes: Sizes, definition: DefinitionAt) -> list[Expansion]:
    """The configurations of which a part goes, with their macros expanded: those that can be
    expanded, and have then the sizes that clang counts."""
    found: list[Expansion] = []
    for launch in parse_launches(source)[0]:
        if hides_sizes(launch, sizes) and not stands_for_both(launch, sizes, ()):
            for count in sizes[launch.tokens[launch.opening].begin]:
                found.extend(_written_out(lex(source.text), launch, definition, count))
    return found


def both_written_out(source: SourceFile, definition: DefinitionAt) -> Iterator[Expansion]:
    """The configurations that are one macro, for those who read what the sizes are."""
    for launch in parse_launches(source)[0]:
        if len(launch.configuration) == 1:
            yield from _written_out(lex(source.text), launch, definition, None)


def _written_out(
    lexed: LexedFile, launch: Launch, definition: DefinitionAt, count: int | None
) -> Iterator[Expansion]:
    if launch.stream.macro is not None or not launch.configuration:
        return
    tokens = launch.tokens
    begin = tokens[launch.configuration[0][0]].begin
    end = tokens[launch.closing - 1].end
    expanded = expand_within(lexed, [(begin, end)], definition)
    if not expanded:
        return
    pieces: list[str] = []
    position = begin
    for each in expanded:
        pieces += [lexed.text[position : each.begin], each.text]
        position = each.end
    text = "".join(pieces) + lexed.text[position:end]
    parts = lex(text).code
    number = len(list(split_at_commas(parts, 0, len(parts))))
    if number == count or (count is None and number >= _GRID_AND_BLOCK):
        yield Expansion(begin, end, text)
