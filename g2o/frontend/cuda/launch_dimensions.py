"""Constant extents of a launch: `dim3 threads(16, 16); k<<<grid, threads>>>(...)` has 16 x 16 x 1.

An axis is known as the text of a constant expression over literals, macros, enumerators, constants
at namespace scope and integer parameters of the template around the launch; local variables are
replaced by what they hold. The answer is
conservative: a local counts only when it is declared once, and nothing in its scope could modify
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, lex, word_set
from g2o.frontend.cuda.locals_text import Assignment, Variable, assignments, find_variable
from g2o.frontend.cuda.macros import Macro, macros
from g2o.frontend.cuda.switch_cases import Case, cases_around
from g2o.frontend.cuda.template_heads import template_bodies

Dimensions = tuple[str | None, str | None, str | None]
"""Constant expressions for x, y and z; None where the extent is not a known constant."""

UNKNOWN: Dimensions = (None, None, None)

_ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "<<"))
_CONSTANT_PUNCTUATION = word_set("+ - * / % ( ) << ? : < > == & | ::")
_INTEGER_TYPES = word_set("int unsigned long short size_t uint uint32_t int32_t uint64_t int64_t")
_AXES = ("x", "y", "z")
_NESTING = {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}
_MAX_DEPTH = 8


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A constant expression, and the offset behind which all names in it are defined."""

    text: str
    visible_from: int


@final
@dataclass(frozen=True, slots=True)
class LaunchDimensions:
    """The extents of a grid or a block, and the offset behind which their names are defined."""

    axes: Dimensions
    visible_from: int


_UNKNOWN = LaunchDimensions(UNKNOWN, 0)
_ONE = Constant("1", 0)


def constant_names(text: str, constants: frozenset[str] = frozenset()) -> dict[str, int]:
    """What a file, say a header, defines as constants: macros, enumerators and `const` integers,
    each with the offset behind which it is one.

    `constants` are those of the files that it includes.
    """
    lexed = lex(text)
    reader = DimensionReader(lexed, lexed.code, constants)
    candidates = dict.fromkeys((*(m.name for m in macros(lexed)), *_enumerators(lexed.code)))
    for index, token in enumerate(lexed.code[1:], start=1):
        if token.text in ("=", "{") and lexed.code[index - 1].kind is TokenKind.IDENTIFIER:
            candidates[lexed.code[index - 1].text] = None
    known = {name: reader.constant(name) for name in candidates}
    return {name: found.visible_from for name, found in known.items() if found is not None}


