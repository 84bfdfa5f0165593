"""Device functions of headers that use variables of which every source has a copy of its own.

    __constant__ float k[2];                                  static float k[2];
    __device__ inline float weigh(float x)            ->      static inline float weigh(float x)
    {                                                         {
        return x * k[0] + k[1];                                   return x * k[0] + k[1];

CUDA compiles the device code of every source apart. For a host linker an inline function is one
function: it would use the variables of whichever source it was taken from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from g2o.diagnostics.diagnostic import Diagnostic, Note, warning
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.attributes import variable_names, words_in_front
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.lexer import LexedFile, TokenKind, lex
from g2o.frontend.cuda.scopes import Scope, declarations

_SPACES = frozenset(("__device__", "__constant__", "__managed__"))
_SHARED_BY_ALL = frozenset(("extern", "inline", "constexpr"))


def names_of_each_source(headers: Iterable[LexedFile]) -> frozenset[str]:
    """The names of such variables, and of the functions at namespace scope that name one, or a
    function that does."""
    variables: set[str] = set()
    mentioned: dict[str, set[str]] = {}
    for lexed in headers:
        tokens = lexed.code
        for declaration in declarations(lexed):
            if declaration.scope is not Scope.NAMESPACE:
                continue
            if declaration.parameters is None:
                head = words_in_front(tokens, declaration)
                if not _SPACES.isdisjoint(head) and _SHARED_BY_ALL.isdisjoint(head):
                    variables |= variable_names(tokens, declaration)
            elif declaration.has_body:
                name = declaration.name_index(tokens)
                closing = closing_bracket(tokens, declaration.end)
                if name is not None and closing is not None:
                    body = tokens[declaration.end : closing]
                    words = {one.text for one in body if one.kind is TokenKind.IDENTIFIER}
                    mentioned.setdefault(tokens[name].text, set()).update(words)
    found: set[str] = set()
    reached = variables
    while reached:
        more = {name for name, words in mentioned.items() if not words.isdisjoint(reached)}
        reached = more - found
        found |= more
    return frozenset(variables | found)


def methods_of_each_source(header: SourceFile, names: frozenset[str]) -> Iterator[Diagnostic]:
    """A warning for each method that uses one of the `names`: it cannot be static in this sense."""
    lexed = lex(header.text)
    tokens = lexed.code
    for declaration in declarations(lexed) if names else ():
        is_method = declaration.scope is Scope.CLASS and declaration.parameters is not None
        closing = closing_bracket(tokens, declaration.end) if declaration.has_body else None
        if not is_method or closing is None:
            continue
        body = tokens[declaration.end : closing]
        use = next((one for one in body if one.text in names), None)
        if use is not None:
            message = f"method of a header that uses '{use.text}', of which every source has one"
            note = Note("declare the variable 'extern', and define it in one source")
            yield warning("G2O0221", message, SourceSpan(header, use.begin, use.end), note)
