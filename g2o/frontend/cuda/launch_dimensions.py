"""Constant extents of a launch: `dim3 threads(16, 16); k<<<grid, threads>>>(...)` has 16 x 16 x 1.

An axis is known as the text of a constant expression (a literal, a macro, a constant variable, an
enumerator, or arithmetic on those). The answer is conservative: a `dim3` variable counts only when
it is declared once in front of the launch and nothing else in the file could modify it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import Token, TokenKind, word_set
from g2o.frontend.cuda.macros import Macro, TokenStream

Dimensions = tuple[str | None, str | None, str | None]
"""Constant expressions for x, y and z; None where the extent is not a known constant."""

UNKNOWN: Dimensions = (None, None, None)

_INTEGER_WORDS = word_set(
    "int unsigned long short char signed size_t uint uint32_t int32_t uint64_t int64_t std "
    "auto const constexpr static"
)
_CONSTANT_PUNCTUATION = word_set("+ - * / % ( ) << >> :: ? : < > == & |")
_ASSIGNMENTS = word_set("= += -= *= /= %= &= |= ^= <<= >>= ++ --")
_MAX_DEPTH = 8


def dimensions(
    stream: TokenStream, part: tuple[int, int], before: int, table: Mapping[str, Macro]
) -> Dimensions:
    """What `stream.tokens[part]`, the grid or block of a launch at `before`, is known to be."""
    tokens = stream.tokens
    begin, end = part
    if begin >= end:
        return UNKNOWN
    if end - begin == 1 and tokens[begin].kind is TokenKind.IDENTIFIER:
        return _of_name(tokens, tokens[begin].text, before, table)
    explicit = _explicit_dim3(tokens, begin, end)
    if explicit is not None:
        return _of_arguments(tokens, explicit, before, table)
    if _may_be_dim3(tokens, begin, end):
        return UNKNOWN
    return (_constant(tokens, begin, end, before, table), "1", "1")


def _explicit_dim3(tokens: Sequence[Token], begin: int, end: int) -> list[tuple[int, int]] | None:
    """The arguments of `dim3(...)`, `dim3{...}` or `{...}`, when that is all of the range."""
    opening = begin + 1 if tokens[begin].text == "dim3" else begin
    if opening >= end or tokens[opening].text not in ("(", "{"):
        return None
    if opening == begin and tokens[opening].text == "(":
        return None
    if closing_bracket(tokens, opening) != end - 1:
        return None
    return split_at_commas(tokens, opening + 1, end - 1)


def _may_be_dim3(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Whether an expression might be a `dim3`: a call, a member or an element may be anything."""
    if tokens[begin].text == "(" and closing_bracket(tokens, begin) == end - 1:
        return _may_be_dim3(tokens, begin + 1, end - 1)
    texts = [token.text for token in tokens[begin:end]]
    arithmetic = any(text in ("+", "-", "*", "/", "%", "<<") for text in texts[1:])
    single = end - begin == 1
    return not (arithmetic or (single and tokens[begin].kind is TokenKind.NUMBER))


def _of_arguments(
    tokens: Sequence[Token],
    arguments: Sequence[tuple[int, int]],
    before: int,
    table: Mapping[str, Macro],
) -> Dimensions:
    if len(arguments) > 3:
        return UNKNOWN
    if len(arguments) == 1 and _may_be_other_dim3(tokens, *arguments[0]):
        return dimensions_of_copy(tokens, arguments[0], before, table)
    known = [_constant(tokens, *argument, before, table) for argument in arguments]
    known.extend(["1"] * (3 - len(known)))
    return (known[0], known[1], known[2])


def _may_be_other_dim3(tokens: Sequence[Token], begin: int, end: int) -> bool:
    return end - begin == 1 and tokens[begin].kind is TokenKind.IDENTIFIER


def dimensions_of_copy(
    tokens: Sequence[Token], part: tuple[int, int], before: int, table: Mapping[str, Macro]
) -> Dimensions:
    """`dim3(name)` and `dim3 a = name`: whatever `name` is."""
    return _of_name(tokens, tokens[part[0]].text, before, table)


