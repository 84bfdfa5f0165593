"""Which names of host code are CUDA's, where the spelling does not tell.

`min`, `rsqrtf` or `half` may be CUDA's, the standard library's or the program's own. Kernels and
device functions are resolved when they are built; this resolves the rest of the file.
"""

from __future__ import annotations

from bisect import bisect_left

from g2o.frontend.cuda.api import emitted_name
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.lexer import Token, TokenKind, lex
from g2o.frontend.cuda.renames import is_only_cudas
from g2o.frontend.cuda.unit import SourceUnit


def note_host_references(unit: SourceUnit) -> None:
    """Add to the unit's semantic renames what the main file refers to outside kernels.

    Only declarations with a name in question are looked at, so that most files cost nothing.
    """
    offsets = [token.begin for token in lex(unit.main.text).code if _is_in_question(token)]
    if not offsets:
        return
    for cursor in unit.translation_unit.top_level:
        if cursor.file == unit.main_path:
            _note(unit, cursor, offsets)


def _is_in_question(token: Token) -> bool:
    return (
        token.kind is TokenKind.IDENTIFIER
        and not is_only_cudas(token.text)
        and emitted_name(token.text) is not None
    )


def _note(unit: SourceUnit, cursor: Cursor, offsets: list[int]) -> None:
    index = bisect_left(offsets, cursor.begin)
    if index == len(offsets) or offsets[index] >= cursor.end:
        return
    if cursor.kind in ("DECL_REF_EXPR", "TYPE_REF") and cursor.referenced is not None:
        unit.note_reference(cursor, cursor.referenced)
    elif cursor.kind == "OVERLOADED_DECL_REF":
        candidates = cursor.overloads
        if candidates and all(unit.is_declaration(one) for one in candidates):
            unit.note_reference(cursor, candidates[0])
    for child in cursor.children:
        _note(unit, child, offsets)
