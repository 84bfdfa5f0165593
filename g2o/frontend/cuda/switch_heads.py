"""What the head of a `switch` declares in front of its condition (C++17).

    switch (int k = i % 3; k) { ... }

Clang's interface does not list that among the parts of the statement: it is found by its uses.
"""

from __future__ import annotations

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.statement_text import header_semicolons
from g2o.frontend.cuda.unit import SourceUnit


def declared_in_head(unit: SourceUnit, switch: Cursor) -> tuple[Cursor, ...]:
    """The variable that is declared there, if any. Raises Refusal for several, and for statements
    that declare none."""
    text = unit.file_of(switch).text
    semicolon, _ = header_semicolons(text, switch.begin)
    if semicolon >= switch.end or unit.in_macro_body(switch):
        return ()
    used = (one.referenced for one in switch.walk() if one.kind == "DECL_REF_EXPR")
    declared = {
        one.name_offset: one
        for one in used
        if one is not None
        and one.kind == "VAR_DECL"
        and one.file == switch.file
        and switch.begin < one.begin < semicolon
    }
    around = "".join(
        text[one.begin : one.name_offset] + text[one.end : semicolon] for one in declared.values()
    )
    if len(declared) != 1 or "," in around:
        message = "statement in front of the condition of a 'switch'"
        note = Note("write it in front of the switch, in braces around both")
        span = SourceSpan(unit.file_of(switch), switch.begin, switch.end)
        raise refuse("G2O0201", message, span, note)
    return tuple(declared.values())
