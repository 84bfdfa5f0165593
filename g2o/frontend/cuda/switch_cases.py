"""What variables are in the cases of switches over them.

switch (threads) {
case 256:
    sum<256><<<blocks, threads>>>(x, y, n);    // threads is 256
    break;
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from g2o.frontend.cuda.brackets import closing_bracket, opening_bracket
from g2o.frontend.cuda.lexer import Token, TokenKind
from g2o.frontend.cuda.locals_text import Variable, find_variable, may_change

_JUMPS = frozenset(("break", "continue", "return", "throw"))


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A variable, and the range of the constant that it is behind a label of the block that opens
    at `opening`."""

    variable: Variable
    opening: int
    label: tuple[int, int]
    function_end: int

    def holds_for(self, tokens: Sequence[Token], read_at: int) -> bool:
        """Had it that value, too, where it was read further in front?"""
        return not any(
            tokens[index].text == self.variable.name and may_change(tokens, index)
            for index in range(min(read_at, self.label[0]), self.function_end)
        )


def cases_around(tokens: Sequence[Token], at: int) -> dict[str, Case]:
    """The variables that are known where `tokens[at]` stands, by their names."""
    found: dict[str, Case] = {}
    if any(token.text == "goto" for token in tokens):
        return found  # it may lead into the middle of a case
    for opening, label in (*_conditions(tokens, at), *_cases(tokens, at)):
        name = _compared(tokens, opening)
        variable = None if name is None else find_variable(tokens, name, opening)
        end = None if variable is None else _scope_end(tokens, variable)
        if variable is not None and end is not None:
            found.setdefault(variable.name, Case(variable, opening, label, end))
    return found


def _cases(tokens: Sequence[Token], at: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """The blocks around `at`, innermost first, with the only label that leads there."""
    depth = 0
    label: int | None = None
    for index in range(at - 1, -1, -1):
        match tokens[index].text:
            case "}":
                depth += 1
            case "{" if depth:
                depth -= 1
            case "{":
                if label is not None and tokens[label].text == "case":
                    end = _label_end(tokens, label)
                    if end is not None and _begins_anew(tokens, label):
                        yield index, (label + 1, end)
                label = None
            case "case" | "default" if depth == 0 and label is None:
                label = index
            case _:
                pass


def _label_end(tokens: Sequence[Token], label: int) -> int | None:
    """Index of the `:` behind a plain constant."""
    end = label + 1
    while end < len(tokens) and tokens[end].text not in (":", ";", "?", "{", "}"):
        end += 1
    return end if end < len(tokens) and tokens[end].text == ":" else None


def _begins_anew(tokens: Sequence[Token], label: int) -> bool:
    """Does nothing come to the label but from the switch: no other label, and no case before it?"""
    last = label - 1
    if tokens[last].text == "{":
        return True
    while tokens[last].text == "}":
        opening = opening_bracket(tokens, last)
        if opening is None or tokens[opening - 1].text not in (":", ";", "{", "}"):
            return False  # what is in the block may not be reached
        last -= 1
    if tokens[last].text != ";":
        return False
    first = last
    while first > 0 and tokens[first - 1].text not in (";", "{", "}", ":", ")", "else"):
        first -= 1
    # What a condition stands in front of may not be reached.
    return tokens[first].text in _JUMPS and tokens[first - 1].text not in (")", "else")


def _conditions(tokens: Sequence[Token], at: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """The conditions of the form `name == constant` that the statement at `at` stands behind: where
    they open, and the constant."""
    depth = 0
    behind = at  # a condition: the statement, or the block that it is in
    for index in range(at - 1, -1, -1):
        match tokens[index].text:
            case "}":
                depth += 1
            case "{" if depth:
                depth -= 1
            case "{":
                behind = index
            case ")" if index == behind - 1:
                opening = opening_bracket(tokens, index)
                if opening is not None and tokens[opening - 1].text == "if":
                    yield opening, (opening + 3, index)
            case _:
                pass


def _compared(tokens: Sequence[Token], opening: int) -> str | None:
    """The variable that the condition there, or the switch whose block opens there, is over."""
    words = [token.text for token in tokens[max(0, opening - 4) : opening + 5]]
    match words:
        case ["switch", "(", name, ")", "{", *_]:
            index = opening - 2
        case [_, _, _, "if", "(", name, "==", _, ")"]:
            index = opening + 1
        case _:
            return None
    return name if tokens[index].kind is TokenKind.IDENTIFIER else None


def _scope_end(tokens: Sequence[Token], variable: Variable) -> int | None:
    """Where a local, or a parameter, is no longer known."""
    if not variable.is_parameter:
        return variable.scope_end if variable.is_local else None
    index = variable.index
    while index < len(tokens) and tokens[index].text not in ("{", ";"):
        index += 1
    return closing_bracket(tokens, index) if index < len(tokens) else None
