"""Declarations at namespace and class scope, found in tokens.

Enough of the grammar to tell where a declaration starts, whether it is a function, and what it
declares; function bodies are passed over. Both branches of an `#if` are seen: the state in front
of it comes back at `#else`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import final

from g2o.frontend.cuda.brackets import closing_angle, closing_bracket
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, word_set


class Scope(Enum):
    NAMESPACE = "namespace"
    CLASS = "class"
    OPAQUE = "opaque"  # a function body, an initialiser, an enumeration, parentheses


@final
@dataclass(frozen=True, slots=True)
class Declaration:
    """`code[begin:end]`: a declaration up to its `;` or the `{` of its function body.

    specifiers    -- index behind `template <...>` heads and `extern "C"`
    is_template   -- has a template head other than `template <>`
    parameters    -- index of the `(` of the parameter list; None for anything but a function
    """

    begin: int
    end: int
    scope: Scope
    specifiers: int
    is_template: bool
    parameters: int | None
    has_body: bool

    def name_index(self, tokens: Sequence[Token]) -> int | None:
        """Index of the function's unqualified name."""
        if self.parameters is None:
            return None
        index = self.parameters - 1
        if tokens[index].text == ">":
            while index > self.specifiers and tokens[index].text != "<":
                index -= 1
            index -= 1
        return index


def is_texture(words: Collection[str]) -> bool:
    """Are these the words of a texture reference, `texture<float, 2> image`?"""
    return "texture" in words and "<" in words and "typedef" not in words


@final
@dataclass(frozen=True, slots=True)
class _Open:
    """An open brace, or parenthesis, and where the declaration around it began."""

    scope: Scope
    start: int
    ends_declaration: bool


_ATTRIBUTES_WITH_ARGUMENTS = word_set(
    "__launch_bounds__ __attribute__ __align__ __builtin_align__ alignas __declspec "
    "decltype __maxnreg__ __cluster_dims__ noexcept explicit requires typeof __typeof__"
)
_CLASS_KEYS = frozenset(("class", "struct", "union"))
_ACCESS = frozenset(("public", "private", "protected"))


@lru_cache(maxsize=8)
def declarations(lexed: LexedFile) -> tuple[Declaration, ...]:
    """The file's declarations in order, with functions ending at their `{`."""
    tokens = lexed.code
    found: list[Declaration] = []
    stack: list[_Open] = []
    start = 0
    saved: list[tuple[list[_Open], int, bool]] = []
    directives = iter(lexed.directives)
    directive = next(directives, None)

    for index, token in enumerate(tokens):
        while directive is not None and directive.code_index <= index:
            if directive.name in ("if", "ifdef", "ifndef"):
                saved.append((list(stack), start, start == index))
            elif directive.name in ("else", "elif", "elifdef", "elifndef") and saved:
                before, start, was_empty = saved[-1]
                stack = list(before)
                start = index if was_empty else start
            elif directive.name == "endif" and saved:
                saved.pop()
            directive = next(directives, None)

        scope = stack[-1].scope if stack else Scope.NAMESPACE
        text = token.text
        if text in ("(", "["):
            stack.append(_Open(Scope.OPAQUE, start, False))
        elif text == "{":
            opened = _opened(tokens, start, index, scope)
            if opened.ends_declaration and scope is not Scope.OPAQUE:
                found.append(_declaration(tokens, start, index, scope, has_body=True))
            stack.append(opened)
            if opened.scope is not Scope.OPAQUE:
                start = index + 1
        elif text in (")", "]", "}"):
            if not stack:
                start = index + 1
                continue
            closed = stack.pop()
            start = index + 1 if text == "}" and closed.ends_declaration else closed.start
        elif scope is Scope.OPAQUE:
            continue
        elif text == ";":
            if start < index:
                found.append(_declaration(tokens, start, index, scope, has_body=False))
            start = index + 1
        elif text == ":" and index and tokens[index - 1].text in _ACCESS:
            start = index + 1
    return tuple(found)


