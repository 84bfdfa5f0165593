"""`__shared__` variables: from declarations to references into the storage of the running block.

    __shared__ float tile[16][17], sum;
->  struct g2o_scope_tile { float tile[16][17], sum; };
    auto &g2o_in_tile = g2o_emulator::shared_scope<g2o_scope_tile>();
    auto &tile = g2o_in_tile.tile; auto &sum = g2o_in_tile.sum;

    extern __shared__ float buffer[];
->  float (*const buffer) = g2o_emulator::dynamic_shared();

(on one line). For a declaration at namespace scope the references move into every function that
mentions the names, also of files that come later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from g2o.verify.emulator.captures import block_around, capture_by_reference
from g2o.verify.emulator.scopes import FunctionBody, function_bodies, parameter_names
from g2o.verify.emulator.tokens import Edit, Kind, Region, Token, matching

SHARED = "__shared__"


@final
@dataclass(frozen=True, slots=True)
class _Declaration:
    """Tokens `[first, last]`, without the `;` at `last + 1`; `names` are the declarators' names."""

    first: int
    last: int
    extern: bool
    names: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class GlobalShared:
    """Shared variables of namespace scope, and what defines them in a function."""

    names: tuple[str, ...]
    references: str


def shared_alias(region: Region) -> Edit | None:
    """For a macro that stands for `__shared__`: the edit that takes it out of its definition."""
    shared = [token for token in region.tokens if token.text == SHARED]
    words = {t.text for t in region.tokens if t.kind is Kind.IDENTIFIER}
    if shared and words <= {SHARED, "extern", "static", "volatile", "__align__"}:
        return Edit(shared[0].begin, shared[0].end, "")
    return None


def rewrite_shared(
    text: str, region: Region, aliases: frozenset[str], global_variables: list[GlobalShared]
) -> Iterator[Edit]:
    """The edits for every shared declaration of a region; new global ones are appended."""
    tokens = region.tokens
    marks = [i for i, token in enumerate(tokens) if token.text == SHARED or token.text in aliases]
    if not marks and not global_variables:
        return
    in_macro = region.directive == "define"
    bodies = [] if in_macro else function_bodies(tokens)
    local: dict[FunctionBody, dict[str, list[range]]] = {}
    done = -1
    for mark in marks:
        if mark <= done:
            continue
        declaration = _declaration(tokens, mark, in_macro)
        done = declaration.last
        begin, end = tokens[declaration.first].begin, tokens[declaration.last].end
        inside = next((body for body in bodies if body.open < mark < body.close), None)
        if in_macro or inside:
            definition = "; ".join(
                part for part in _definition(text, tokens, declaration, in_macro) if part
            )
            yield _on_the_same_lines(text, begin, end, definition)
            if inside:
                block = block_around(tokens, mark)
                place = range(declaration.last, block.stop)
                for name in declaration.names:
                    local.setdefault(inside, {}).setdefault(name, []).append(place)
        else:
            at_place, in_users = _definition(text, tokens, declaration, in_macro=False)
            global_variables.append(GlobalShared(declaration.names, in_users))
            at_place = f"namespace {{ {at_place}; }}" if at_place else ""
            yield _on_the_same_lines(text, begin, end, at_place)
    for body in bodies:
        places = local.get(body, {})
        defined = _defined(tokens, body, global_variables, set(places))
        yield from _references(tokens, body, defined)
        for name in (name for variable in defined for name in variable.names):
            places[name] = [range(body.open, body.close)]
        if places:
            yield from capture_by_reference(tokens, body, places)


def _defined(
    tokens: Sequence[Token],
    body: FunctionBody,
    global_variables: Sequence[GlobalShared],
    local: set[str],
) -> list[GlobalShared]:
    """The global shared variables that a function mentions and does not declare itself."""
    inside = {t.text for t in tokens[body.open : body.close] if t.kind is Kind.IDENTIFIER}
    taken = parameter_names(tokens, body) | local
    return [
        variable
        for variable in global_variables
        if not inside.isdisjoint(variable.names) and taken.isdisjoint(variable.names)
    ]


def _references(
    tokens: Sequence[Token], body: FunctionBody, defined: Sequence[GlobalShared]
) -> Iterator[Edit]:
    """What defines them in a function."""
    definitions = [variable.references for variable in defined]
    if definitions:
        # In a scope of their own: the function may hide the names by its own variables.
        begin, end = tokens[body.open].end, tokens[body.close].begin
        yield Edit(begin, begin, "".join(f" {part};" for part in definitions) + " {")
        yield Edit(end, end, "}")


def _on_the_same_lines(text: str, begin: int, end: int, definition: str) -> Edit:
    newlines = text.count("\n", begin, end)
    continued = "\\\n" in text[begin:end]
    return Edit(begin, end, definition + ("\\\n" if continued else "\n") * newlines)


def _declaration(tokens: Sequence[Token], mark: int, in_macro: bool) -> _Declaration:
    first = mark
    while first > 0 and tokens[first - 1].text not in (";", "{", "}", ")", ":"):
        first -= 1
    # `extern "C"` and attributes with parentheses may stand in front.
    at = mark
    while at < len(tokens) and tokens[at].text != ";":
        if tokens[at].text in ("(", "[", "{"):
            at = matching(tokens, at)
        at += 1
    last = min(at, len(tokens)) - 1
    extern = any(token.text == "extern" for token in tokens[first : last + 1])
    names = tuple(
        _declared_name(tokens, begin, end, in_macro)
        for begin, end in _declarators(tokens, first, last)
    )
    return _Declaration(first, last, extern, names)