@final
class DimensionReader:
    """Reads extents of launches in one row of tokens: the code of a file, or a macro's body."""

    __slots__ = (
        "_cases",
        "_conditionals",
        "_constants",
        "_enumerators",
        "_macros",
        "_templates",
        "_tokens",
    )

    def __init__(
        self, lexed: LexedFile, tokens: Sequence[Token], constants: frozenset[str]
    ) -> None:
        """`constants`: names of constants and macros that other files define."""
        self._templates = template_bodies(lexed) if tokens is lexed.code else ()
        self._tokens = tokens
        self._constants = constants
        undefined = {d.tokens[0].text for d in lexed.directives if d.name == "undef" and d.tokens}
        self._macros = {macro.name: macro for macro in macros(lexed) if macro.name not in undefined}
        self._conditionals = [d for d in lexed.directives if d.name in _NESTING]
        self._enumerators = _enumerators(lexed.code)
        self._cases: dict[str, Case] = {}  # around the launch that is read

    def constant(self, name: str) -> Constant | None:
        """The constant that the name stands for at the end of the file."""
        return self._name_constant(name, len(self._tokens), 0)

    def read(self, begin: int, end: int, at: int, depth: int = 0) -> LaunchDimensions:
        """What `tokens[begin:end]`, evaluated at index `at`, is known to be."""
        tokens = self._tokens
        if begin >= end or depth > _MAX_DEPTH:
            return _UNKNOWN
        if depth == 0:
            found = cases_around(tokens, at)
            self._cases = {name: case for name, case in found.items() if self._is_always(case)}
        explicit = _explicit_dim3(tokens, begin, end)
        if explicit is not None:
            return self._of_arguments(explicit, at, depth)
        if end - begin == 1 and tokens[begin].kind is TokenKind.IDENTIFIER:
            return self._of_name(tokens[begin].text, at, depth)
        if _is_integer(tokens, begin, end):
            return _extents([self._constant(begin, end, at, depth)])
        return _UNKNOWN

    def values(self, arguments: Sequence[tuple[int, int]], at: int) -> tuple[str | None, ...]:
        """The constant expressions that template arguments are, None for all others."""
        known = [self._constant(*argument, at, 0) for argument in arguments]
        return tuple(None if one is None else one.text for one in known)

    def template_names(self, at: int) -> frozenset[str]:
        """The integer parameters of the template around index `at`; none in a macro's body."""
        return next((names for body, names in self._templates if at in body), frozenset[str]())

    def _is_always(self, case: Case) -> bool:
        """Does the preprocessor leave the cases in front of it alone?"""
        begin, end = (self._tokens[index].begin for index in (case.opening, case.label[0]))
        return not any(begin < directive.begin < end for directive in self._conditionals)

    def _of_arguments(
        self, arguments: Sequence[tuple[int, int]], at: int, depth: int
    ) -> LaunchDimensions:
        """`dim3(...)` with these arguments, which may be a copy of another `dim3`."""
        if len(arguments) > 3:
            return _UNKNOWN
        if len(arguments) == 1:
            return self.read(*arguments[0], at, depth + 1)
        return _extents([self._constant(*argument, at, depth) for argument in arguments])

    def _of_name(self, name: str, at: int, depth: int) -> LaunchDimensions:
        macro = self._macros.get(name)
        if macro is not None:
            return self._of_macro(macro, depth)
        if name in self.template_names(at):
            return _extents([Constant(name, 0)])
        variable = find_variable(self._tokens, name, at)
        if variable is None:
            named = self._named(name)
            return _UNKNOWN if named is None else _extents([named])
        if not variable.is_local and not variable.is_constant and name not in self._cases:
            return _extents([None]) if variable.type_words & _INTEGER_TYPES else _UNKNOWN
        if variable.type_words & _INTEGER_TYPES:
            return _extents([self._variable(variable, at, depth)])
        if not variable.type_words & {"dim3", "auto"} or variable.is_parameter:
            return _UNKNOWN
        return self._of_dim3(variable, at, depth + 1)

    def _of_dim3(self, variable: Variable, at: int, depth: int) -> LaunchDimensions:
        """A variable that is a `dim3`, or `auto`, with what is assigned to it up to `at`."""
        assigned = self._assigned(variable, at)
        if assigned is None:
            return _UNKNOWN
        known = self._initial_dim3(variable, depth)
        for assignment in assigned:
            value = assignment.value
            if assignment.member is None:
                known = self.read(*value, assignment.index, depth)
            elif assignment.member in _AXES:
                axis = self._constant(*value, assignment.index, depth)
                axes = list(known.axes)
                axes[_AXES.index(assignment.member)] = None if axis is None else axis.text
                visible = 0 if axis is None else axis.visible_from
                visible = max(known.visible_from, visible)
                known = LaunchDimensions((axes[0], axes[1], axes[2]), visible)
            else:
                return _UNKNOWN
        return known

    def _initial_dim3(self, variable: Variable, depth: int) -> LaunchDimensions:
        if variable.initialiser is None:
            return _extents([_ONE]) if "dim3" in variable.type_words else _UNKNOWN
        begin, end = variable.initialiser
        if "dim3" in variable.type_words and not variable.copies:
            return self._of_arguments(
                split_at_commas(self._tokens, begin, end), variable.index, depth
            )
        return self.read(begin, end, variable.index, depth)

    def _assigned(self, variable: Variable, at: int) -> list[Assignment] | None:
        """The assignments up to `at`; None where they depend on the preprocessor, or on more."""
        if variable.is_constant:
            return []
        found = assignments(self._tokens, variable, at)
        if found is None:
            return None
        declared = self._tokens[variable.index].begin
        for assignment in found:
            depth = 0
            for directive in self._conditionals:
                if declared < directive.begin < self._tokens[assignment.index].begin:
                    depth += _NESTING.get(directive.name, 0)
            if depth > 0:
                return None
        return found

    def _of_macro(self, macro: Macro, depth: int) -> LaunchDimensions:
        """A macro for a number or a `dim3`."""
        if macro.parameters is not None or not macro.body:
            return _UNKNOWN
        explicit = _explicit_dim3(macro.body, 0, len(macro.body))
        if explicit is None:
            return _extents([self._macro_constant(macro, depth)])
        extents: list[Constant | None] = []
        for begin, end in explicit:
            known = self._all_constant(macro.body[begin:end], depth)
            extents.append(
                Constant(_spelled(macro.body[begin:end]), macro.directive.line_end)
                if known is not None
                else None
            )
        return _extents(extents) if len(extents) <= 3 else _UNKNOWN

    def _constant(self, begin: int, end: int, at: int, depth: int) -> Constant | None:
        """The range as a constant expression, local variables replaced by their values."""
        pieces: list[str] = []
        visible = 0
        if begin >= end or depth > _MAX_DEPTH:
            return None
        for index in range(begin, end):
            token = self._tokens[index]
            if index > begin and token.begin > self._tokens[index - 1].end:
                pieces.append(" ")
            if token.kind is TokenKind.IDENTIFIER:
                known = self._name_constant(token.text, at, depth)
                if known is None:
                    return None
                visible = max(visible, known.visible_from)
                single = end - begin == 1 or known.text.isalnum() or known.text.isidentifier()
                pieces.append(known.text if single else f"({known.text})")
            elif _is_whole_number(token) or token.text in _CONSTANT_PUNCTUATION:
                pieces.append(token.text)
            else:
                return None
        return Constant("".join(pieces), visible)

    def _name_constant(self, name: str, at: int, depth: int) -> Constant | None:
        macro = self._macros.get(name)
        if macro is not None:
            return self._macro_constant(macro, depth)
        if name in self.template_names(at):
            return Constant(name, 0)
        variable = find_variable(self._tokens, name, at)
        if variable is not None:
            return self._variable(variable, at, depth)
        return self._named(name)

    def _named(self, name: str) -> Constant | None:
        if name in self._constants:
            return Constant(name, 0)
        defined = self._enumerators.get(name)
        return None if defined is None else Constant(name, defined)

    def _variable(self, variable: Variable, at: int, depth: int) -> Constant | None:
        """A constant by its name, a local by the value that it has at `at`."""
        case = self._cases.get(variable.name)
        if case is not None and case.variable == variable and case.holds_for(self._tokens, at):
            return self._constant(*case.label, case.label[0], depth + 1)
        if not variable.type_words & (_INTEGER_TYPES | {"auto"}) or variable.is_parameter:
            return None
        if not variable.is_local:
            return self._global(variable, depth)
        assigned = self._assigned(variable, at)
        if assigned is None:
            return None
        if assigned:
            last = assigned[-1]
            return self._constant(*last.value, last.index, depth + 1)
        if variable.initialiser is None:
            return None
        return self._constant(*variable.initialiser, variable.index, depth + 1)

    def _global(self, variable: Variable, depth: int) -> Constant | None:
        if not variable.is_constant or variable.initialiser is None:
            return None
        if self._constant(*variable.initialiser, variable.index, depth + 1) is None:
            return None
        token = self._tokens[variable.index]
        return Constant(token.text, token.end)

    def _macro_constant(self, macro: Macro, depth: int) -> Constant | None:
        if macro.parameters is not None or not macro.body:
            return None
        inner = self._all_constant(macro.body, depth)
        return None if inner is None else Constant(macro.name, macro.directive.line_end)

    def _all_constant(self, body: Sequence[Token], depth: int) -> Constant | None:
        """Whether a macro's tokens make a constant wherever the macro is used."""
        if depth > _MAX_DEPTH:
            return None
        for token in body:
            if token.kind is TokenKind.IDENTIFIER:
                macro = self._macros.get(token.text)
                known = (
                    self._named(token.text)
                    if macro is None
                    else self._macro_constant(macro, depth + 1)
                )
                if known is None:
                    return None
            elif not _is_whole_number(token) and token.text not in _CONSTANT_PUNCTUATION:
                return None
        return _ONE