def _opened(tokens: Sequence[Token], start: int, brace: int, scope: Scope) -> _Open:
    """What the `{` at `brace` opens, given the declaration that began at `start`."""
    if scope is Scope.OPAQUE:
        return _Open(Scope.OPAQUE, start, False)
    head = [token.text for token in tokens[start:brace]]
    if "namespace" in head[:2] or (len(head) == 2 and head[0] == "extern"):
        return _Open(Scope.NAMESPACE, start, True)
    specifiers, _ = _specifiers(tokens, start, brace)
    if _parameters(tokens, specifiers, brace) is not None or not head:
        return _Open(Scope.OPAQUE, start, True)
    words = _outside_brackets(tokens, specifiers, brace)
    if "=" not in words and "enum" not in words and not _CLASS_KEYS.isdisjoint(words):
        return _Open(Scope.CLASS, start, False)
    return _Open(Scope.OPAQUE, start, False)


def _declaration(
    tokens: Sequence[Token], begin: int, end: int, scope: Scope, *, has_body: bool
) -> Declaration:
    specifiers, is_template = _specifiers(tokens, begin, end)
    parameters = _parameters(tokens, specifiers, end)
    return Declaration(begin, end, scope, specifiers, is_template, parameters, has_body)


def _specifiers(tokens: Sequence[Token], begin: int, end: int) -> tuple[int, bool]:
    """Index behind `template <...>` heads and `extern "C"`, and whether it is a template."""
    index, is_template = begin, False
    while index + 1 < end:
        if tokens[index].text == "template" and tokens[index + 1].text == "<":
            closing = closing_angle(tokens, index + 1)
            if closing is None or closing >= end:
                break
            is_template = is_template or closing > index + 2
            index = closing + 1
        elif tokens[index].text == "extern" and tokens[index + 1].kind is TokenKind.STRING:
            index += 2
        else:
            break
    return index, is_template


def _parameters(tokens: Sequence[Token], begin: int, end: int) -> int | None:
    """Index of the `(` of a function's parameter list, when this declares a function.

    `float x(1.0f)` looks the same as a function and counts as one.
    """
    index = begin
    while index < end:
        text = tokens[index].text
        if text in ("=", "["):
            return None
        if text == "{":  # of a class
            closing = closing_bracket(tokens, index)
            index = end if closing is None else closing
        elif text == "operator":
            while index < end and tokens[index].text != "(":
                index += 1
            return index + 2 if tokens[index + 1].text == ")" else index
        elif text == "<":
            closing = closing_angle(tokens, index)
            index = index if closing is None or closing >= end else closing
        elif text == "(":
            previous, closing = tokens[index - 1], closing_bracket(tokens, index)
            attribute = index == begin or previous.text in _ATTRIBUTES_WITH_ARGUMENTS
            if not attribute and not _is_macro(tokens, closing, end):
                named = previous.text == ">" or previous.kind is TokenKind.IDENTIFIER
                is_pointer = tokens[index + 1].text in ("*", "&")
                return index if named and not is_pointer else None
            if closing is None:
                return None
            index = closing
        index += 1
    return None


def _is_macro(tokens: Sequence[Token], closing: int | None, end: int) -> bool:
    """Is what the bracket closes the call of a macro, as the name of a function is still to come?

    `void BOUNDS(128, 4) scale(float *x)`, but not `void scale(float *x) NOT_NULL(1)`.
    """
    if closing is None or closing + 2 >= end or tokens[closing + 2].text not in ("(", "<"):
        return False
    name = tokens[closing + 1]
    is_name = name.kind is TokenKind.IDENTIFIER and name.text not in _ATTRIBUTES_WITH_ARGUMENTS
    return is_name and not name.text.isupper()


def _outside_brackets(tokens: Sequence[Token], begin: int, end: int) -> set[str]:
    words: set[str] = set()
    index = begin
    while index < end:
        text = tokens[index].text
        if text in ("(", "["):
            closing = closing_bracket(tokens, index)
            index = end if closing is None else closing
        elif text == "<":
            closing = closing_angle(tokens, index)
            index = index if closing is None else closing
        else:
            words.add(text)
        index += 1
    return words
