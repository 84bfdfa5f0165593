"""Arguments of macros that the macro has no use for.

#define AT(x, y, nx, ny) ((y) * (nx) + (x))
int depth = n / 2;                ->  int depth = n / 2;
a[AT(i, j, nx, depth)]                a[AT(i, j, nx, 0)]

No compiler sees the variable there, so it can move or go; the text must not name it any longer.
Parameters stay where they are, and so do their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind
from g2o.frontend.cuda.macro_expansion import DefinitionAt, Expansion
from g2o.frontend.cuda.macros import Macro


def without_dropped(
    lexed: LexedFile, functions: Sequence[Cursor], definition_at: DefinitionAt
) -> Iterator[Expansion]:
    """A `0` for each such argument in the bodies of `functions` that names one of their locals."""
    for function in functions:
        own = set(variables_of(function))
        inside = [token for token in lexed.code if function.begin <= token.begin < function.end]
        end = 0
        for index, token in enumerate(inside if own else ()):
            if token.kind is not TokenKind.IDENTIFIER or token.begin < end:
                continue
            macro = definition_at(token.text, token.begin)
            for argument in () if macro is None else _dropped(inside, index, macro):
                if any(part.text in own for part in argument):
                    end = argument[-1].end
                    yield Expansion(argument[0].begin, end, "0")


def variables_of(cursor: Cursor) -> Iterator[str]:
    """The variables that a function declares, its parameters among them."""
    for child in cursor.children:
        if child.kind in ("VAR_DECL", "PARM_DECL"):
            yield child.spelling
        yield from variables_of(child)


def _dropped(tokens: Sequence[Token], index: int, macro: Macro) -> Iterator[Sequence[Token]]:
    """The arguments of the invocation at `index` whose parameters `macro` does not name."""
    if not macro.parameters or index + 1 >= len(tokens) or tokens[index + 1].text != "(":
        return
    closing = closing_bracket(tokens, index + 1)
    if closing is None:
        return
    named = {token.text for token in macro.body}
    arguments = split_at_commas(tokens, index + 2, closing)
    for parameter, (begin, end) in zip(macro.parameters, arguments, strict=False):
        if parameter != "..." and parameter not in named and begin < end:
            yield tokens[begin:end]