def _is_whole_number(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER and (
        token.text[:2] in ("0x", "0X") or not set(token.text) & set(".eEfF")
    )


def _extents(known: Sequence[Constant | None]) -> LaunchDimensions:
    """Axes that are not spelled have one element."""
    axes = [*known, *([_ONE] * (3 - len(known)))]
    texts = [None if axis is None else axis.text for axis in axes]
    visible = max((axis.visible_from for axis in axes if axis is not None), default=0)
    return LaunchDimensions((texts[0], texts[1], texts[2]), visible)


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


def _is_integer(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Whether the expression is a number for sure: a call or a member may well be a `dim3`."""
    first = tokens[begin]
    if first.kind is TokenKind.NUMBER:
        return True
    if first.text == "(" and closing_bracket(tokens, begin) == end - 1:
        return end - begin > 3 and _is_integer(tokens, begin + 1, end - 1)
    if first.text == "(" and tokens[begin + 1].text in _INTEGER_TYPES:
        return True
    if end - begin == 3 and tokens[begin + 1].text == ".":
        return tokens[begin + 2].text in ("x", "y", "z")
    index = begin + 1
    while index < end:
        text = tokens[index].text
        if text in ("(", "[", "{"):
            closing = closing_bracket(tokens, index)
            if closing is None:
                return False
            index = closing
        elif text in _ARITHMETIC:
            return "?" not in [token.text for token in tokens[begin:end]]
        index += 1
    return False


def _enumerators(tokens: Sequence[Token]) -> dict[str, int]:
    """Enumerators of unscoped enumerations, each with the offset behind its enumeration."""
    found: dict[str, int] = {}
    for index, token in enumerate(tokens):
        if token.text != "enum" or index + 1 >= len(tokens):
            continue
        opening = index + 1
        if tokens[opening].text in ("class", "struct"):
            continue
        while opening < len(tokens) and tokens[opening].text not in ("{", ";", "(", ")"):
            opening += 1
        if opening == len(tokens) or tokens[opening].text != "{":
            continue
        closing = closing_bracket(tokens, opening)
        if closing is None:
            continue
        for begin, end in split_at_commas(tokens, opening + 1, closing):
            if begin < end:
                found[tokens[begin].text] = tokens[closing].end
    return found


def _spelled(tokens: Sequence[Token]) -> str:
    """The tokens as text, with one blank where there was white space."""
    pieces: list[str] = []
    for index, token in enumerate(tokens):
        if index and token.begin > tokens[index - 1].end:
            pieces.append(" ")
        pieces.append(token.text)
    return "".join(pieces)
