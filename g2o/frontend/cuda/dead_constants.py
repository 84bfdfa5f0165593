"""Constants that only lost arguments named go with their last use.

constexpr unsigned kFullMask = 0xffffffffu;                ->  (gone)
v += __shfl_down_sync(kFullMask, v, 16);                   ->  v[lane] += v[lane + 16];

A translation has no masks of lanes, for one. A constant that nobody names is warned of.
"""

from __future__ import annotations

from collections import Counter

from g2o.frontend.cuda.lexer import LexedFile, TokenKind, lex
from g2o.frontend.cuda.removals import remove_statement
from g2o.frontend.cuda.scopes import Declaration, Scope, declarations

_CONSTANT = frozenset(("constexpr", "const"))
_SEEN_ELSEWHERE = frozenset(("extern", "inline", "template", "*", "&", "::"))


def without_dead_constants(code: str, source: str) -> str:
    """The translation `code` of `source` without the constants of which only the definition is
    left, though the source uses them."""
    lexed = lex(code)
    left, uses = _names(lexed), _names(lex(source))
    dead = [
        declaration
        for declaration in declarations(lexed)
        for name in (_constant(lexed, declaration),)
        if name is not None and left[name] == 1 and uses[name] > 1
    ]
    for declaration in reversed(dead):
        begin, end = lexed.code[declaration.begin].begin, lexed.code[declaration.end].end
        edit = remove_statement(code, begin, end)
        code = code[: edit.begin] + code[edit.end :]
    return code


def _names(lexed: LexedFile) -> Counter[str]:
    """How often each word stands in code and directives."""
    lines = (line.tokens for line in lexed.directives)
    return Counter(token.text for tokens in (lexed.code, *lines) for token in tokens)


def _constant(lexed: LexedFile, declaration: Declaration) -> str | None:
    """The name that is declared where this is one arithmetic constant of the file."""
    if declaration.scope is not Scope.NAMESPACE or declaration.parameters is not None:
        return None
    words = [token.text for token in lexed.code[declaration.begin : declaration.end]]
    if "=" not in words or not _CONSTANT & set(words) or _SEEN_ELSEWHERE & set(words):
        return None
    place = words.index("=") - 1
    values = lexed.code[declaration.begin + place + 2 : declaration.end]
    if any(token.text in (",", "(", "{") for token in values):
        return None
    name = lexed.code[declaration.begin + place]
    return name.text if name.kind is TokenKind.IDENTIFIER else None