def _of_name(
    tokens: Sequence[Token], name: str, before: int, table: Mapping[str, Macro], depth: int = 0
) -> Dimensions:
    """What the variable or macro `name` holds at the launch."""
    if depth > _MAX_DEPTH:
        return UNKNOWN
    if name in table:
        return _of_macro(table[name], table)
    declaration = _declaration(tokens, name, before)
    if declaration is None:
        return UNKNOWN
    at, is_dim3 = declaration
    if not is_dim3:
        return (_constant(tokens, at, at + 1, before, table), "1", "1")
    if _is_modified(tokens, name, at):
        return UNKNOWN
    follows = tokens[at + 1].text if at + 1 < len(tokens) else ";"
    match follows:
        case "(" | "{":
            closing = closing_bracket(tokens, at + 1)
            if closing is None:
                return UNKNOWN
            return _of_arguments(tokens, split_at_commas(tokens, at + 2, closing), at, table)
        case "=":
            end = _initialiser_end(tokens, at + 2)
            return dimensions(TokenStream(tuple(tokens), None), (at + 2, end), at, table)
        case ";" | ",":
            return ("1", "1", "1")
        case _:
            return UNKNOWN


def _of_macro(macro: Macro, table: Mapping[str, Macro]) -> Dimensions:
    """A macro that stands for a number, a `dim3` or the name of another macro."""
    if macro.parameters is not None or not macro.body:
        return UNKNOWN
    explicit = _explicit_dim3(macro.body, 0, len(macro.body))
    if explicit is not None:
        return _of_arguments(macro.body, explicit, 0, table)
    if all(token.kind is not TokenKind.IDENTIFIER or token.text in table for token in macro.body):
        return (macro.name, "1", "1")
    return UNKNOWN


def _declaration(tokens: Sequence[Token], name: str, before: int) -> tuple[int, bool] | None:
    """Where the last declaration of `name` in front of `before` stands, and whether as `dim3`.

    Only declarations as `dim3` or an integer type are recognised, the latter as far as they make
    an integer of the name. A parameter is no answer: its value comes from elsewhere.
    """
    depth = 0
    for index in range(before - 1, 0, -1):
        text = tokens[index].text
        if text == "}":
            depth += 1
        elif text == "{":
            depth = max(0, depth - 1)
        elif text == name and depth == 0:
            kind = _declared_kind(tokens, index)
            if kind is not None:
                return index, kind
    return None


def _declared_kind(tokens: Sequence[Token], index: int) -> bool | None:
    """True for `dim3 name`, also further down the list; False for `int name`; None else."""
    follows = tokens[index + 1].text if index + 1 < len(tokens) else ";"
    if follows not in ("(", "{", "=", ";", ","):
        return None
    start = index - 1
    depth = 0
    while start >= 0 and (depth > 0 or tokens[start].text not in (";", "{", "}", "(")):
        depth += (tokens[start].text in (")", "}")) - (tokens[start].text in ("(", "{"))
        start -= 1
    first = start + 1
    while first < index and tokens[first].text in ("const", "static", "constexpr"):
        first += 1
    if first >= index or (start >= 0 and tokens[start].text == "(" and not _is_for(tokens, start)):
        return None
    if tokens[index - 1].text != "," and tokens[index - 1].kind is not TokenKind.IDENTIFIER:
        return None
    if tokens[first].text == "dim3":
        return True
    if tokens[first].text in _INTEGER_WORDS and "auto" not in tokens[first].text:
        return False
    return None


def _is_for(tokens: Sequence[Token], index: int) -> bool:
    return index > 0 and tokens[index - 1].text in ("for", "if")


