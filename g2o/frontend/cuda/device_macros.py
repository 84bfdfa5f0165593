"""Macros of device code that have to be expanded before a kernel can be rewritten.

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define SYNC do { __syncthreads(); } while (0)
#define FOR_EACH(i, n) for (int i = 0; i < (n); ++i)

What they stand for becomes loops, so that no macro can stand for it any longer. Macros that are
names of values, types, or expressions of their own stay: `#define N 64`, `#define MAX(a, b) (...)`.
Another name of a variable, `#define rho_u rho`, goes: it may be replaced, or called otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.api import LOWERED_NAMES
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.dropped_arguments import variables_of, without_dropped
from g2o.frontend.cuda.lexer import Directive, LexedFile, Token, TokenKind, adjacent, lex, word_set
from g2o.frontend.cuda.macro_expansion import ExpandedText, Expansion, expand_within
from g2o.frontend.cuda.macros import Macro, macros
from g2o.frontend.cuda.ptx import assembly_expansions

_STATEMENT_WORDS: Final = word_set(
    "; { } if else for while do switch case default break continue return goto __shared__ asm"
)
_MEMORY: Final = word_set("malloc calloc realloc aligned_alloc memalign posix_memalign")
_UNARY: Final = frozenset(("-", "~", "!"))
_DECLARATORS: Final = word_set("* & const volatile __restrict__ __restrict restrict")
_MEMBERS: Final = frozenset((".", "->", "::"))
_MAX_NESTING: Final = 16
_OWN: Final = str(Path(__file__).parent / "declarations")  # nobody but g2o knows macros there
Skipped = Callable[[SourceFile], Sequence[tuple[int, int]]]


@final
class DeviceMacros:
    """The macros of a program that cannot stay in device code."""

    def __init__(
        self,
        files: Sequence[SourceFile],
        root: SourceFile,
        skipped: Skipped,
        *,
        passing_stay: bool = False,
    ) -> None:
        """`files` are all files of the program, in the order in which they are included, `root`
        among them, which reads all others; `skipped` tells what the preprocessor skips in one.
        `passing_stay`: what is written has macros that are undefined later as they are here."""
        self._skipped = skipped
        self._by_name: dict[str, list[tuple[SourceFile, Macro]]] = {}
        again: set[str] = set()
        passing: set[str] = set()
        for file in files:
            if "#" in file.text:
                lexed = lex(file.text)
                for macro in macros(lexed):
                    self._by_name.setdefault(macro.name, []).append((file, macro))
                if not passing_stay:
                    again |= {d.tokens[0].text for d in lexed.directives if _undefines(d)}
                    passing |= _passing_macros(lexed)
        self._places = {file.path: place for place, file in enumerate(files)} | {root.path: 0}
        self.expanded = {
            name
            for name in self._by_name
            if any(file.path.startswith(_OWN) for file, _ in self._by_name[name])
            or self._has_to_go(name, frozenset(), _MAX_NESTING)
            or name in passing
            or (name in again and self._has_several_meanings(name))
        }
        self._dropping = {
            name
            for name, known in self._by_name.items()
            if name not in self.expanded and any(_drops(macro) for _, macro in known)
        }

        self._single = {
            name
            for name, known in self._by_name.items()
            if name not in self.expanded and any(_is_single_name(macro) for _, macro in known)
        }

    def _names_of_variables(self, file: SourceFile, functions: Sequence[Cursor]) -> set[str]:
        """The macros that stand for one of the functions' variables, and for nothing else."""
        found: set[str] = set()
        if any(name in file.text for name in self._single):
            names = {one for function in functions for one in variables_of(function)}
            while names:
                names = {name for name in self._single - found if self._may_say(name, names)}
                found |= names
        return found

    def _may_say(self, name: str, names: set[str]) -> bool:
        known = (macro for _, macro in self._by_name[name] if _is_single_name(macro))
        return any(macro.body[0].text in names for macro in known)

    def expand(self, file: SourceFile, functions: Sequence[Cursor]) -> ExpandedText | None:
        """`file` with these macros expanded in the bodies of `functions`, with C++ in place of the
        assembly there, and without arguments that macros drop; None where there are none."""
        known = (*self.expanded, *self._dropping, *self._single, "asm")
        if not any(name in file.text for name in known):
            return None
        expanded = self.expanded | self._names_of_variables(file, functions)
        bodies = [body for function in functions for body in _bodies(file.text, function)]
        lexed = lex(file.text)
        found = [Expansion(*each) for each in assembly_expansions(lexed, bodies)]
        taken = [(each.begin, each.end) for each in found]
        found += [
            each
            for each in expand_within(
                lexed, bodies, lambda name, at: self._definition(name, file, at, expanded)
            )
            if not any(begin <= each.begin < end for begin, end in taken)
        ]
        taken = [(each.begin, each.end) for each in found]
        found += [
            each
            for each in without_dropped(
                lexed, functions, lambda name, at: self._definition(name, file, at, self._dropping)
            )
            if not any(begin <= each.begin < end for begin, end in taken)
        ]
        return ExpandedText(file.text, found) if found else None

    def definition(self, name: str, file: SourceFile, at: int) -> Macro | None:
        """What a macro of the program stands for at a place of the file."""
        return self._definition(name, file, at, self._by_name)

    def _definition(
        self, name: str, file: SourceFile, at: int, among: Container[str]
    ) -> Macro | None:
        """The last definition in front of the place; those of other files come first."""
        if name not in among:
            return None
        known = self._by_name[name]
        if len(known) > 1:
            known = [each for each in known if not self._is_skipped(*each)]
        own = [macro for where, macro in known if where is file and macro.directive.begin < at]
        others = [each for each in known if each[0] is not file]
        before = [macro for where, macro in others if self._comes_before(where, file)]
        candidates = own or before or [macro for _, macro in others]
        return candidates[-1] if candidates else None

    def _comes_before(self, one: SourceFile, other: SourceFile) -> bool:
        """Whether a file is read before another; the main file and the root read all others."""
        place = self._places.get(other.path, 0)
        return place == 0 or self._places.get(one.path, 0) < place

    def _has_several_meanings(self, name: str) -> bool:
        """Whether what is written at one place would mean something else at another."""
        known = [macro for file, macro in self._by_name[name] if not self._is_skipped(file, macro)]
        return len({tuple(token.text for token in macro.body) for macro in known}) > 1

    def _is_skipped(self, file: SourceFile, macro: Macro) -> bool:
        at = macro.directive.begin
        return any(begin < at < end for begin, end in self._skipped(file))

    def _has_to_go(self, name: str, outer: frozenset[str], depth: int) -> bool:
        if name in outer or depth == 0:
            return False
        return any(
            not _stands_alone(macro)
            or any(
                self._has_to_go(token.text, outer | {name}, depth - 1)
                for token in macro.body
                if token.kind is TokenKind.IDENTIFIER and token.text in self._by_name
            )
            for _, macro in self._by_name[name]
        )


