"""Which names of host code are CUDA's, where the spelling does not tell.

`min`, `rsqrtf` or `half` may be CUDA's, the standard library's or the program's own. Kernels and
device functions are resolved when they are built; this resolves the rest of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from g2o.frontend.cuda.api import emitted_name
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.lexer import Token, TokenKind, lex, word_set
from g2o.frontend.cuda.names_around import scopes_around
from g2o.frontend.cuda.renames import is_only_cudas
from g2o.frontend.cuda.unit import SourceUnit

_USING_STD: Final = re.compile(r"\busing\s+namespace\s+std\b")
_IN_STD: Final = word_set(
    "size data empty begin end count find fill copy move swap sort min max distance advance next "
    "prev left right hex dec plus minus negate less greater function array vector list map set "
    "pair tuple get tie bind hash search rotate unique merge remove replace reverse transform "
    "accumulate reduce gcd lcm clamp sample lock mutex thread atomic exchange any optional variant "
    "visit apply invoke equal partition stack queue string stoi ignore rank byte"
)
"""Names of the C++17 library that headers of the runtime may bring along."""


def note_host_references(unit: SourceUnit) -> None:
    """Add to the unit's semantic renames what the main file refers to outside kernels.

    Only declarations with a name in question are looked at, so that most files cost nothing.
    """
    own = _called_as_in_std(unit)
    offsets = [token.begin for token in lex(unit.main.text).code if _is_in_question(token, own)]
    if not offsets:
        return
    for cursor in unit.translation_unit.top_level:
        if cursor.file == unit.main_path:
            _note(unit, cursor, offsets, own)


def _called_as_in_std(unit: SourceUnit) -> frozenset[str]:
    """The program's variables that `using namespace std;` may hide: `int size;` is one name with
    `std::size` then, and the runtime header includes more than the source does."""
    if not any(_USING_STD.search(file.text) for file in unit.own_files()):
        return frozenset()
    return frozenset(
        cursor.spelling
        for cursor in unit.translation_unit.top_level
        if cursor.kind == "VAR_DECL" and cursor.spelling in _IN_STD and not unit.is_system(cursor)
    )


def _is_in_question(token: Token, own: frozenset[str]) -> bool:
    return token.kind is TokenKind.IDENTIFIER and (
        token.text in own
        or (not is_only_cudas(token.text) and emitted_name(token.text) is not None)
    )


def _note(unit: SourceUnit, cursor: Cursor, offsets: list[int], own: frozenset[str]) -> None:
    index = bisect_left(offsets, cursor.begin)
    if index == len(offsets) or offsets[index] >= cursor.end:
        return
    target = cursor.referenced if cursor.kind in ("DECL_REF_EXPR", "TYPE_REF") else None
    if target is not None and target.spelling in own and target.kind == "VAR_DECL":
        _say_whose(unit, cursor, target)
    elif target is not None:
        unit.note_reference(cursor, target)
    elif cursor.kind == "OVERLOADED_DECL_REF":
        candidates = cursor.overloads
        if candidates and all(unit.is_declaration(one) for one in candidates):
            unit.note_reference(cursor, candidates[0])
    for child in cursor.children:
        _note(unit, child, offsets, own)


def _say_whose(unit: SourceUnit, name: Cursor, variable: Cursor) -> None:
    """`::size`, where the program's own is meant and no scope is named."""
    text = unit.main.text
    bare = text.startswith(variable.spelling, name.begin)
    if bare and not scopes_around(variable):
        renames = unit.semantic_renames.setdefault(unit.main_path, {})
        renames[name.begin] = f"::{variable.spelling}"
