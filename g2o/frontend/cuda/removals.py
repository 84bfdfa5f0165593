"""Taking text out of a line so that nobody sees that something was there."""

from __future__ import annotations

from collections.abc import Iterable

from g2o.frontend.cuda.lexer import Directive, LexedFile
from g2o.frontend.edits import TextEdit


def tidy_removal(text: str, begin: int, end: int) -> TextEdit:
    """Remove `[begin, end)` with the white space that only it needed."""
    line = text.rfind("\n", 0, begin) + 1
    after = end
    while after < len(text) and text[after] in " \t":
        after += 1
    at_line_end = after == len(text) or text.startswith(("\n", "\r\n", "\\\n", "\\\r\n"), after)
    if not text[line:begin].strip() and at_line_end and not text.startswith("\\", after):
        while after < len(text) and text[after] in " \t\r\n":
            after += 1
        return TextEdit(begin, after, "")
    if text[line:begin].strip() and (at_line_end or text[after] in "(),;"):
        while begin > line and text[begin - 1] in " \t":
            begin -= 1
        return TextEdit(begin, end if text.startswith("\\", after) else after, "")
    return TextEdit(begin, after, "")


def remove_statement(text: str, begin: int, end: int) -> TextEdit:
    """Remove `[begin, end)`, with its line when nothing else is on that."""
    line = text.rfind("\n", 0, begin) + 1
    after = end
    while after < len(text) and text[after] in " \t\r":
        after += 1
    if not text[line:begin].strip() and (after == len(text) or text[after] == "\n"):
        return TextEdit(line, min(after + 1, len(text)), "")
    return TextEdit(begin, after, "")


def without_directives(lexed: LexedFile, gone: Iterable[Directive]) -> list[TextEdit]:
    """Remove lines of the preprocessor, and conditions that have nothing else behind them.

    #ifdef __INTELLISENSE__
    #define ARGS(grid, block)
    #else                                           ->
    #define ARGS(grid, block) <<<grid, block>>>
    #endif
    """
    begins = {directive.begin for directive in gone}
    found: list[TextEdit] = []
    openings: list[tuple[Directive, int, int]] = []  # and what was gone, and kept, in front of it
    kept = 0
    for directive in lexed.directives:
        if directive.begin in begins:
            found.append(remove_statement(lexed.text, directive.begin, directive.line_end))
        elif directive.name in ("if", "ifdef", "ifndef"):
            openings.append((directive, len(found), kept))
        elif directive.name == "endif" and openings:
            opening, before, kept_before = openings.pop()
            has_code = directive.code_index > opening.code_index
            if before < len(found) and kept == kept_before and not has_code:
                found[before:] = [remove_statement(lexed.text, opening.begin, directive.line_end)]
            else:
                kept += 1
        elif directive.name not in ("else", "elif"):
            kept += 1
    return found
