"""OpenMP pragmas of C files, as far as they ask for derivatives.

    #pragma omp parallel for firstprivate(a) reduction(+ : e) g2o(reverse, shadow(x : d_x))

`enzyme(...)` is another spelling of the clause `g2o(...)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Note, Refusal, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.lexer import lex

_PRAGMA: Final = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\r?\n|[^\n])*", re.MULTILINE)
_FUNCTION_PRAGMA: Final = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+g2o\b(?:\\\r?\n|[^\n])*", re.MULTILINE
)
_DEFINE: Final = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_ASKS: Final = re.compile(r"\b(?:g2o|enzyme)[ \t]*\(")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CONSTRUCT: Final = frozenset(
    (
        *("parallel", "for", "simd", "target", "teams", "distribute", "single", "master", "loop"),
        *("sections", "section", "critical", "atomic", "barrier", "task", "ordered", "masked"),
        *("data", "declare", "flush", "taskloop", "taskwait", "taskgroup", "threadprivate"),
    )
)
_OF_TARGET: Final = _CONSTRUCT | {"enter", "exit", "update"}
_OWN: Final = ("g2o", "enzyme")


@final
@dataclass(frozen=True, slots=True)
class Clause:
    """`name(text)`; the text is None where there are no parentheses."""

    name: str
    text: str | None
    span: SourceSpan

    @property
    def variables(self) -> tuple[str, ...]:
        """What a list of variables names, without sections of arrays, behind what may stand in
        front of its colon."""
        return tuple(name for one in self.items if (name := one.partition("[")[0].strip()))

    @property
    def items(self) -> tuple[str, ...]:
        """What a list names, as it is written, behind what may stand in front of its colon."""
        return tuple(_parts(self._parts()[1]))

    @property
    def modifier(self) -> str:
        """What stands in front of the colon of a list: `+` of `reduction(+ : e)`."""
        return self._parts()[0]

    def _parts(self) -> tuple[str, str]:
        """What stands in front of the colon of a list, "" without one, and what stands behind."""
        text = self.text or ""
        front = next(_parts(text, ":"), "")
        if len(front) == len(text.strip()):
            return "", text
        return front, text.partition(":")[2]


@final
@dataclass(frozen=True, slots=True)
class Wanted:
    """What the clause asks for: `mode` is "reverse" or "forward", `shadows` are the variables with
    what their shadows are called; none where these are to be declared."""

    mode: str
    shadows: tuple[tuple[str, str], ...]
    span: SourceSpan


@final
@dataclass(frozen=True, slots=True)
class Pragma:
    """The construct that a pragma begins with, and its clauses."""

    construct: str
    clauses: tuple[Clause, ...]
    span: SourceSpan

    def named_by(self, *clauses: str) -> frozenset[str]:
        """The variables that clauses with these names list."""
        found = (one for one in self.clauses if one.name in clauses)
        return frozenset(name for one in found for name in one.variables)


@final
@dataclass(frozen=True, slots=True)
class Directive:
    """A pragma, without what derivative it asks for."""

    pragma: Pragma
    wanted: Wanted

    @property
    def construct(self) -> str:
        return self.pragma.construct

    @property
    def clauses(self) -> tuple[Clause, ...]:
        return self.pragma.clauses

    @property
    def span(self) -> SourceSpan:
        return self.pragma.span


def directives_that_ask(
    file: SourceFile, skipped: Callable[[], Iterable[tuple[int, int]]]
) -> Iterator[Directive]:
    """The pragmas of the file with a clause `g2o(...)`, outside of comments and of what the
    preprocessor skips. Raises Refusal for one that is none."""
    for span in _in_force(file, _PRAGMA, skipped):
        if _ASKS.search(_without_comments(span)):
            yield _directive(span)


def pragmas_within(
    span: SourceSpan, skipped: Callable[[], Iterable[tuple[int, int]]]
) -> list[Pragma]:
    """OpenMP's pragmas in a span of a file. Raises Refusal for one that is not understood."""
    found = _in_force(span.file, _PRAGMA, skipped)
    return [_pragma(one) for one in found if span.begin <= one.begin and one.end <= span.end]


def threadprivate_in(
    file: SourceFile, skipped: Callable[[], Iterable[tuple[int, int]]]
) -> list[Pragma]:
    """The pragmas that give every thread variables of the file of its own."""
    found = _in_force(file, _PRAGMA, skipped)
    return [_pragma(one) for one in found if re.search(r"\bomp\s+threadprivate\b", one.text)]


def requests_for_functions(
    file: SourceFile, skipped: Callable[[], Iterable[tuple[int, int]]]
) -> Iterator[SourceSpan]:
    """The lines `#pragma g2o ...` of a file."""
    return _in_force(file, _FUNCTION_PRAGMA, skipped)