def _is_modified(tokens: Sequence[Token], name: str, declared: int) -> bool:
    """Whether anything but its declaration could change `name`: assignment, member write, `&`."""
    for index, token in enumerate(tokens):
        if token.text != name or index == declared or token.kind is not TokenKind.IDENTIFIER:
            continue
        after = index + 1
        before = tokens[index - 1].text if index else ""
        if before in (".", "->", "::"):
            continue
        if after + 1 < len(tokens) and tokens[after].text == ".":
            after += 2
        following = tokens[after].text if after < len(tokens) else ""
        if following in _ASSIGNMENTS or before in ("&", "++", "--", ">>"):
            if following == "=" and before == "dim3":
                continue  # another declaration, in another scope
            return True
    return False


def _initialiser_end(tokens: Sequence[Token], index: int) -> int:
    position = index
    while position < len(tokens) and tokens[position].text not in (";", ","):
        if tokens[position].text in ("(", "{", "["):
            closing = closing_bracket(tokens, position)
            position = len(tokens) if closing is None else closing
        position += 1
    return min(position, len(tokens))


def _constant(
    tokens: Sequence[Token], begin: int, end: int, before: int, table: Mapping[str, Macro]
) -> str | None:
    """The expression's text when all in it is constant, with variables' own initialisers."""
    if begin >= end:
        return None
    for token in tokens[begin:end]:
        match token.kind:
            case TokenKind.NUMBER:
                continue
            case TokenKind.PUNCTUATION:
                if token.text not in _CONSTANT_PUNCTUATION:
                    return None
            case TokenKind.IDENTIFIER:
                if not _is_constant_name(tokens, token.text, before, table):
                    return None
            case _:
                return None
    return _spelled(tokens[begin:end])


def _is_constant_name(
    tokens: Sequence[Token], name: str, before: int, table: Mapping[str, Macro]
) -> bool:
    if name in table:
        macro = table[name]
        return macro.parameters is None and all(
            token.kind is not TokenKind.IDENTIFIER or token.text in table for token in macro.body
        )
    return _is_constant_variable(tokens, name) or _is_enumerator(tokens, name)


def _is_constant_variable(tokens: Sequence[Token], name: str) -> bool:
    """Whether every declaration of `name` is `const` or `constexpr` with a constant initialiser."""
    found = False
    for index, token in enumerate(tokens[:-1]):
        if token.text != name or index == 0 or tokens[index + 1].text not in ("=", "{"):
            continue
        previous = tokens[index - 1]
        if previous.kind is not TokenKind.IDENTIFIER:
            return False
        words = _specifiers(tokens, index)
        if not words & {"const", "constexpr"}:
            return False
        end = _initialiser_end(tokens, index + 2)
        value = tokens[index + 2 : end]
        if not all(t.kind is TokenKind.NUMBER or t.text in _CONSTANT_PUNCTUATION for t in value):
            return False
        found = True
    return found


def _specifiers(tokens: Sequence[Token], index: int) -> set[str]:
    words: set[str] = set()
    position = index - 1
    while position >= 0 and tokens[position].kind is TokenKind.IDENTIFIER:
        words.add(tokens[position].text)
        position -= 1
    return words


def _is_enumerator(tokens: Sequence[Token], name: str) -> bool:
    """Whether `name` stands in the braces of an unscoped `enum`."""
    for index, token in enumerate(tokens):
        if token.text != "enum":
            continue
        opening = index + 1
        while opening < len(tokens) and tokens[opening].text not in ("{", ";", "("):
            opening += 1
        if opening >= len(tokens) or tokens[opening].text != "{":
            continue
        closing = closing_bracket(tokens, opening)
        if closing is not None and any(
            tokens[begin].text == name
            for begin, end in split_at_commas(tokens, opening + 1, closing)
            if begin < end
        ):
            return True
    return False


def _spelled(tokens: Sequence[Token]) -> str:
    """The tokens as text, with the white space between them brought down to what is needed."""
    pieces: list[str] = []
    for index, token in enumerate(tokens):
        if index and token.begin > tokens[index - 1].end:
            pieces.append(" ")
        pieces.append(token.text)
    return "".join(pieces)