def _declarators(tokens: Sequence[Token], first: int, last: int) -> list[tuple[int, int]]:
    """Token ranges `[begin, end)` between the commas; the first has the specifiers too."""
    ranges: list[tuple[int, int]] = []
    begin = at = first
    angles = 0
    while at <= last:
        match tokens[at].text:
            case "(" | "[" | "{":
                at = matching(tokens, at)
            case "<":
                angles += 1
            case ">":
                angles -= 1
            case "," if angles == 0:
                ranges.append((begin, at))
                begin = at + 1
            case _:
                pass
        at += 1
    ranges.append((begin, last + 1))
    return ranges


def _declared_name(tokens: Sequence[Token], begin: int, end: int, in_macro: bool) -> str:
    """The identifier before the first `[`, `=` or `:` outside brackets, or else the last one."""
    name = ""
    at = begin
    angles = 0
    while at < end:
        token = tokens[at]
        match token.text:
            case "(":
                close = matching(tokens, at)
                if tokens[at + 1].text == "*" or (
                    close == at + 2 and tokens[at - 1].kind is Kind.PUNCTUATION
                ):
                    return tokens[close - 1].text
                at = close
            case "{":
                at = matching(tokens, at)
            case "<":
                angles += 1
            case ">":
                angles -= 1
            case "[" | "=" if angles == 0:
                break
            case _ if (
                token.kind is Kind.IDENTIFIER and angles == 0 and not _is_attribute(tokens, at)
            ):
                if in_macro and at > begin and tokens[at - 1].text == "##":
                    name = f"{name}##{token.text}"
                else:
                    name = token.text
            case _:
                pass
        at += 1
    return name


def _is_attribute(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].text in ("__align__", "alignas", "__attribute__", "__builtin_align__")


def _words(text: str, tokens: Sequence[Token], drop: frozenset[str]) -> str:
    """The source of `tokens` on one line, without those in `drop`."""
    pieces: list[str] = []
    previous = tokens[0].begin if tokens else 0
    for token in tokens:
        if token.begin > previous:
            pieces.append(" ")
        previous = token.end
        if token.text not in drop:
            pieces.append(token.text)
    return "".join(pieces).strip()


def _definition(
    text: str, tokens: Sequence[Token], declaration: _Declaration, in_macro: bool
) -> tuple[str, ...]:
    """The definition of the type that holds the variables ("" if none), and the references."""
    part = tokens[declaration.first : declaration.last + 1]
    if declaration.extern:
        dynamic = _dynamic_definition(text, tokens, declaration)
        return (dynamic,) if in_macro else ("", dynamic)
    members = _words(text, _without_initializers(part), frozenset({SHARED, "static"}))
    key = ("##" if in_macro else "") + declaration.names[0]
    scope, inside = f"g2o_scope_{key}", f"g2o_in_{key}"
    names = "; ".join(f"auto &{name} = {inside}.{name}" for name in declaration.names)
    return (
        f"struct {scope} {{ {members}; }}",
        f"auto &{inside} = g2o_emulator::shared_scope<{scope}>(); {names}",
    )


def _without_initializers(tokens: Sequence[Token]) -> list[Token]:
    """Initialisers of shared variables have no effect in CUDA."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        if tokens[at].text == "=":
            while at < len(tokens) and tokens[at].text != ",":
                at = matching(tokens, at) if tokens[at].text in ("{", "(", "[") else at
                at += 1
            continue
        if tokens[at].text in ("(", "[", "{"):
            close = min(matching(tokens, at), len(tokens) - 1)
            kept.extend(tokens[at : close + 1])
            at = close + 1
            continue
        kept.append(tokens[at])
        at += 1
    return kept


def _dynamic_definition(text: str, tokens: Sequence[Token], declaration: _Declaration) -> str:
    """`extern __shared__ T a[], b[][4]` -> `T (*const a) = ...; T (*const b)[4] = ...`."""
    ranges = _declarators(tokens, declaration.first, declaration.last)
    drop = frozenset({SHARED, "extern", "static"})
    first_begin, first_end = ranges[0]
    first_name = _index_of_name(tokens, first_begin, first_end, declaration.names[0])
    specifiers = _words(text, tokens[first_begin:first_name], drop)
    definitions: list[str] = []
    for (begin, end), name in zip(ranges, declaration.names, strict=True):
        at = _index_of_name(tokens, begin, end, name) + 1
        if "##" in name:
            at += 2 * name.count("##")
        dimensions = ""
        if at < end and tokens[at].text == "[":
            rest = matching(tokens, at) + 1
            dimensions = _words(text, tokens[rest:end], drop)
            definitions.append(
                f"{specifiers} (*const {name}){dimensions} = g2o_emulator::dynamic_shared()"
            )
        else:
            definitions.append(f"{specifiers} &{name} = g2o_emulator::dynamic_shared()")
    return "; ".join(definitions)


def _index_of_name(tokens: Sequence[Token], begin: int, end: int, name: str) -> int:
    wanted = name.split("##")[0]
    found = begin
    for at in range(begin, end):
        if tokens[at].text == "[":
            break
        if tokens[at].text == wanted:
            found = at
    return found