def _in_force(
    file: SourceFile, pattern: re.Pattern[str], skipped: Callable[[], Iterable[tuple[int, int]]]
) -> Iterator[SourceSpan]:
    """What the pattern finds outside of comments and of what the preprocessor skips."""
    places = [found.span() for found in pattern.finditer(file.text)]
    if not places:
        return
    idle = (*lex(file.text).comments, *skipped())
    for begin, end in places:
        if not any(low <= begin and end <= high for low, high in idle):
            yield SourceSpan(file, begin, end)


def pragma_inside(span: SourceSpan, texts: Iterable[str]) -> str | None:
    """An OpenMP pragma in the text of a span, or a macro that makes one, which the files `texts`
    define: what it says of the code behind it is lost where that is taken apart."""
    found = _PRAGMA.search(span.text)
    return found[0].strip() if found is not None else macro_with_pragma(span, texts)


def macro_with_pragma(span: SourceSpan, texts: Iterable[str]) -> str | None:
    """A macro in the text of a span that makes a pragma, or `_Pragma` itself."""
    defined = [pair for text in texts for pair in _DEFINE.findall(text)]
    making = {"_Pragma"}
    while more := {name for name, body in defined if making & {*_WORD.findall(body)}} - making:
        making |= more
    return next((word for word in _WORD.findall(span.text) if word in making), None)


def _without_comments(span: SourceSpan) -> str:
    """The text of a pragma with blanks in place of comments."""
    return _COMMENT.sub(lambda one: " " * len(one[0]), span.text)


def _directive(span: SourceSpan) -> Directive:
    pragma = _pragma(span)
    own = [one for one in pragma.clauses if one.name in _OWN]
    if len(own) != 1:
        raise _refused("more than one derivative of a loop", own[-1].span)
    rest = tuple(one for one in pragma.clauses if one.name not in _OWN)
    return Directive(Pragma(pragma.construct, rest, span), _wanted(own[0]))


def _pragma(span: SourceSpan) -> Pragma:
    text, base = _without_comments(span), span.begin
    at = _behind(text, "omp")
    construct: list[str] = []
    clauses: list[Clause] = []
    while (word := _WORD.search(text, at)) is not None:
        between = text[at : word.start()].replace("\\\n", "").replace("\\\r\n", "").strip(" \t,")
        if between:
            raise _refused(f"'{between}' in a pragma", SourceSpan(span.file, base + at, span.end))
        at = word.end()
        opening = re.compile(r"[ \t]*\(").match(text, at)
        known = _OF_TARGET if construct == ["target"] else _CONSTRUCT
        is_construct = word[0] in known and not clauses
        if is_construct and (opening is None or word[0] == "critical"):
            construct.append(word[0])
            if opening is not None:
                at = _closing(text, opening.end() - 1, span) + 1
            continue
        inner = None
        if opening is not None:
            end = _closing(text, opening.end() - 1, span)
            inner, at = text[opening.end() : end], end + 1
        place = SourceSpan(span.file, base + word.start(), base + at)
        clauses.append(Clause(word[0], inner, place))
    return Pragma(" ".join(construct), tuple(clauses), span)


def _wanted(clause: Clause) -> Wanted:
    mode = ""
    has_own = False
    shadows: list[tuple[str, str]] = []
    for part in _parts(clause.text or ""):
        pairs = re.fullmatch(r"shadow\s*\((.*)\)", part, re.DOTALL)
        if part in ("reverse", "forward"):
            mode = part
        elif part == "shadow":
            has_own = True
        elif pairs is not None:
            for pair in pairs[1].split(","):
                name, colon, shadow = (one.strip() for one in pair.partition(":"))
                if not colon or not _WORD.fullmatch(name) or not _WORD.fullmatch(shadow):
                    message = f"'{pair.strip()}' in shadow(...)"
                    raise _refused(message, clause.span, "write shadow(x : d_x, y : d_y)")
                shadows.append((name, shadow))
        else:
            allowed = "write g2o(reverse, shadow(x : d_x)) or g2o(forward, shadow(x : d_x))"
            raise _refused(f"'{part}' in g2o(...)", clause.span, allowed)
    if not mode:
        raise _refused("a clause g2o(...) without a mode", clause.span, "say reverse or forward")
    if not shadows and not has_own:
        raise _refused("a clause g2o(...) without shadows", clause.span, "add shadow(x : d_x)")
    return Wanted(mode, tuple(shadows), clause.span)


def _parts(text: str, separator: str = ",") -> Iterator[str]:
    """What separators outside of parentheses and brackets separate."""
    depth, begin = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == separator and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1
    yield text[begin:].strip()


def _behind(text: str, word: str) -> int:
    found = re.search(rf"\b{word}\b", text)
    assert found is not None
    return found.end()


def _closing(text: str, opening: int, span: SourceSpan) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    raise _refused("a parenthesis that does not end", span)


def _refused(what: str, span: SourceSpan, advice: str | None = None) -> Refusal:
    notes = () if advice is None else (Note(advice),)
    return Refusal(_error(what, span, *notes))


def _error(what: str, span: SourceSpan, *notes: Note) -> Diagnostic:
    return error("G2O0411", f"{what} is not understood", span, *notes)
