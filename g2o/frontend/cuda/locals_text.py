"""Variables by their text: where a name used at some place is declared, and whether it may change.

Only declarations that leave no doubt are understood. Everything else that could declare the name
makes the answer an unknown variable, never a variable of an outer scope.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import final

from g2o.frontend.cuda.brackets import closing_bracket, opening_bracket
from g2o.frontend.cuda.lexer import Token, TokenKind, word_set

_ASSIGNMENTS = word_set("= += -= *= /= %= &= |= ^= <<= >>= ++ --")
_NO_TYPES = word_set(
    "return else case goto new delete throw sizeof typename using typedef struct enum class do "
    "if while for switch and or not"
)
_INTRODUCE_TYPES = word_set("struct class enum union typename using")
_CALLS_BY_VALUE = word_set(
    "printf fprintf sprintf snprintf dim3 min max assert ceil floor sizeof if while for switch "
    "return int unsigned long float double size_t malloc cudaMalloc cudaMemcpy calloc "
    "cudaMemset cudaMemcpyAsync cudaMallocManaged cudaLaunchKernel cudaLaunchCooperativeKernel "
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor"
)
_HEAD_KEYWORDS = frozenset(("for", "if", "while", "switch"))


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """A declared name.

    type_words   -- the words of its declaration in front of the declarators
    initialiser  -- index range of the value or of the constructor's arguments
    copies       -- the initialiser follows `=`
    scope_end    -- index behind the last token of its scope
    """

    index: int
    name: str
    type_words: frozenset[str]
    initialiser: tuple[int, int] | None
    copies: bool
    is_local: bool
    is_parameter: bool
    scope_end: int

    @property
    def is_constant(self) -> bool:
        return not self.type_words.isdisjoint(("const", "constexpr"))


def find_variable(tokens: Sequence[Token], name: str, at: int) -> Variable | None:
    """The variable that `name` means at index `at`; None when nothing in front declares it.

    A name with two declarations in one scope (the branches of an `#if`) comes back as a variable
    of no known type.
    """
    depth = 0
    found: Variable | None = None
    in_own_head = False  # of the function whose body `at` is in
    for index in range(at - 1, -1, -1):
        text = tokens[index].text
        if text == "}":
            depth += 1
            in_own_head = False
        elif text == "{":
            if depth == 0 and found is not None:
                return found
            in_own_head = depth == 0
            depth = max(0, depth - 1)
        elif text == ";":
            in_own_head = False
        elif text == name and depth == 0:
            variable = _declared(tokens, index)
            if variable is None or (variable.is_parameter and not in_own_head):
                continue
            if variable.is_parameter:
                return variable
            if found is not None:
                return _unknown(tokens, found.index)
            found = variable
    return found


def declares(tokens: Sequence[Token], index: int) -> bool:
    """Whether the name at `index` is declared there, as variable, parameter, function or type."""
    before = tokens[index - 1] if index else None
    if before is not None and before.text in (
        "struct",
        "class",
        "enum",
        "typename",
        "union",
        "using",
    ):
        return True
    return _declared(tokens, index) is not None


@final
@dataclass(frozen=True, slots=True)
class Assignment:
    """`name = value;` or `name.member = value;`, with the value as index range."""

    index: int
    member: str | None
    value: tuple[int, int]


def assignments(tokens: Sequence[Token], variable: Variable, at: int) -> list[Assignment] | None:
    """What the variable is assigned between its declaration and `at`, in order.

    Only statements that are executed whenever the declaration is; None when anything else in the
    variable's scope could change it, or `at` is outside that scope. What is assigned behind `at`
    counts where `at` is in an inner scope: that of a lambda runs when it is called.
    """
    if at >= variable.scope_end:
        return None
    found: list[Assignment] = []
    depth = 0
    is_inner = False
    for index in range(_declaration_end(tokens, variable), variable.scope_end):
        text = tokens[index].text
        if index == at:
            is_inner = depth > 0
        if text in ("{", "("):
            depth += 1
        elif text in ("}", ")"):
            depth -= 1
        elif text == variable.name and may_change(tokens, index):
            assignment = _assignment(tokens, index) if depth == 0 else None
            if assignment is None or not variable.is_local or is_inner:
                return None
            if index < at:
                found.append(assignment)
    return found


def _declaration_end(tokens: Sequence[Token], variable: Variable) -> int:
    """Index behind the declarator; the rest of the declaration can only read the variable."""
    if variable.initialiser is None:
        return variable.index + 1
    return variable.initialiser[1] + (0 if variable.copies else 1)


def _assignment(tokens: Sequence[Token], index: int) -> Assignment | None:
    """The assignment that the statement starting at `index` is."""
    if tokens[index - 1].text not in (";", "{", "}"):
        return None
    member = tokens[index + 2].text if tokens[index + 1].text == "." else None
    operator = index + 1 if member is None else index + 3
    if operator >= len(tokens) or tokens[operator].text != "=":
        return None
    end = _value_end(tokens, operator + 1)
    if end >= len(tokens) or tokens[end].text != ";":
        return None
    return Assignment(index, member, (operator + 1, end))


def may_change(tokens: Sequence[Token], index: int) -> bool:
    """Whether this use of a name assigns it, takes its address or hands it out as a reference."""
    before = tokens[index - 1].text
    if before in (".", "->", "::"):
        return False
    after = index + 1
    if after + 1 < len(tokens) and tokens[after].text == ".":
        after += 2
    following = tokens[after].text if after < len(tokens) else ""
    first, last = _parenthesised(tokens, index, after)
    if _follows(tokens, last, _ASSIGNMENTS) or tokens[first].text in ("&", "++", "--"):
        return True
    if tokens[first].text in ("=", "{") and tokens[first - 2].text in ("&", "&&"):
        return True  # `int &other = name`
    if before == ">" and tokens[index - 2].text == ">":
        return True  # `stream >> name`
    if before in ("(", ",") and following in (",", ")"):
        return not _is_passed_by_value(tokens, index)
    return False


def _parenthesised(tokens: Sequence[Token], index: int, after: int) -> tuple[int, int]:
    """What stands around the name, or the member of it, when parentheses around it alone go."""
    first, last = index - 1, after
    while first > 0 and tokens[first].text == "(" and _follows(tokens, last, (")",)):
        if tokens[first - 1].kind is TokenKind.IDENTIFIER:
            break  # a call, or the head of a statement
        first, last = first - 1, last + 1
    return first, last


def _follows(tokens: Sequence[Token], index: int, texts: Container[str]) -> bool:
    return index < len(tokens) and tokens[index].text in texts


def _is_passed_by_value(tokens: Sequence[Token], index: int) -> bool:
    """Whether the name, a whole argument, is one of a launch or of a function known to copy."""
    position = index - 1
    while position >= 0 and tokens[position].text not in ("(", "<<<", ";", "{", "}"):
        if tokens[position].text in (")", "]"):
            opening = opening_bracket(tokens, position)
            if opening is None:
                return False
            position = opening
        position -= 1
    if position < 0 or tokens[position].text != "(":
        return position >= 0 and tokens[position].text == "<<<"
    callee = position - 1
    if [token.text for token in tokens[max(0, callee - 2) : callee + 1]] == [">", ">", ">"]:
        return True  # an argument of a kernel
    if tokens[callee].text in _CALLS_BY_VALUE or tokens[callee].kind is not TokenKind.IDENTIFIER:
        return True
    # `dim3 grid(name, ...)` declares and copies.
    return callee > 0 and tokens[callee - 1].text in ("dim3", "int", "unsigned")


def _declared(tokens: Sequence[Token], index: int) -> Variable | None:
    """The variable that the name at `index` declares, or None where it is only used."""
    following = tokens[index + 1].text if index + 1 < len(tokens) else ";"
    previous = tokens[index - 1] if index else None
    if previous is None or following not in ("(", "{", "=", ";", ",", ")", "[", ":"):
        return None
    begin, in_parentheses = _declaration_begin(tokens, index)
    words = _type_words(tokens, begin)
    if previous.text in ("*", "&", "&&", ">"):
        declares = bool(words) and begin + len(words) < index and _is_type(tokens[begin])
        return _unknown(tokens, index, in_parentheses) if declares else None
    if previous.kind is not TokenKind.IDENTIFIER and previous.text != ",":
        return None
    if previous.text in _NO_TYPES or not words or not _is_type(tokens[begin]):
        return None
    if previous.text == "," and begin + len(words) == index:
        return None
    if previous.text == "," and (in_parentheses or begin + 1 >= index or len(words) < 2):
        return None  # the next argument of a call, or the next operand of a comma
    if following in ("[", ":"):
        return _unknown(tokens, index)
    end = _scope_end(tokens, index)
    is_local = end < len(tokens)
    return Variable(
        index,
        tokens[index].text,
        frozenset(words[:-1]),
        *_initialiser(tokens, index),
        is_local,
        in_parentheses,
        end,
    )


def _unknown(tokens: Sequence[Token], index: int, is_parameter: bool = False) -> Variable:
    """A variable of an unknown type. One in parentheses is a parameter, or `X * Y` a product."""
    end = _scope_end(tokens, index)
    return Variable(index, tokens[index].text, frozenset(), None, False, True, is_parameter, end)


def _is_type(token: Token) -> bool:
    return token.kind is TokenKind.IDENTIFIER and token.text not in _NO_TYPES


def _declaration_begin(tokens: Sequence[Token], index: int) -> tuple[int, bool]:
    """Where the declaration around `index` begins, and whether that is in a parameter list."""
    position = index - 1
    while position >= 0:
        text = tokens[position].text
        if text in (")", "}", "]"):
            opening = opening_bracket(tokens, position)
            if opening is None or (text == "}" and not _is_initialiser(tokens, opening)):
                break
            position = opening
        elif text in (";", "{"):
            break
        elif text == "(":
            is_head = position > 0 and tokens[position - 1].text in _HEAD_KEYWORDS
            if is_head:
                return position + 1, False
            return _parameter_begin(tokens, position, index), True
        position -= 1
    return position + 1, False


def _parameter_begin(tokens: Sequence[Token], opening: int, index: int) -> int:
    position = index - 1
    while position > opening and tokens[position].text != ",":
        position -= 1
    return position + 1


def _is_initialiser(tokens: Sequence[Token], opening: int) -> bool:
    """Whether the `{` belongs to a value, as in `dim3 a{1}, b{2};`."""
    if opening == 0:
        return False
    before = tokens[opening - 1]
    return before.text in ("=", ",", "dim3") or (
        before.kind is TokenKind.IDENTIFIER
        and opening > 1
        and tokens[opening - 2].text in ("dim3", "int", "auto", ",")
    )


def _type_words(tokens: Sequence[Token], begin: int) -> list[str]:
    """The words at the start of a declaration; with several declarators also the first name."""
    words: list[str] = []
    position = begin
    while position < len(tokens):
        token = tokens[position]
        if token.kind is TokenKind.IDENTIFIER:
            words.append(token.text)
        elif token.text != "::":
            break
        position += 1
    return words


def _initialiser(tokens: Sequence[Token], index: int) -> tuple[tuple[int, int] | None, bool]:
    """The declarator's initialiser, and whether it follows `=`."""
    following = tokens[index + 1].text if index + 1 < len(tokens) else ";"
    if following in ("(", "{"):
        closing = closing_bracket(tokens, index + 1)
        return (None if closing is None else (index + 2, closing)), False
    if following != "=":
        return None, False
    return (index + 2, _value_end(tokens, index + 2)), True


def _value_end(tokens: Sequence[Token], index: int) -> int:
    """Index of the `;`, `,` or `)` that ends the value starting at `index`."""
    position = index
    while position < len(tokens) and tokens[position].text not in (";", ",", ")"):
        if tokens[position].text in ("(", "{", "["):
            closing = closing_bracket(tokens, position)
            position = len(tokens) if closing is None else closing
        position += 1
    return min(position, len(tokens))


def _scope_end(tokens: Sequence[Token], index: int) -> int:
    """Index of the `}` that ends the scope around `index`; the number of tokens for the file's."""
    depth = 0
    for position in range(index, len(tokens)):
        text = tokens[position].text
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
            if depth < 0:
                return position
    return len(tokens)