def _bodies(text: str, function: Cursor) -> list[tuple[int, int]]:
    """The braces of a function, where they are spelled in the file."""
    return [
        (child.begin, child.end)
        for child in function.children
        if child.kind == "COMPOUND_STMT" and text[child.begin : child.begin + 1] == "{"
    ]


def _undefines(line: Directive) -> bool:
    return line.name == "undef" and bool(line.tokens)


def _passing_macros(lexed: LexedFile) -> set[str]:
    """The macros that are not defined everywhere behind their definition: those that an `#undef`
    follows, and those of a device function, which goes with what is in it once it is inlined."""
    defined: set[str] = set()
    found: set[str] = set()
    bodies = _function_bodies(lexed) if any(d.code_index for d in lexed.directives) else []
    for line in lexed.directives:
        if _undefines(line) and line.tokens[0].text in defined:
            found.add(line.tokens[0].text)
        elif line.name == "define" and line.tokens:
            defined.add(line.tokens[0].text)
            if any(begin < line.code_index <= end for begin, end in bodies):
                found.add(line.tokens[0].text)
    return found


def _function_bodies(lexed: LexedFile) -> list[tuple[int, int]]:
    """The braces of functions that are no kernels, as positions among the tokens of the code."""
    tokens = lexed.code
    found: list[tuple[int, int]] = []
    head: set[str] = set()
    index = 0
    while index < len(tokens):
        text = tokens[index].text
        if text == "{" and ")" in head:
            closing = closing_bracket(tokens, index)
            if closing is None:
                break
            if "__global__" not in head:
                found.append((index, closing))
            index = closing
        head = set() if text in ("{", "}", ";") else head | {text}
        index += 1
    return found


def _is_single_name(macro: Macro) -> bool:
    return [token.kind for token in macro.body] == [TokenKind.IDENTIFIER]


def _drops(macro: Macro) -> bool:
    """Whether the macro has parameters that it does not name."""
    named = {token.text for token in macro.body}
    return any(name not in named and name != "..." for name in macro.parameters or ())


def _stands_alone(macro: Macro) -> bool:
    """Whether the macro is a name, a type or one closed expression without the launch in it."""
    texts = [token.text for token in macro.body]
    if not texts:
        return True
    if not LOWERED_NAMES.isdisjoint(texts) or not _STATEMENT_WORDS.isdisjoint(texts):
        return False
    if not _MEMORY.isdisjoint(texts):
        return False  # it has another size, and stands elsewhere, in a derivative
    if _is_name_or_type(macro.body):
        return macro.parameters is None or texts[0] not in macro.parameters
    return _is_closed(macro.body, macro.parameters or ())


def _is_name_or_type(body: Sequence[Token]) -> bool:
    """`N`, `64`, `"text"`, `unsigned int`, `const ns::T *`."""
    if len(body) == 1:
        return body[0].kind is not TokenKind.PUNCTUATION
    declarator = [token.text for token in body]
    while declarator and declarator[-1] in _DECLARATORS:
        declarator.pop()
    words = body[: len(declarator)]
    return all(token.kind is TokenKind.IDENTIFIER or token.text == "::" for token in words)


def _is_closed(body: Sequence[Token], parameters: Sequence[str]) -> bool:
    """Whether the tokens are one operand wherever they stand: `(a + b)`, `f(x)[i].y`, `-1`."""
    index = 0
    if body[0].text in _UNARY and len(body) > 1 and adjacent(body[0], body[1]):
        index = 1
    first = body[index]
    if first.text == "(":
        closing = closing_bracket(body, index)
        return closing == len(body) - 1
    if first.kind is TokenKind.PUNCTUATION or first.text in parameters:
        return False
    index += 1
    while index < len(body):
        text = body[index].text
        if text in ("(", "["):
            closing = closing_bracket(body, index)
            if closing is None:
                return False
            index = closing + 1
        elif text in _MEMBERS and index + 1 < len(body):
            if body[index + 1].text in parameters and text == "::":
                return False
            index += 2
        else:
            return False
    last = body[-1]
    return last.text not in parameters
