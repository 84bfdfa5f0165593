"""Device functions that several sources of a program define, each for itself.

CUDA compiles the device code of every source apart: two files may each have their own
`__device__ float f(float)`. For a host linker they would be one function, or an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind
from g2o.frontend.cuda.scopes import Declaration, Scope, declarations

_ENDS_OF_HEADS = frozenset(("{", ";", "(", ")", ",", "=", ">"))

Signature = tuple[str, ...]
"""The name of a function and the words of its parameters' types."""


def clashing_signatures(files: Iterable[LexedFile]) -> frozenset[Signature]:
    """What more than one of `files` defines with `__device__` alone."""
    seen: set[Signature] = set()
    clashing: set[Signature] = set()
    for lexed in files:
        if "__device__" not in lexed.text and "__global__" not in lexed.text:
            continue
        own = {
            signature_of(lexed.code, declaration)
            for declaration in declarations(lexed)
            if declaration.has_body and is_for_device_alone(lexed.code, declaration)
        }
        clashing |= own & seen
        seen |= own
    return frozenset(clashing)


def clashing_classes(files: Iterable[LexedFile]) -> frozenset[str]:
    """The names of classes with methods for devices that `files` define differently."""
    seen: dict[str, tuple[str, ...]] = {}
    clashing: set[str] = set()
    for lexed in files:
        for name, body in classes_of(lexed):
            words = tuple(token.text for token in body)
            if "__device__" in words and seen.setdefault(name.text, words) != words:
                clashing.add(name.text)
    return frozenset(clashing)


def classes_of(lexed: LexedFile) -> Iterator[tuple[Token, Sequence[Token]]]:
    """The classes of a file outside of all braces: their names and bodies."""
    tokens, index = lexed.code, 0
    while index + 1 < len(tokens):
        name = tokens[index + 1]
        begins = tokens[index].text in ("struct", "class") and name.kind is TokenKind.IDENTIFIER
        if begins:
            index = next(
                (i for i in range(index + 2, len(tokens)) if tokens[i].text in _ENDS_OF_HEADS),
                len(tokens) - 1,
            )
        if tokens[index].text == "{":
            closing = closing_bracket(tokens, index)
            if closing is None:
                return
            if begins:
                yield name, tokens[index:closing]
            index = closing
        index += 1


def is_for_device_alone(tokens: Sequence[Token], declaration: Declaration) -> bool:
    """Whether this is a function at namespace scope with `__device__` and without `__host__`, or
    the template of a kernel."""
    if declaration.scope is not Scope.NAMESPACE or declaration.parameters is None:
        return False
    words = {token.text for token in tokens[declaration.specifiers : declaration.parameters]}
    is_device = "__device__" in words or (declaration.is_template and "__global__" in words)
    return is_device and words.isdisjoint(("__host__", "::"))


def signature_of(tokens: Sequence[Token], declaration: Declaration) -> Signature:
    assert declaration.parameters is not None
    name = declaration.name_index(tokens)
    closing = closing_bracket(tokens, declaration.parameters)
    end = declaration.end if closing is None else closing
    types = (
        _words_of_type(tokens[begin:last])
        for begin, last in split_at_commas(tokens, declaration.parameters + 1, end)
    )
    return ("" if name is None else tokens[name].text, *chain.from_iterable(types))


def _words_of_type(parameter: Sequence[Token]) -> tuple[str, ...]:
    """The parameter without its name and its default."""
    words = [token.text for token in parameter]
    if "=" in words:
        words = words[: words.index("=")]
    is_named = len(words) > 1 and parameter[len(words) - 1].kind is TokenKind.IDENTIFIER
    return (*(words[:-1] if is_named else words), ",")
