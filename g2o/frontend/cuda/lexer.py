"""Tokens of a C++ file as it stands, before any macro is expanded or branch is chosen.

Host edits have to reach macro bodies and branches that the preprocessor skips, which no compiler's
tree covers. So the file is cut into tokens once:

    #define CHECK(e) do { e; } while (0)     a Directive with its own tokens
    k<<<grid, block>>>(x);  // launch        code tokens; comments and white space are not tokens

`<<<` is one token, also where the source has `<< <` as nvcc allows. `>` stands alone, but for
`>>=`, so that `>>>` closes a launch as readily as three template argument lists; `adjacent` tells
three in a row from three apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, final

from g2o.diagnostics.place import BYTE_ORDER_MARK


class TokenKind(Enum):
    IDENTIFIER = "identifier"
    NUMBER = "number"
    STRING = "string"
    CHARACTER = "character"
    PUNCTUATION = "punctuation"


class Token(NamedTuple):
    """One token and the byte range `[begin, end)` it takes in the file."""

    kind: TokenKind
    text: str
    begin: int
    end: int


@final
@dataclass(frozen=True, slots=True)
class Directive:
    """One preprocessor line with its continuations.

    `[begin, end)` is its text without trailing comments and white space, which go up to
    `line_end`, the offset of the newline. `tokens` are those after the directive's name (none for
    `#include` and `#error`, whose text is not C++); `code_index` counts the code tokens in front.
    """

    name: str
    begin: int
    end: int
    line_end: int
    argument_begin: int
    tokens: tuple[Token, ...]
    code_index: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class LexedFile:
    """Code tokens, preprocessor lines and comment ranges of a file, each in order."""

    text: str
    code: tuple[Token, ...]
    directives: tuple[Directive, ...]
    comments: tuple[tuple[int, int], ...]

    def comment_within(self, begin: int, end: int) -> bool:
        """Whether a comment starts in `[begin, end)`."""
        index = bisect_left(self.comments, (begin, begin))
        return index < len(self.comments) and self.comments[index][0] < end


_COMMON = r"""
  | (?P<comment>//(?:[^\\\n]|\\(?:\r\n|.))*|/\*.*?(?:\*/|\Z))
  | (?P<raw>(?:u8|u|U|L)?R"(?P<fence>[^()\\\s]{0,16})\(.*?(?:\)(?P=fence)"|\Z))
  | (?P<string>(?:u8|u|U|L)?"(?:[^"\\\n]|\\(?:\r\n|.))*"?)
  | (?P<character>(?:u8|u|U|L)?'(?:[^'\\\n]|\\(?:\r\n|.))*'?)
  | (?P<identifier>[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*)
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'?[A-Za-z0-9_.])*)
  | (?P<punctuation><<[ \t]*<|<<=|>>=|<=>|->\*|\.\.\.|>=|<=|->|::|\+\+|--|==|!=|&&|\|\||[-+*/%&|^]=
        |<<|\#\#|.)
"""
_FLAGS = re.VERBOSE | re.DOTALL
_CODE_TOKEN = re.compile(r"(?P<space>(?:[ \t\f\v\r\n]|\\\r?\n)+)" + _COMMON, _FLAGS)
_LINE_TOKEN = re.compile(r"(?P<space>(?:[ \t\f\v\r]|\\\r?\n)+)|(?P<stop>\n)" + _COMMON, _FLAGS)
_DIRECTIVE_NAME = re.compile(r"\#(?:[ \t]|\\\r?\n)*(\w*)(?:[ \t]|\\\r?\n)*")

_HEADER_NAME = re.compile(r'<[^>\n]*>|"[^"\n]*"')

_KINDS = {
    "identifier": TokenKind.IDENTIFIER,
    "number": TokenKind.NUMBER,
    "string": TokenKind.STRING,
    "raw": TokenKind.STRING,
    "character": TokenKind.CHARACTER,
    "punctuation": TokenKind.PUNCTUATION,
}
_NOT_CPP = frozenset(("include", "include_next", "import", "error", "warning"))


@lru_cache(maxsize=128)  # headers of a library: every one of them is read with all the others
def lex(text: str) -> LexedFile:
    """Cut `text` into tokens; never fails, whatever the bytes."""
    code: list[Token] = []
    directives: list[Directive] = []
    comments: list[tuple[int, int]] = []
    position = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    length = len(text)
    line_is_blank = True
    while position < length:
        match = _CODE_TOKEN.match(text, position)
        assert match is not None, "the last alternative takes any character"
        kind, begin, end = str(match.lastgroup), match.start(), match.end()
        if kind == "space":
            line_is_blank = line_is_blank or "\n" in text[begin:end].replace("\\\n", "")
        elif kind == "comment":
            comments.append((begin, end))
        elif text[begin] == "#" and line_is_blank:
            directive = _directive(text, begin, len(code), comments)
            directives.append(directive)
            end = directive.line_end
        else:
            code.append(_token(kind, match.group(), begin, end))
            line_is_blank = False
        position = end
    return LexedFile(text, tuple(code), tuple(directives), tuple(comments))


def _token(kind: str, text: str, begin: int, end: int) -> Token:
    opens_launch = kind == "punctuation" and text.startswith("<<") and text.endswith("<")
    return Token(_KINDS[kind], "<<<" if opens_launch and len(text) > 2 else text, begin, end)


def _directive(
    text: str, begin: int, code_index: int, comments: list[tuple[int, int]]
) -> Directive:
    """The preprocessor line whose `#` stands at `begin`; its comments are added to `comments`."""
    head = _DIRECTIVE_NAME.match(text, begin)
    assert head is not None
    name = head.group(1)
    tokens: list[Token] = []
    header = _HEADER_NAME.match(text, head.end())
    position = end = header.end() if header and name in _NOT_CPP else head.end()
    while position < len(text):
        match = _LINE_TOKEN.match(text, position)
        assert match is not None, "the last alternative takes any character"
        kind = str(match.lastgroup)
        if kind == "stop":
            break
        if kind == "comment":
            comments.append((match.start(), match.end()))
        elif kind != "space" and name not in _NOT_CPP:
            tokens.append(_token(kind, match.group(), match.start(), match.end()))
        position = match.end()
        if kind not in ("space", "comment"):
            end = position
    return Directive(name, begin, end, position, head.end(), tuple(tokens), code_index)


def word_set(words: str) -> frozenset[str]:
    """The blank-separated `words`, for asking whether a token is among them."""
    return frozenset(words.split())


def adjacent(first: Token, second: Token) -> bool:
    """Whether nothing, not even white space, stands between two tokens."""
    return first.end == second.begin
